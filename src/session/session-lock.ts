import { isRecord, parseJson, sha256 } from '../base/index.ts';
import type { ClockPort, FilePort, ProcessIdentity, ProcessPort, RandomPort } from '../host/index.ts';
import { SessionError } from './session-error.ts';

export type LockHost = { files: FilePort; process: ProcessPort; clock: ClockPort; random: RandomPort };

export type SessionLock = {
  /** Gives the lock back. Leaves alone what is no longer its own. */
  release(): Promise<void>;
};

const MAX_LOCK_BYTES = 4096;
/** A lock without an owner in it is being written, or its writer died: after these looks it counts as dead. */
const EMPTY_LOOKS = 10;
const EMPTY_WAIT_MS = 20;
/** Others may take, leave and inherit a lock while this one looks; more changes than this are no accident. */
const MAX_ATTEMPTS = 50;
/** Owners that died one after the other while inheriting. */
const MAX_HEIRS = 50;

/**
 * Takes the lock of a session: a file that is created exclusively and names its owner. A dead owner is inherited from:
 * its heir is whoever creates, exclusively, the file named after the dead lock's content, finds that lock still in
 * place, and only then puts its own in the dead one's stead. Since each lock has a random part, a lock that was given
 * back meanwhile is never mistaken for the dead one; so there is never a second owner. Throws SessionError
 * session/locked (`data.pid`) where the owner lives, session/write-failed where a file cannot be written.
 */
export async function takeLock(path: string, session: string, host: LockHost): Promise<SessionLock> {
  const nonce = Buffer.from(host.random.bytes(12)).toString('hex');
  const own = `${JSON.stringify({ ...(await host.process.self()), nonce })}\n`;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    if (await host.files.createExclusive(path, own, { mode: 0o600 })) return heldLock(path, own, host.files);
    if (await inherit(path, own, session, host)) return heldLock(path, own, host.files);
  }
  throw new SessionError('session/locked', `session ${session} is being opened by others all the time: try again`, {
    data: { session, path },
  });
}

function heldLock(path: string, own: string, files: FilePort): SessionLock {
  return {
    async release() {
      if ((await readLock(path, files)) === own) await files.remove(path);
    },
  };
}

/** False where the lock changed meanwhile: to be tried again. */
async function inherit(path: string, own: string, session: string, host: LockHost): Promise<boolean> {
  const { files } = host;
  const dead = await readDead(path, session, host);
  if (dead === null) return false;
  const claims: string[] = [];
  for (let last = dead; claims.length < MAX_HEIRS; ) {
    const claim = `${path}.${sha256(last).slice(0, 16)}`;
    claims.push(claim);
    if (await files.createExclusive(claim, own, { mode: 0o600 })) return takeOver(path, dead, own, claims, files);
    const next = await readDead(claim, session, host);
    if (next === null) return false;
    last = next;
  }
  throw locked(session, path, null);
}

/** The last of `claims` is ours; the others are of heirs that died. */
async function takeOver(path: string, dead: string, own: string, claims: string[], files: FilePort): Promise<boolean> {
  let taken = false;
  try {
    if ((await readLock(path, files)) === dead) {
      await files.writeWhole(path, own, { mode: 0o600 });
      taken = true;
    }
  } finally {
    for (const claim of taken ? claims : claims.slice(-1)) await files.remove(claim);
  }
  return taken;
}

/** The content of a lock whose owner is dead; null where there is no lock. Throws session/locked. */
async function readDead(path: string, session: string, host: LockHost): Promise<string | null> {
  for (let look = 0; look < EMPTY_LOOKS; look += 1) {
    const text = await readLock(path, host.files);
    if (text === null) return null;
    const owner = toOwner(text);
    if (owner !== null) {
      if (await host.process.isAlive(owner)) throw locked(session, path, owner.pid);
      return text;
    }
    await host.clock.sleep(EMPTY_WAIT_MS);
  }
  return await readLock(path, host.files);
}

async function readLock(path: string, files: FilePort): Promise<string | null> {
  const read = await files.readRegular(path, { maxBytes: MAX_LOCK_BYTES, followLast: false });
  if (read.ok) return Buffer.from(read.bytes).toString('utf8');
  if (read.why === 'absent') return null;
  throw new SessionError('session/unreadable', `the lock ${path} cannot be read: ${read.detail}`, { data: { path } });
}

function toOwner(text: string): ProcessIdentity | null {
  const line = parseJson(text);
  if (!isRecord(line)) return null;
  const { pid, bootId, startTime } = line;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return null;
  return {
    pid,
    bootId: typeof bootId === 'string' ? bootId : null,
    startTime: typeof startTime === 'string' ? startTime : null,
  };
}

function locked(session: string, path: string, pid: number | null): SessionError {
  const who = pid === null ? 'another process' : `process ${pid}`;
  return new SessionError(
    'session/locked',
    `session ${session} is open in ${who}: end that one, or continue a copy with --fork ${session}`,
    { data: { session, path, pid } },
  );
}
