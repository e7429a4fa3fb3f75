import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Message } from '../../model/index.ts';
import { cutPoint, saidTokens } from './cut-point.ts';

type Turn = { prompt: string; reminders: number; batches: readonly (readonly string[])[]; answered: boolean };

const text = fc.string({ maxLength: 400 });
const turns: fc.Arbitrary<Turn[]> = fc.array(
  fc.record({
    prompt: text,
    reminders: fc.integer({ min: 0, max: 2 }),
    batches: fc.array(fc.array(text, { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
    answered: fc.boolean(),
  }),
  { maxLength: 6 },
);

function historyOf(all: readonly Turn[]): Message[] {
  const history: Message[] = [];
  const id = (): string => `e${history.length}`;
  for (const { prompt, reminders, batches, answered } of all) {
    const said = { role: 'user', alone: false, parts: [{ type: 'text', text: prompt }] } as const;
    for (let index = 0; index < reminders; index += 1) history.push({ ...said, event: id(), from: 'reminder' });
    history.push({ ...said, event: id(), from: 'user' });
    for (const results of batches) {
      const event = id();
      const parts = results.map((_, index) => ({
        type: 'call' as const,
        id: `c${index}`,
        name: 'read',
        arguments: '{}',
      }));
      history.push({ role: 'assistant', event, parts, source: { provider: 'p', model: 'm' } });
      for (const [index, result] of results.entries()) {
        const call = { assistant: event, id: `c${index}` };
        const kept = [{ type: 'text' as const, text: result }];
        history.push({ role: 'tool', event: id(), call, tool: 'read', parts: kept, status: 'ok' });
      }
    }
    if (answered) history.push({ role: 'assistant', event: id(), parts: [], source: { provider: 'p', model: 'm' } });
  }
  return history;
}

test('a cut splits no call from its result, keeps what waits for an answer, and no more than is allowed beside', () => {
  fc.assert(
    fc.property(turns, fc.integer({ min: 0, max: 600 }), (all, keepTokens) => {
      const history = historyOf(all);
      const cut = cutPoint(history, keepTokens);
      if (cut === null) return;
      const kept = history.slice(cut.at);
      const assistants = new Set(kept.map(({ event }) => event));
      expect(kept.every((message) => message.role !== 'tool' || assistants.has(message.call.assistant))).toBe(true);
      const answeredTo = history.findLastIndex(({ role }) => role !== 'user');
      const waiting = history
        .slice(answeredTo + 1)
        .filter((message) => message.role === 'user' && message.from === 'user');
      expect(waiting.every((message) => kept.includes(message))).toBe(true);
      if (saidTokens(kept) > keepTokens) expect(saidTokens(kept)).toBe(saidTokens(waiting));
      const [first] = kept;
      expect(
        first === undefined || first.role === 'assistant' || (first.role === 'user' && first.from === 'user'),
      ).toBe(true);
      const older = history.slice(0, cut.at);
      expect(older.some((message) => message.role !== 'user' || message.from === 'user')).toBe(true);
    }),
  );
});

test('where everything fits there is nothing to cut', () => {
  const history = historyOf([{ prompt: 'x', reminders: 1, batches: [['y']], answered: true }]);
  expect(cutPoint(history, 100_000)).toBeNull();
  expect(cutPoint([], 0)).toBeNull();
});
