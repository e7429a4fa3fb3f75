import { join } from 'node:path';
import type { AdoptSpec, ChildProcess, Family, HostPorts, ProcessIdentity } from '../../host/index.ts';
import type { CommandSpec } from '../../tools/contract/index.ts';

/** Tells the processes of a task from all others. */
export const TASK_MARK = 'REIN_TASK';

/** Largest output that is kept. The system counts it in blocks of 512 bytes. */
export const OUTPUT_BYTES: number = 64 * 1024 * 1024;
const BLOCK = 512;

/**
 * Runs the user's command line without input, its streams into one pipe, and writes how it ended. Who reads the pipe
 * may write only so much; then the command meets a closed pipe. So output and end survive this program, and nothing
 * grows without bound. The command line, the shell and the paths are arguments: nothing is spliced into the script.
 */
const SCRIPT = `{ "$1" -c -- "$2" </dev/null; echo "$?" >"$4.new" && mv "$4.new" "$4"; } 2>&1 | { ulimit -f "$5"; exec cat >>"$3"; }`;

export type Spool = { directory: string; output: string; exit: string };

export function spoolOf(directory: string): Spool {
  return { directory, output: join(directory, 'output'), exit: join(directory, 'exit') };
}

const KEPT_OUTPUT = /\.files(?:\/agents\/[^/]+)*(?:\/agents|\/tasks(?:\/.*)?)?$/s;

/** Whether outputs of tasks lie there, of whatever session: as they were written, so that a reader has to mask them. */
export function keepsOutput(path: string): boolean {
  return KEPT_OUTPUT.test(path);
}

/** The files that it writes to are made first, for its owner alone. Throws ProcessError, FileError. */
export async function spawnSpooled(
  spec: CommandSpec,
  spool: Spool,
  mark: AdoptSpec['mark'],
  host: HostPorts,
): Promise<ChildProcess> {
  await host.files.makeDirectory(spool.directory, { mode: 0o700 });
  await host.files.createExclusive(spool.output, '', { mode: 0o600 });
  const limit = String(OUTPUT_BYTES / BLOCK);
  const child = await host.process.spawn({
    file: '/bin/sh',
    args: ['-c', SCRIPT, 'rein-task', spec.shell, spec.command, spool.output, spool.exit, limit],
    cwd: spec.cwd,
    env: spec.env,
    mark,
  });
  // What the script itself has to say goes nowhere; nothing waits for it.
  child.detachOutput();
  return child;
}

/** Null: it has not ended, or was ended from outside. */
export async function exitCodeOf(spool: Spool, { files }: Pick<HostPorts, 'files'>): Promise<number | null> {
  const read = await files.readRegular(spool.exit, { maxBytes: 64, followLast: false });
  if (!read.ok) return null;
  const code = Number.parseInt(Buffer.from(read.bytes).toString('utf8'), 10);
  return Number.isSafeInteger(code) ? code : null;
}

/** Bytes so far. */
export async function outputSize(path: string, { files }: Pick<HostPorts, 'files'>): Promise<number> {
  return (await files.stat(path))?.size ?? 0;
}

export async function identityOf(child: ChildProcess, host: HostPorts): Promise<ProcessIdentity> {
  return { pid: child.pid, bootId: (await host.process.self()).bootId, startTime: child.startTime };
}

/** After a command's own end: time for what is still in the pipe to be written to the file. */
const DRAIN_MS = 500;

/** The end of a family whose command has ended: first its last output is written, then what is left of it is ended. */
export async function endAfterOutput(family: Family, host: Pick<HostPorts, 'clock'>): Promise<boolean> {
  for (let waited = 0; waited < DRAIN_MS && family.groupAlive(); waited += POLL_MS) await host.clock.sleep(POLL_MS);
  return endFamily(family, host);
}

const TERM_GRACE_MS = 2000;
const KILL_GRACE_MS = 1000;
const POLL_MS = 25;

/** All of the family: asked first, then forced. False: something of it is stuck in the system. */
export async function endFamily(family: Family, { clock }: Pick<HostPorts, 'clock'>): Promise<boolean> {
  for (const [signal, graceMs] of [
    ['SIGTERM', TERM_GRACE_MS],
    ['SIGKILL', KILL_GRACE_MS],
  ] as const) {
    for (let waited = 0; waited < graceMs; waited += POLL_MS) {
      if (!family.groupAlive()) return true;
      // The signal that cannot be ignored is repeated: what was being started may have missed it.
      if (waited === 0 || signal === 'SIGKILL') family.killGroup(signal);
      await clock.sleep(POLL_MS);
    }
  }
  return !family.groupAlive();
}
