import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAM } from '../../conformance/rig/program.ts';
import { createNodeHost } from '../../src/host/node/index.ts';
import { createAgent, type HostPorts } from '../../src/sdk/index.ts';

/** When a run is killed: after so many lines of stdout, or so many milliseconds after it began to run. */
export type KillPoint = { afterLines: number } | { afterMs: number } | { never: true };

export type CrashRun = {
  project: string;
  /** Lines of stdout that were complete. */
  lines: readonly string[];
  ms: number;
  wasKilled: boolean;
};

const call = (name: string, given: object): object => ({ name, arguments: given });
const mark = (number: number): object => call('shell', { command: `echo ${number} >> marks.txt` });

/** Three rounds of tools, each of which leaves a mark of its own, and an answer. */
export const MARKS = 5;
const SCRIPT = [
  { text: 'one', calls: [mark(1), call('write', { path: 'written.txt', content: 'w\n' })] },
  { calls: [mark(2), mark(3), call('read', { path: 'written.txt' })] },
  { reasoning: 'on', calls: [mark(4), mark(5)] },
  { text: 'all done' },
];

function environment(root: string): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: join(root, 'home'), LANG: 'C.UTF-8', TZ: 'UTC' };
}

/** A project of its own in which the script is played, until the point at which the program is killed. */
export async function crashRun(root: string, name: string, point: KillPoint): Promise<CrashRun> {
  const project = join(root, name);
  mkdirSync(join(project, '.git'), { recursive: true });
  writeFileSync(join(project, 'AGENTS.md'), 'RULES\n');
  writeFileSync(join(project, 'script.json'), JSON.stringify(SCRIPT));
  const args = ['-p', '--output', 'stream-json', '--permission-mode', 'yolo', '--model', 'rehearsal/script.json', 'go'];
  const started = performance.now();
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: project,
    env: environment(root),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const timer = 'afterMs' in point ? setTimeout(() => child.kill('SIGKILL'), point.afterMs) : undefined;
  let output = '';
  let count = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    count += text.split('\n').length - 1;
    if ('afterLines' in point && count >= point.afterLines) child.kill('SIGKILL');
  });
  const signal = await new Promise<NodeJS.Signals | null>((resolve) => {
    child.on('close', (_code, how) => resolve(how));
  });
  clearTimeout(timer);
  const lines = output.split('\n').slice(0, -1);
  return { project, lines, ms: performance.now() - started, wasKilled: signal === 'SIGKILL' };
}

/** The project's only session's file; null where the program did not get as far as making one. */
export function sessionFile(root: string, name: string): string | null {
  const sessions = join(root, 'home/.local/state/rein/sessions');
  const place = existsSync(sessions) ? readdirSync(sessions).find((entry) => entry.startsWith(`${name}-`)) : undefined;
  if (place === undefined) return null;
  const files = readdirSync(join(sessions, place)).filter((entry) => entry.endsWith('.jsonl'));
  if (files.length > 1) throw new RangeError(`${files.length} sessions of ${name}`);
  return files[0] === undefined ? null : join(sessions, place, files[0]);
}

/** The marks that the tools of a run have left. */
export function marksOf(project: string): string[] {
  const file = join(project, 'marks.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}

/** This machine as the run saw it. */
export function hostOf(root: string): HostPorts {
  const host = createNodeHost();
  const env = environment(root);
  return {
    ...host,
    env: { ...host.env, get: (name) => env[name], all: () => env, home: () => env.HOME ?? '', cwd: () => root },
  };
}

/** Takes a session up again in this process and asks one thing more; returns the answer. The model says it once. */
export async function resume(root: string, project: string, id: string): Promise<string> {
  writeFileSync(join(project, 'again.json'), JSON.stringify([{ when: { text: 'go on' }, text: 'resumed' }]));
  const agent = await createAgent(
    { cwd: project, session: { type: 'resume', id }, model: 'rehearsal/again.json', permissionMode: 'yolo' },
    hostOf(root),
  );
  try {
    const { result, error } = await agent.run('go on');
    return error === null ? result : error.message;
  } finally {
    await agent.close();
  }
}
