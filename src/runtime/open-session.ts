import { join } from 'node:path';
import { type Diagnostic, UsageError } from '../base/index.ts';
import { stateHome } from '../config/index.ts';
import { FileError, type FilePort, type HostPorts } from '../host/index.ts';
import { deliveryFold } from '../instructions/index.ts';
import { workingDirectory } from '../model/index.ts';
import {
  createSessionStore,
  SESSION_FOLDS,
  SessionError,
  type SessionLog,
  type SessionStore,
} from '../session/index.ts';
import type { Location } from './locate.ts';
import type { SessionChoice } from './options.ts';
import { PROGRAM } from './version.ts';

const MISNAMED = ['session/not-found', 'session/ambiguous'];

export function sessionStore(host: HostPorts): SessionStore {
  const directory = join(stateHome(host.env), 'rein', 'sessions');
  return createSessionStore({ host, directory, folds: { ...SESSION_FOLDS, delivery: deliveryFold } });
}

/** The conversation asked for. Throws UsageError session/none-to-continue, and SessionError as the store does. */
export async function openSession(
  store: SessionStore,
  choice: SessionChoice,
  { cwd, projectRoot }: Location,
): Promise<SessionLog> {
  switch (choice.type) {
    case 'new':
      return store.create({ cwd, projectRoot, program: PROGRAM });
    case 'none':
      return store.create({ cwd, projectRoot, program: PROGRAM, memoryOnly: true });
    case 'resume':
      return store.open(await resolveSession(store, choice.id, cwd));
    case 'fork':
      return store.fork(await resolveSession(store, choice.id, cwd));
    case 'continue': {
      const newest = await store.newest(cwd);
      if (newest !== null) return store.open(newest.id);
      throw new UsageError(
        'session/none-to-continue',
        `there is no session of ${cwd} to continue; leave --continue out`,
      );
    }
  }
}

/** The session that an id, or the beginning of one, names. A name for none or for several is the caller's mistake. */
export async function resolveSession(store: SessionStore, id: string, cwd: string): Promise<string> {
  try {
    return await store.resolve(id, cwd);
  } catch (error) {
    if (!(error instanceof SessionError) || !MISNAMED.includes(error.code)) throw error;
    throw new UsageError(error.code, error.message, { data: error.data, cause: error });
  }
}

/** Where the session works, if that is no directory any more: nothing relative can be read or run there. */
async function goneDirectory(log: SessionLog, cwd: string, files: Pick<FilePort, 'stat'>): Promise<Diagnostic[]> {
  const path = workingDirectory(log.state());
  // Where the program runs was looked at already.
  if (path === cwd || (await kindAt(path, files)) === 'directory') return [];
  return [
    {
      severity: 'warning',
      code: 'session/directory-gone',
      message: 'this session works in a directory that is gone: make it anew, or begin another session elsewhere',
      path,
    },
  ];
}

/** Null: nothing is there. What cannot be looked at is taken for a directory: whoever uses it is told why. */
async function kindAt(path: string, files: Pick<FilePort, 'stat'>): Promise<string | null> {
  try {
    return (await files.stat(path))?.kind ?? null;
  } catch (error) {
    if (error instanceof FileError) return 'directory';
    throw error;
  }
}

/** What is worth telling of a session that was taken up again. */
export async function resumeDiagnostics(
  log: SessionLog,
  { cwd }: Location,
  ownFlags: boolean,
  files: Pick<FilePort, 'stat'>,
): Promise<Diagnostic[]> {
  const diagnostics: Diagnostic[] = [...log.diagnostics, ...(await goneDirectory(log, cwd, files))];
  if (log.header.cwd !== cwd) {
    diagnostics.push({
      severity: 'warning',
      code: 'session/other-directory',
      message: `this session was begun in ${log.header.cwd} and goes on there, not in ${cwd}`,
    });
  }
  const last = log.lastRequest();
  const hadFlags =
    last?.system.some((item) => 'piece' in item && log.piece(item.piece)?.origin.type === 'flag') ?? false;
  if (hadFlags && !ownFlags) {
    diagnostics.push({
      severity: 'info',
      code: 'prompt/flags-not-kept',
      message:
        'the --system-prompt and --append-system-prompt texts of the run before held for that run only; this one uses the configured system prompt',
    });
  }
  return diagnostics;
}
