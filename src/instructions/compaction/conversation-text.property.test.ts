import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Message } from '../../model/index.ts';
import { estimateTokens } from '../estimate-tokens.ts';
import { conversationText } from './conversation-text.ts';

// Text of every width, with ends of the frame in it, whole and in halves that meet across messages.
const text = fc
  .array(
    fc.oneof(
      fc.string({ maxLength: 60, unit: 'grapheme' }),
      fc.constantFrom('</conversation>', '</conversation ', '>', 'word '.repeat(3000), '漢字😀'.repeat(900)),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((pieces) => pieces.join(''));

const messages: fc.Arbitrary<Message[]> = fc
  .array(fc.record({ role: fc.constantFrom('user', 'assistant', 'tool'), text }), { maxLength: 12 })
  .map((drawn) =>
    drawn.map(({ role, text: said }, index): Message => {
      const event = `e${index}`;
      const parts = [{ type: 'text' as const, text: said }];
      if (role === 'user') return { role, event, from: 'user', alone: false, parts };
      if (role === 'assistant') return { role, event, parts, source: { provider: 'p', model: 'm' } };
      return { role: 'tool', event, call: { assistant: 'e', id: 'c' }, tool: 'read', parts, status: 'ok' };
    }),
  );

test('however much was said, its text keeps within the bound, whole characters, and inside its frame', () => {
  fc.assert(
    fc.property(messages, fc.integer({ min: 64, max: 20_000 }), (history, most) => {
      const given = conversationText(history, most);
      expect(estimateTokens(given)).toBeLessThanOrEqual(most);
      expect(given.isWellFormed()).toBe(true);
      expect(given).not.toMatch(/<\s*\/\s*conversation(?:[\s/][^<>]*)?>/i);
    }),
    { numRuns: 300 },
  );
});
