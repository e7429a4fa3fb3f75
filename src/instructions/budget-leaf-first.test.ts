import fc from 'fast-check';
import { expect, test } from 'vitest';
import { budgetLeafFirst } from './budget-leaf-first.ts';

test('the last text is served first and kept whole; an outer one is cut', () => {
  const items = [
    { heading: '#', text: '0123456789' },
    { heading: '#', text: ' leaf \n' },
  ];
  // 40: leaf 2 + 4, root 4 + 10.
  expect(budgetLeafFirst(items, 40)).toEqual([
    { text: '0123456789', droppedBytes: 0 },
    { text: 'leaf', droppedBytes: 0 },
  ]);
  expect(budgetLeafFirst(items, 15)).toEqual([
    { text: '01234', droppedBytes: 5 },
    { text: 'leaf', droppedBytes: 0 },
  ]);
  expect(budgetLeafFirst(items, 6)).toEqual([
    { text: '', droppedBytes: 10 },
    { text: 'leaf', droppedBytes: 0 },
  ]);
  expect(budgetLeafFirst(items, 0)).toEqual([
    { text: '', droppedBytes: 10 },
    { text: '', droppedBytes: 4 },
  ]);
});

test('a text that fits exactly is kept whole', () => {
  expect(budgetLeafFirst([{ heading: '##', text: 'abc' }], 6)).toEqual([{ text: 'abc', droppedBytes: 0 }]);
  expect(budgetLeafFirst([{ heading: '##', text: 'abc' }], 5)).toEqual([{ text: 'ab', droppedBytes: 1 }]);
});

test('a cut never falls inside a character, and what is sent never exceeds the budget', () => {
  const item = fc.record({
    heading: fc.string({ unit: 'binary', maxLength: 8 }),
    text: fc.string({ unit: 'grapheme' }),
  });
  fc.assert(
    fc.property(fc.array(item), fc.nat(200), (items, budget) => {
      const kept = budgetLeafFirst(items, budget);
      const sent = items
        .flatMap(({ heading }, index) => (kept[index]!.text === '' ? [] : [`${heading}\n${kept[index]!.text}`]))
        .join('\n\n');
      expect(Buffer.byteLength(sent)).toBeLessThanOrEqual(budget);
      for (const [index, { text, droppedBytes }] of kept.entries()) {
        const whole = items[index]!.text.trim();
        expect(whole.startsWith(text)).toBe(true);
        expect(text.isWellFormed()).toBe(true);
        expect(droppedBytes).toBe(Buffer.byteLength(whole) - Buffer.byteLength(text));
      }
    }),
  );
});
