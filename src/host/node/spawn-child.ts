import { type ChildProcess as NodeChild, spawn } from 'node:child_process';
import { type ChildProcess, ProcessError, type ProcessExit, type SpawnSpec } from '../index.ts';
import { systemCode } from './file-facts.ts';
import { OutputPipe } from './output-pipe.ts';
import { readProcEntry } from './proc-table.ts';
import { ProcessFamily } from './process-family.ts';

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
      env: { ...spec.env, ...(spec.mark === undefined ? {} : { [spec.mark.variable]: spec.mark.value }) },
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
  const family = ProcessFamily.of(pid, spec.mark);
  return {
    pid,
    startTime: readProcEntry(pid)?.startTime ?? null,
    output,
    exited,
    killGroup: (signal) => family.kill(signal),
    groupAlive: () => family.isAlive(),
    living: () => family.living().map(({ pid: member, name }) => ({ pid: member, name })),
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
