import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';

export const PROGRAM: string = join(import.meta.dirname, '../../dist/rein.js');

export type Ended = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };

export type Launch = { args: readonly string[]; cwd: string; env: NodeJS.ProcessEnv };

/** What the program writes is bounded by the tests; longer than this it hangs. */
const LIMIT_MS = 30_000;

export function launch({ args, cwd, env }: Launch): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [PROGRAM, ...args], { cwd, env, stdio: 'pipe' });
}

/** Collects both streams to the program's end; one that does not end is killed and said to hang. */
export function untilEnd(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      const seen = `stdout: ${Buffer.concat(out).toString().slice(-500)}\nstderr: ${Buffer.concat(err).toString().slice(-500)}`;
      reject(new Error(`the program did not end within ${LIMIT_MS / 1000} s\n${seen}`));
    }, LIMIT_MS);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() });
    });
  });
}

/** Runs the program to its end; `input` is all of stdin, without it stdin is empty. */
export function runProgram(options: Launch & { input?: string | Uint8Array }): Promise<Ended> {
  const child = launch(options);
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input);
  return untilEnd(child);
}
