import { expect, test } from 'vitest';
import type { StreamEvent } from '../../sdk/index.ts';
import { Narration } from './narration.ts';

type Parts = Extract<StreamEvent, { type: 'assistant' }>['parts'];

const base = { parentId: null, time: 't' };

function answer(parts: Parts): StreamEvent {
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  return { type: 'assistant', id: 'a', ...base, request: 'r', parts, stop: 'calls', usage };
}

function result(id: string, text: string, status: 'ok' | 'error' = 'ok'): StreamEvent {
  const call = { assistant: 'a', id };
  return {
    type: 'tool-result',
    id: `r${id}`,
    ...base,
    call,
    tool: 't',
    parts: [{ type: 'text', text }],
    status,
    observed: [],
  };
}

const call = (id: string, name: string, args: object) => ({
  type: 'call' as const,
  id,
  name,
  arguments: JSON.stringify(args),
});

function told(...events: StreamEvent[]): string[] {
  const narration = new Narration();
  return events.flatMap((event) => narration.linesOf(event));
}

test('a step is what the model says, the call with its subject, and what came of it', () => {
  expect(
    told(
      answer([{ type: 'text', text: 'I run\u001b[2J the tests.\n' }, call('1', 'shell', { command: 'node --test' })]),
      result('1', 'TAP\nok 1\n# tests 3\n# pass 1\n# fail 2\n'),
      { type: 'text-delta', text: 'not shown' },
    ),
  ).toEqual(['I run the tests.', '  → shell node --test', '    # tests 3', '    # pass 1', '    # fail 2']);
});

test('of several calls each result names its own', () => {
  expect(
    told(
      answer([call('1', 'read', { path: 'a' }), call('2', 'read', { path: 'b' })]),
      result('1', 'one\ntwo\nthree'),
      result('2', 'no such file', 'error'),
    ),
  ).toEqual([
    '  → read a',
    '  → read b',
    '  ← read a',
    '    3 lines, the first: one',
    '  ← read b',
    '    error: no such file',
  ]);
});
