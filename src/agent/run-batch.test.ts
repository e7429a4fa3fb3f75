import { expect, test } from 'vitest';
import type { AnyExecutor, Executor } from '../tools/contract/index.ts';
import { call, rig, say } from './test-rig.ts';

/** Tells when each call begins and ends; a call with a number waits that many turns of the event loop. */
function traced(trace: string[]): AnyExecutor {
  const executor: Executor<{ text: string; wait?: number; path?: string }, string> = {
    name: 'note',
    effect: 'write',
    subjects: ({ path }) => (path === undefined ? [] : [{ type: 'path', path, access: 'write' }]),
    run: async ({ text, wait = 0 }) => {
      trace.push(`+${text}`);
      for (let turn = 0; turn < wait; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      trace.push(`-${text}`);
      return { value: text, observed: [] };
    },
  };
  return executor as AnyExecutor;
}

async function run(
  calls: { text: string; wait?: number; path?: string }[],
): Promise<{ trace: string[]; results: string[] }> {
  const trace: string[] = [];
  const executors = async () => new Map([['note', traced(trace)]]);
  const batch = call(...calls.map((args, index) => ({ id: `c${index}`, name: 'note', args })));
  const { session, parts } = rig([batch, say('Done.')], { parts: { executors } });
  await session.send({ type: 'prompt', text: 'go' });
  const results = parts.log.branch().flatMap((event) => (event.type === 'tool-result' ? [event.call.id] : []));
  return { trace, results };
}

test('calls run side by side and are written in call order', async () => {
  const { trace, results } = await run([{ text: 'slow', wait: 5 }, { text: 'fast' }]);
  expect(trace).toEqual(['+slow', '+fast', '-fast', '-slow']);
  expect(results).toEqual(['c0', 'c1']);
});

test('calls that write to one path run one after the other', async () => {
  const { trace } = await run([
    { text: 'first', wait: 5, path: '/repo/a' },
    { text: 'second', path: '/repo/a' },
    { text: 'elsewhere', path: '/repo/b' },
  ]);
  expect(trace).toEqual(['+first', '+elsewhere', '-elsewhere', '-first', '+second', '-second']);
});
