import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFrontMatter } from './front-matter.ts';

const parts = fc.constantFrom(
  ...[
    '---',
    '...',
    'name',
    ': ',
    ':',
    '- ',
    '[',
    ']',
    '{',
    '}',
    ',',
    '"',
    "'",
    '#',
    '&a',
    '*a',
    '!',
    '|',
    '>',
    '%',
    '@',
  ],
  ...[
    '\n',
    '\n',
    '\n',
    '\r\n',
    '\r',
    '  ',
    '\t',
    'x',
    'true',
    '1',
    '? ',
    '\u2028',
    '\u0000',
    '\ufeff',
    '😀',
    '__proto__',
  ],
);
const texts = fc
  .array(parts, { maxLength: 40 })
  .map((all) => all.join(''))
  .map((head) => `---\n${head}\n---\nBody`);

test('any text gives JSON, a body within it, and places within the file, and is never thrown for', async () => {
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const found = await readFrontMatter(text);
      expect(found).not.toBe(null);
      if (found === null) return;
      const { data, lines, faults, bodyStart, read } = found;
      expect(JSON.parse(JSON.stringify(data))).toEqual(data);
      expect(JSON.stringify(data)).not.toContain('\\r');
      expect(bodyStart).toBeLessThanOrEqual(text.length);
      expect(Object.keys(lines)).toEqual(Object.keys(data));
      const count = text.split(/\r\n|\r|\n/).length;
      for (const line of [...Object.values(lines), ...faults.map((fault) => fault.line)]) {
        expect(line).toBeGreaterThanOrEqual(1);
        expect(line).toBeLessThanOrEqual(count);
      }
      expect(read === 'yaml').toBe(faults.length === 0);
      expect(read === 'failed' ? Object.keys(data) : []).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});

test('the ends of lines make no difference', async () => {
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const unix = text.replace(/\r\n?/g, '\n');
      const { bodyStart: _, ...one } = (await readFrontMatter(unix)) ?? { bodyStart: 0 };
      const { bodyStart: __, ...two } = (await readFrontMatter(unix.replaceAll('\n', '\r\n'))) ?? { bodyStart: 0 };
      expect(two).toEqual(one);
    }),
    { numRuns: 500 },
  );
});
