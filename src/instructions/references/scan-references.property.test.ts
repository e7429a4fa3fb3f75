import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanReferences, scanSkillReferences } from './scan-references.ts';

const UNITS = [
  '@',
  '@a.md',
  '@"b c.md"',
  '@skill:x:y',
  '\\',
  '`',
  '```',
  '~~~',
  '<!--',
  '-->',
  '- ',
  '1. ',
  '> ',
  '    ',
  '\t',
  ' ',
  '\n',
  '\r\n',
  '\r',
  'x',
  '(',
  ')',
  '.',
  '"',
  '🦀',
  '\ud800',
];

const anyText = fc.oneof(
  fc.array(fc.constantFrom(...UNITS), { maxLength: 60 }).map((units) => units.join('')),
  fc.string({ unit: 'binary', maxLength: 200 }),
);

/** Line and column of an offset, counted anew. */
function placeOf(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at).split(/\r\n|\n|\r/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

test('in any text, spans lie in it in order, begin with an @ on the line told, and read alone are the same reference', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      let end = 0;
      for (const reference of [...scanReferences(text)]) {
        const [from, to] = reference.at;
        expect(from).toBeGreaterThanOrEqual(end);
        expect(to).toBeLessThanOrEqual(text.length);
        end = to;
        const { line, column, path } = reference;
        expect({ line, column }).toEqual(placeOf(text, from));
        const token = text.slice(from, to);
        expect(token).toMatch(/^@[^\r\n]+$/s);
        expect(scanReferences(token)).toEqual([{ path, at: [0, token.length], line: 1, column: 1 }]);
      }
      for (const { name, at } of scanSkillReferences(text)) {
        expect(text.slice(...at)).toMatch(/^@(?:skill|s):/);
        expect(text.slice(...at).endsWith(name)).toBe(true);
      }
    }),
    { numRuns: 2000 },
  );
});

test('text in fenced code, whatever it is, holds no reference', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const inside = text.replace(/[`~]/g, '');
      expect(scanReferences(`\`\`\`\n${inside}\n\`\`\`\n`)).toEqual([]);
    }),
  );
});
