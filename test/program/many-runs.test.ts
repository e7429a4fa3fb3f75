import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { StreamSession } from '../../conformance/rig/stream-session.ts';
import type { Workspace } from '../../conformance/rig.ts';
import {
  ARGS,
  FILES,
  filesOf,
  goOn,
  type Job,
  jobs,
  linesOf,
  manyRuns,
  processesOf,
  type Stored,
} from '../rig/many-runs.ts';
import { seeded } from '../rig/seeded.ts';

/** So often is a run killed. `REIN_KILLS=100` for the whole of it. */
const KILLS = Number(process.env.REIN_KILLS ?? 6);
const SEED = 20_261_201;

function ended(line: Record<string, unknown>, id?: string): boolean {
  const isEnd = ['completed', 'failed', 'killed', 'lost'].includes(String(line.state));
  return line.type === 'task' && line.subagent === undefined && isEnd && (id === undefined || line.task === id);
}

/** How often the model was told of each task's end, by id. */
function tellings(lines: readonly Stored[]): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (id: string): void => void counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const line of lines) {
    if (line.type === 'task-told') for (const id of line.tasks as string[]) count(id);
    const [, id] = /^task\/(.+)$/.exec(String(line.key ?? '')) ?? [];
    if (line.type === 'reminder' && id !== undefined) count(id);
  }
  return counts;
}

async function begun(w: Workspace): Promise<{ s: StreamSession; byName: (name: string) => Job }> {
  const s = w.stream(ARGS);
  s.send({ type: 'prompt', text: 'BEGIN' });
  await s.until(({ type, subagent }) => type === 'turn-end' && subagent === undefined);
  const all = await jobs(s);
  const byName = (name: string): Job => {
    const found = all.find(({ description }) => description === name);
    if (found === undefined) throw new RangeError(`no job ${name}: ${all.map((job) => job.description).join(', ')}`);
    return found;
  };
  return { s, byName };
}

const rootFile = (w: Workspace): string => {
  const file = w.sessionFiles().find((each) => linesOf(each)[0]?.kind === 'main');
  if (file === undefined) throw new RangeError('no session of a person');
  return file;
};

test('twelve agents on three levels and eight commands: every end is told once, and nothing is left', {
  timeout: 60_000,
}, async () => {
  const { w, replies } = await manyRuns();
  const { s, byName } = await begun(w);
  await s.carryOut({ type: 'steer', to: byName('slow-steered').id, text: 'HURRY' });
  await s.carryOut({ type: 'stop', id: byName('slow-stopped').id });
  for (;;) {
    const running = (await jobs(s)).filter(({ state }) => state === 'running' || state === 'starting');
    if (running.length === 0) break;
    await sleep(50);
  }
  const lead = byName('lead-1');
  replies.push(...goOn(lead.id));
  s.send({ type: 'prompt', text: 'GO ON WITH IT' });
  await s.until((line) => line.type === 'tool-result' && JSON.stringify(line.parts).includes('more done'));
  await s.until(({ type, subagent }) => type === 'turn-end' && subagent === undefined);
  const resumed = (await jobs(s)).find(({ description }) => description === 'ONCE MORE');
  expect(resumed?.detail.result).toEqual({ summary: 'more done' });
  // In the conversation that the first run had.
  const asked = w.requests().findLast(({ agent }) => agent === 'lead');
  expect(['lead-1', 'lead-1 done', 'ONCE MORE'].filter((text) => asked?.body.includes(text))).toHaveLength(3);
  const states = new Map((await jobs(s)).map(({ description, state }) => [description, state]));
  expect(Object.fromEntries(states)).toEqual({
    'lead-1': 'completed',
    'lead-2': 'completed',
    'ONCE MORE': 'completed',
    'slow-steered': 'completed',
    'slow-stopped': 'killed',
    ...Object.fromEntries(
      Array.from({ length: 8 }, (_, number) => [`command ${number}`, number % 3 === 0 ? 'completed' : 'failed']),
    ),
  });
  await s.end();
  expect(filesOf(w)).toEqual(FILES);
  const lines = linesOf(rootFile(w));
  const ids = [...new Set(lines.filter(({ type }) => type === 'task').map(({ task }) => String(task)))];
  expect(ids).toHaveLength(13);
  expect(Object.fromEntries(tellings(lines))).toEqual(Object.fromEntries(ids.map((id) => [id, 1])));
  expect(processesOf(w)).toEqual([]);
  await everyRequestIsRebuilt(w);
});

/** What each agent was sent, from its own log. */
async function everyRequestIsRebuilt(w: Workspace): Promise<void> {
  const sent = w.requests().filter(({ refused }) => refused === null);
  const rebuilt: string[] = [];
  for (const file of w.sessionFiles()) {
    const lines = linesOf(file);
    const id = String(lines[0]?.id);
    const count = lines.filter(({ type }) => type === 'request').length;
    for (let number = 1; number <= count; number += 1) {
      const { stdout } = await w.run(['context', '--session', id, '--request', String(number), '--body']);
      rebuilt.push(stdout.replace(/\n$/, ''));
    }
  }
  expect(new Set(rebuilt)).toEqual(new Set(sent.map(({ body }) => body)));
}

/** What is wrong after the program was killed so many milliseconds after its first job began. */
async function faultsAfterKill(delayMs: number): Promise<string[]> {
  const { w } = await manyRuns();
  const s = w.stream(ARGS);
  s.send({ type: 'prompt', text: 'BEGIN' });
  await s.until(({ type }) => type === 'task');
  await sleep(delayMs);
  s.kill();
  await s.ended.catch(() => undefined);
  const finished = s.lines.filter((line) => ended(line)).map(({ task, state }) => `${task} ${state}`);
  await w.print(['--continue', ...ARGS, 'REPORT']);
  const lines = linesOf(rootFile(w));
  const ends = new Set(lines.filter((line) => ended(line)).map(({ task, state }) => `${task} ${state}`));
  const known = new Set(lines.filter(({ type }) => type === 'task').map(({ task }) => String(task)));
  const told = tellings(lines);
  return [
    ...finished.filter((each) => !ends.has(each)).map((each) => `lost: ${each}`),
    ...[...known].filter((id) => ![...ends].some((each) => each.startsWith(`${id} `))).map((id) => `no end: ${id}`),
    ...[...known].filter((id) => told.get(id) !== 1).map((id) => `told ${told.get(id) ?? 0} times: ${id}`),
    ...processesOf(w).map((each) => `left: ${each}`),
  ];
}

test(`killed at ${KILLS} random points it loses no result, and leaves no process after its next start`, {
  timeout: 60_000 + KILLS * 15_000,
}, async () => {
  const random = seeded(SEED);
  const faults: string[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const delay = Math.round(random() * 2500);
    faults.push(...(await faultsAfterKill(delay)).map((fault) => `after ${delay} ms: ${fault}`));
  }
  expect(faults).toEqual([]);
});
