import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Line, messagesOf, workspace } from '../../conformance/rig.ts';
import type { RehearsalCall, RehearsalFault, RehearsalReply } from '../../src/testing/index.ts';

const REQUESTS = 200;
/** Requests of one turn: the last of them gets an answer without calls. */
const TURN = 50;
const SOON = { 'retry-after': '0.02' };

const often: readonly RehearsalFault[] = [
  { kind: 'split-bytes' },
  { kind: 'status', status: 429, headers: SOON, times: 1 },
  { kind: 'stall', ms: 30, at: 'headers' },
  { kind: 'split-bytes' },
  { kind: 'status', status: 503, headers: SOON, times: 2 },
  { kind: 'stall', ms: 30, at: 'middle' },
  { kind: 'status', status: 529, headers: SOON, times: 1 },
];
/** What is tried again only after a second, or ends the turn. */
const seldom: readonly RehearsalFault[] = [
  { kind: 'reset', times: 1 },
  { kind: 'truncated', times: 1 },
  { kind: 'malformed', times: 1 },
];

function faultAt(step: number): RehearsalFault | undefined {
  if (step % 22 === 13) return seldom[Math.floor(step / 22) % seldom.length];
  return step % 3 === 1 ? often[step % often.length] : undefined;
}

function isLast(step: number): boolean {
  return step % TURN === TURN - 1;
}

/** The step whose edit the file holds before this one. */
function editBefore(step: number): number {
  return isLast(step - 4) ? step - 8 : step - 4;
}

function call(name: string, given: object): RehearsalCall {
  return { name, arguments: JSON.stringify(given) };
}

/** Each step leaves something that would show if it were done twice, or not at all. */
function callsAt(step: number): RehearsalCall[] {
  const note = call('shell', { command: `echo ${step} >> steps.txt` });
  switch (step % 4) {
    case 0:
      return [note];
    case 1:
      return [call('write', { path: `out/${step}.txt`, content: `é ${step}\n` }), note];
    case 2:
      return [call('read', { path: 'state.txt' }), note];
    default:
      return [
        call('edit', { path: 'state.txt', edits: [{ old: `step ${editBefore(step)}\n`, new: `step ${step}\n` }] }),
        note,
      ];
  }
}

function replyAt(step: number): RehearsalReply {
  const fault = faultAt(step);
  return {
    text: `step ${step} \u{1f642}`,
    ...(isLast(step) ? {} : { calls: callsAt(step) }),
    ...(fault === undefined ? {} : { fault }),
  };
}

/** Prompts until the turn comes to its end by itself. */
async function turnToEnd(prompt: (text: string) => Promise<Line>): Promise<number> {
  let failed = 0;
  for (let text = 'go'; (await prompt(text)).stop !== 'end'; text = 'go on') failed += 1;
  return failed;
}

test(`a session of ${REQUESTS} requests under faults of every kind does each thing once and leaves the right files`, async () => {
  const steps = Array.from({ length: REQUESTS }, (_, step) => step);
  const w = await workspace(
    { '.git/': null, 'AGENTS.md': 'RULES', 'state.txt': 'before\nstep -1\nafter\n' },
    { replies: steps.map(replyAt), harness: 'rein' },
  );
  const session = w.stream(['--permission-mode', 'yolo']);
  let failed = 0;
  for (let turn = 0; turn < REQUESTS / TURN; turn += 1) failed += await turnToEnd((text) => session.prompt(text));
  const result = await session.end();

  const done = steps.filter((step) => !isLast(step));
  const edited = done.filter((step) => step % 4 === 3).at(-1);
  expect(readFileSync(w.path('steps.txt'), 'utf8')).toBe(done.map((step) => `${step}\n`).join(''));
  expect(readFileSync(w.path('state.txt'), 'utf8')).toBe(`before\nstep ${edited}\nafter\n`);
  const written = done.filter((step) => step % 4 === 1);
  expect(readdirSync(w.path('out')).sort()).toEqual(written.map((step) => `${step}.txt`).sort());
  for (const step of written) expect(readFileSync(w.path(`out/${step}.txt`), 'utf8')).toBe(`é ${step}\n`);

  expect(result).toMatchObject({ type: 'result', stopReason: 'end', result: `step ${REQUESTS - 1} \u{1f642}` });
  expect(w.server.failures()).toEqual([]);
  const again = steps.reduce((sum, step) => sum + (faultAt(step)?.times ?? 0), 0);
  expect([again > 40, w.requests().length]).toEqual([true, REQUESTS + again]);
  // A malformed stream ends its turn; nothing else does.
  expect(failed).toBe(steps.filter((step) => faultAt(step)?.kind === 'malformed').length);

  const log = w.sessionLines();
  expect(log.filter(({ type }) => type === 'turn-end').length).toBe(REQUESTS / TURN + failed);
  const asked = messagesOf(w.requests().at(-1)).filter(({ content }) => content === 'go' || content === 'go on');
  expect(asked.length).toBe(REQUESTS / TURN + failed);
});
