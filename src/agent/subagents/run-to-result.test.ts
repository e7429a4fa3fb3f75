import { expect, test } from 'vitest';
import { PermissionNeeded, TurnError } from '../error.ts';
import type { TurnEnd } from '../run-turn.ts';
import { rig, say } from '../test-rig.ts';
import type { ChildSession } from './child-session.ts';
import { runToResult } from './run-to-result.ts';

function ended(stop: TurnEnd['stop'], error: Error | null = null): TurnEnd {
  return { stop, requests: 3, error, last: null };
}

type Child = { child: ChildSession; asked: string[] };

/** Its turns end as said, one after the other; `gives`: in the turn of that number (1-based) it gives a result. */
async function childOf(
  ends: readonly (TurnEnd | null)[],
  gives = 0,
  whileSettled: TurnEnd | null = null,
): Promise<Child> {
  const { parts } = rig([]);
  await parts.log.begin();
  const asked: string[] = [];
  let turns = 0;
  let last: TurnEnd | null = null;
  const take = async (what: string): Promise<TurnEnd | null> => {
    asked.push(what);
    last = ends[turns] ?? null;
    turns += 1;
    if (turns === gives) parts.log.append({ type: 'agent-result', value: { summary: 'x' } });
    return last;
  };
  const child: ChildSession = {
    parts,
    subscribe: () => () => undefined,
    send: async () => undefined,
    ask: (text) => take(text),
    tell: (reminders) => take(reminders.map(({ reason }) => reason).join()),
    settle: async () => {
      asked.push('settle');
      if (whileSettled !== null) last = whileSettled;
    },
    get last() {
      return last;
    },
    abort: () => undefined,
    close: async () => undefined,
  };
  return { child, asked };
}

const NONE = new AbortController().signal;

async function outcome(made: Promise<Child>, signal = NONE, exitTool: string | null = 'exit_tool') {
  const { child, asked } = await made;
  return { ...(await runToResult(child, 'GO', { exitTool, waitMs: 1, signal })), asked };
}

test('what it gave is its result, whatever else became of it', async () => {
  const given = { state: 'completed', detail: { result: { summary: 'x' } } };
  const failed = ended('error', new TurnError('turn/x', 'no'));
  expect([
    await outcome(childOf([ended('end')], 1)),
    await outcome(childOf([failed], 1)),
    await outcome(childOf([ended('aborted')], 1), AbortSignal.abort('stopped by the user')),
  ]).toEqual([
    { ...given, asked: ['GO'] },
    { ...given, asked: ['GO'] },
    { ...given, asked: ['GO'] },
  ]);
});

test('one that gives nothing waits for what it started, is told twice, and has failed', async () => {
  const end = ended('end');
  expect(await outcome(childOf([end, end, end, end]))).toEqual({
    state: 'failed',
    detail: { reason: 'it ended without giving a result to exit_tool' },
    asked: ['GO', 'settle', 'no-result', 'settle', 'no-result', 'settle'],
  });
  expect(await outcome(childOf([end, end], 2))).toMatchObject({
    state: 'completed',
    asked: ['GO', 'settle', 'no-result'],
  });
});

test('a turn that fails while it waits for what it started is its end', async () => {
  const failed = ended('error', new TurnError('turn/x', 'the model is gone'));
  expect(await outcome(childOf([ended('end')], 0, failed))).toEqual({
    state: 'failed',
    detail: { reason: 'the model is gone' },
    asked: ['GO', 'settle'],
  });
});

test('why it came to no result is told in words', async () => {
  const needed = new PermissionNeeded('permission/needed', 'stopped: shell needs a permission');
  const of = async (end: TurnEnd | null) => {
    const { state, detail, needsPerson } = await outcome(childOf([end]));
    return [state, detail.reason, needsPerson?.code];
  };
  expect([
    await of(null),
    await of(ended('max-turns')),
    await of(ended('aborted')),
    await of(ended('error', new TurnError('turn/x', 'no such model'))),
    await of(ended('permission', needed)),
  ]).toEqual([
    ['failed', 'it could not be started', undefined],
    ['failed', 'stopped after 3 model requests', undefined],
    ['killed', 'its turn ended: aborted', undefined],
    ['failed', 'no such model', undefined],
    ['failed', 'stopped: shell needs a permission', 'permission/needed'],
  ]);
});

test('one that was stopped says by whom: an abort without a word is the user’s', async () => {
  const late = new Error('it took longer than 30 s');
  late.name = 'TimeoutError';
  const of = async (reason?: unknown) => {
    const { state, detail } = await outcome(childOf([ended('aborted')]), AbortSignal.abort(reason));
    return { state, ...detail };
  };
  expect([await of(), await of('the session was closed'), await of(late)]).toEqual([
    { state: 'killed', reason: 'stopped by the user' },
    { state: 'killed', reason: 'the session was closed' },
    { state: 'failed', reason: 'it took longer than 30 s', timedOut: true },
  ]);
});

test('where the harness has no tool for the result it is the last text', async () => {
  const { session } = rig([say('first'), say('THE END')]);
  await session.send({ type: 'prompt', text: 'a' });
  const run = await runToResult(session, 'GO', { exitTool: null, waitMs: 1, signal: NONE });
  expect(run).toEqual({ state: 'completed', detail: { result: 'THE END' } });
});
