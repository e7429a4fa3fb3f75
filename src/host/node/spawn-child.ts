import { type ChildProcess as NodeChild, spawn } from 'node:child_process';
import { type ChildProcess, ProcessError, type ProcessExit, type SpawnSpec } from '../index.ts';
import { systemCode } from './file-facts.ts';
import { OutputPipe } from './output-pipe.ts';
import { isZombie, type ProcEntry, readProcTable } from './proc-table.ts';

const WHY: Record<string, string> = {
  ENOENT: 'no such program, or no such working directory',
  EACCES: 'permission denied',
  E2BIG: 'the command or the environment is too long',
  EAGAIN: 'too many processes',
};

/**
 * Starts a program as leader of its own session (`setsid`): it has no controlling terminal, `/dev/tty` cannot be
 * opened, and its stdin is at its end. Throws ProcessError.
 */
export async function spawnChild(spec: SpawnSpec): Promise<ChildProcess> {
  let child: NodeChild;
  try {
    child = spawn(spec.file, [...spec.args], {
      cwd: spec.cwd,
      env: { ...spec.env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    throw spawnError(spec, error);
  }
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.on('error', (error) => reject(spawnError(spec, error)));
  });
  const { pid, stdout, stderr } = child;
  if (pid === undefined || stdout === null || stderr === null) throw spawnError(spec, { code: 'EAGAIN' });
  const output = new OutputPipe({ stdout, stderr });
  return {
    pid,
    output,
    exited,
    killGroup: (signal) => killGroup(pid, signal),
    groupAlive: () => groupAlive(pid),
    detachOutput: () => {
      child.unref();
      output.detach();
    },
  };
}

function spawnError(spec: SpawnSpec, error: unknown): ProcessError {
  const code = systemCode(error);
  return new ProcessError(`process/${code.toLowerCase()}`, `cannot start ${spec.file}: ${WHY[code] ?? code}`, {
    data: { file: spec.file, cwd: spec.cwd, systemCode: code },
    cause: error,
  });
}

/** True when the signal reached somebody. */
function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch {
    return false;
  }
}

/**
 * The living of the group and of the session; null where the system has no process table. Dead ones that nobody has
 * waited for would still answer to a signal.
 */
function members(leader: number): ProcEntry[] | null {
  const belongs = (entry: ProcEntry): boolean => entry.group === leader || entry.session === leader;
  return readProcTable()?.filter((entry) => belongs(entry) && !isZombie(entry)) ?? null;
}

/**
 * The members of the session that left the leader's group (`timeout` and job control open groups of their own) are
 * killed with it, where the process table tells them. A daemon with a session of its own is out of reach on purpose.
 */
function killGroup(leader: number, signal: NodeJS.Signals): boolean {
  const living = members(leader);
  const reached = send(-leader, signal);
  // Asked again: one that left the group just before the signal is seen now, one that leaves it later has got it.
  for (const entry of members(leader) ?? []) if (entry.group !== leader) send(entry.pid, signal);
  return living === null ? reached : living.length > 0;
}

function groupAlive(leader: number): boolean {
  const living = members(leader);
  return living === null ? send(-leader, 0) : living.length > 0;
}
