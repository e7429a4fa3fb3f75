import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runProgram } from '../../conformance/rig/program.ts';
import { crashRun, hostOf, type KillPoint, MARKS, marksOf, resume, sessionFile } from '../rig/crash-run.ts';
import { seeded } from '../rig/seeded.ts';

const POINTS = 500;
/** Runs at once: more would only wait for each other. */
const WORKERS = 2;
/** Every so many points the program itself is run once more, too. */
const THROUGH_PROGRAM = 25;
const SEED = 20_261_130;

const root = realpathSync(mkdtempSync(join(tmpdir(), 'rein-crash-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

type Line = { id?: string; type: string; time?: string; sha256?: string; ref?: string; call?: { id: string } };

/** Lines that stand in the log: what is only streamed has neither a time nor a hash. */
function isLogged(text: string): boolean {
  const line = JSON.parse(text) as Line;
  return line.time !== undefined || line.type === 'blob' || line.type === 'media' || line.type === 'piece';
}

/** What is wrong after the program was killed there; empty: nothing. */
async function faultsAt(number: number, point: KillPoint): Promise<string[]> {
  const name = `p${number}`;
  const { project, lines } = await crashRun(root, name, point);
  const file = sessionFile(root, name);
  const acknowledged = lines.filter(isLogged);
  if (file === null || readFileSync(file).length === 0) {
    return acknowledged.length === 0 ? [] : ['lines were acknowledged and there is no log'];
  }
  const stored = readFileSync(file, 'utf8');
  const logged = new Set(stored.split('\n').slice(0, -1));
  const faults = acknowledged.filter((line) => !logged.has(line)).map((line) => `lost: ${line.slice(0, 100)}`);
  if (!stored.includes('\n')) return faults;

  const id = basename(file, '.jsonl');
  const answer = await resume(root, project, id);
  if (answer !== 'resumed') faults.push(`the resumed session answered: ${answer}`);
  const after = readFileSync(file, 'utf8');
  const kept = stored.slice(0, stored.lastIndexOf('\n') + 1);
  if (!after.startsWith(kept)) faults.push('the log was rewritten');
  const added = after.slice(kept.length).split('\n').slice(0, -1);
  if (added.some((line) => (JSON.parse(line) as Line).type === 'tool-result')) faults.push('a call was run after all');
  if (number % THROUGH_PROGRAM === 0) faults.push(...(await faultsOfProgram(project, id)));

  // What a command that outlived the program did meanwhile counts too.
  const marks = marksOf(project);
  if (new Set(marks).size !== marks.length) faults.push(`a tool ran twice: ${marks.join(' ')}`);
  const done = acknowledged.map((line) => JSON.parse(line) as Line).filter(({ type }) => type === 'tool-result');
  const shells = done.filter((line) => (line as Line & { tool: string }).tool === 'shell').length;
  if (shells > marks.length) faults.push(`${shells} results of commands, and ${marks.length} marks`);
  return faults;
}

async function faultsOfProgram(project: string, id: string): Promise<string[]> {
  const { env } = hostOf(root);
  const args = ['-p', '--resume', id, '--permission-mode', 'yolo', '--model', 'rehearsal/again.json', 'go on'];
  const { code, stdout, stderr } = await runProgram({ args, cwd: project, env: { ...env.all() } });
  return code === 0 && stdout === 'resumed\n' ? [] : [`through the program: ${code} ${stdout} ${stderr}`];
}

test(`whenever it is killed, a session resumes, nothing acknowledged is lost and no tool runs twice (${POINTS} points)`, {
  timeout: 300_000,
}, async () => {
  const whole = await crashRun(root, 'whole', { never: true });
  expect([whole.wasKilled, marksOf(whole.project).sort()]).toEqual([false, ['1', '2', '3', '4', '5']]);
  expect(MARKS).toBe(5);
  const random = seeded(SEED);
  const points = Array.from({ length: POINTS }, (_, number): [number, KillPoint] => [
    number,
    number % 2 === 0
      ? { afterLines: Math.ceil(random() * whole.lines.length) }
      : { afterMs: random() * whole.ms * 1.05 },
  ]);
  const faults: string[] = [];
  const work = async (): Promise<void> => {
    for (let next = points.shift(); next !== undefined; next = points.shift()) {
      const [number, point] = next;
      const found = await faultsAt(number, point).catch((error: unknown) => [String(error)]);
      faults.push(...found.map((fault) => `${number} ${JSON.stringify(point)}: ${fault}`));
      if (found.length === 0) rmSync(join(root, `p${number}`), { recursive: true, force: true, maxRetries: 5 });
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  expect(faults).toEqual([]);
});
