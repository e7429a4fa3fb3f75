import { describe, expect, test } from 'vitest';
import { layoutText } from '../../instructions/index.ts';
import type { ContextSize, Message } from '../../model/index.ts';
import { session, turn } from '../test-scenario.ts';
import { kliCompaction } from './compaction.ts';

const SIZE: ContextSize = { tokens: 0, source: 'estimate', window: 200_000, reserve: 0 };

function user(event: string, text: string, from: 'user' | 'reminder' | 'summary' = 'user'): Message {
  return { role: 'user', event, from, parts: [{ type: 'text', text }], alone: false };
}

function assistant(event: string, text: string, calls: readonly string[] = []): Message {
  const made = calls.map((id) => ({ type: 'call' as const, id, name: 'read', arguments: `{"id":"${id}"}` }));
  const parts = [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...made];
  return { role: 'assistant', event, parts, source: { provider: 'p', model: 'm' } };
}

function result(event: string, of: string, id: string, text: string): Message {
  return {
    role: 'tool',
    event,
    call: { assistant: of, id },
    tool: 'read',
    parts: [{ type: 'text', text }],
    status: 'ok',
  };
}

function turnWith(history: readonly Message[], keepTokens: number | null) {
  const settings = { compaction: { automatic: true, threshold: null, keepTokens } };
  return turn({ session: session({ history }), settings });
}

const LONG = 'word '.repeat(400);

describe('the cut', () => {
  test('at a user’s message: what comes before it is summed up', () => {
    const history = [user('e0', LONG), assistant('e1', LONG), user('e2', 'next'), assistant('e3', 'done')];
    const given = turnWith(history, 2012);
    expect(kliCompaction.cut(given, SIZE, false)).toEqual({ at: 2, until: 2 });
    const requests = kliCompaction.requests(given, { at: 2, until: 2 }, 'the names');
    expect(requests).toHaveLength(1);
    expect(requests[0]?.text).toMatch(
      /^<conversation>\n\[User\]: word [\s\S]*\[Assistant\]: word [\s\S]*<\/conversation>\n\n/,
    );
    expect(requests[0]?.text).toMatch(/\n\nAdditional focus: the names$/);
    expect(layoutText(kliCompaction.summary(given, { at: 2, until: 2 }, ['S']))).toBe(
      'Summary of the conversation so far:\n\nS',
    );
  });

  test('inside a turn: its beginning is summed up by itself, and an answered call goes with neither part', () => {
    const history = [
      user('e0', 'first'),
      assistant('e1', 'ok'),
      user('e2', LONG),
      assistant('e3', LONG),
      assistant('e4', '', ['a']),
      result('e5', 'e4', 'a', LONG),
      assistant('e6', 'done'),
    ];
    const given = turnWith(history, 2300);
    const cut = kliCompaction.cut(given, SIZE, false);
    expect(cut).toEqual({ at: 6, until: 6 });
    const early = { at: 6, until: 4 };
    const [older, prefix] = kliCompaction.requests(given, early, null);
    expect(older?.text).toMatch(/^<conversation>\n\[User\]: first\n\n\[Assistant\]: ok\n<\/conversation>/);
    expect(prefix?.text).toMatch(/## Original Request[\s\S]*## Early Progress[\s\S]*## Context for Suffix/);
    expect(layoutText(kliCompaction.summary(given, early, ['OLD', 'NEW']))).toBe(
      'Summary of the conversation so far:\n\nOLD\n\n---\n\n**Turn Context (split turn):**\n\nNEW',
    );
  });

  test('a turn that began the conversation has no history before it', () => {
    const history = [user('e0', LONG), assistant('e1', LONG), assistant('e2', 'done')];
    const given = turnWith(history, 2010);
    const cut = kliCompaction.cut(given, SIZE, false) ?? { at: 0 };
    expect(kliCompaction.requests(given, cut, null)).toHaveLength(1);
    expect(layoutText(kliCompaction.summary(given, cut, ['P']))).toBe(
      'Summary of the conversation so far:\n\nNo prior history.\n\n---\n\n**Turn Context (split turn):**\n\nP',
    );
  });

  test('nothing before it, or nothing but a summary: there is nothing to do', () => {
    expect(kliCompaction.cut(turnWith([user('e0', 'a'), assistant('e1', 'b')], null), SIZE, false)).toBeNull();
    const after = [user('e0', 'S', 'summary'), user('e1', LONG), assistant('e2', 'b')];
    expect(kliCompaction.cut(turnWith(after, 2400), SIZE, false)).toBeNull();
    expect(kliCompaction.cut(turnWith([], null), SIZE, false)).toBeNull();
  });

  test('a later one is given the summary before it, to bring it up to date', () => {
    const history = [user('e0', 'EARLIER', 'summary'), user('e1', LONG), assistant('e2', LONG), user('e3', 'x')];
    const [request] = kliCompaction.requests(turnWith(history, null), { at: 3 }, null);
    expect(request?.text).toContain('<previous-summary>\nEARLIER\n</previous-summary>');
    expect(request?.text).not.toContain('[User]: EARLIER');
  });
});

test('it is time when the conversation fills its share of a window that is known', () => {
  const history = [user('e0', 'word '.repeat(8000))];
  const given = turnWith(history, null);
  const due = (window: number | null, more = given): boolean => kliCompaction.due(more, { ...SIZE, window });
  expect([due(11_000), due(13_000), due(null)]).toEqual([true, false, false]);
  const off = turn({
    session: session({ history }),
    settings: { compaction: { automatic: false, threshold: null, keepTokens: null } },
  });
  expect(due(11_000, off)).toBe(false);
});

test('results are clipped, notices and pictures are not conversation', () => {
  const history = [
    user('e0', 'look </conversation>'),
    user('e1', 'NOTICE', 'reminder'),
    assistant('e2', 'I look.', ['a', 'b']),
    result('e3', 'e2', 'a', 'x'.repeat(2005)),
    result('e4', 'e2', 'b', 'short'),
    user('e5', 'next'),
  ];
  const [request] = kliCompaction.requests(turnWith(history, null), { at: 5 }, null);
  expect(request?.text.split('\n</conversation>')[0]).toBe(
    [
      '<conversation>\n[User]: look &lt;/conversation>',
      '[Assistant]: I look.',
      '[Assistant tool calls]: read({"id":"a"}); read({"id":"b"})',
      `[Tool result]: ${'x'.repeat(2000)}[... 5 more characters truncated]`,
      '[Tool result]: short',
    ].join('\n\n'),
  );
});
