import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPlainYaml } from './plain-yaml.ts';
import { readYaml } from './yaml-library.ts';

const words = fc.constantFrom(
  ...[
    'name',
    'a',
    'b-c',
    'true',
    'True',
    'null',
    '~',
    'no',
    '12',
    '-3',
    '012',
    '1.5',
    '.5',
    '0x1f',
    '0o7',
    '1e3',
    '.nan',
  ],
  ...['Use when: files', 'a #b', 'a#b', 'http://x', "it's", '"q"', "'s'", '"a" b', '[a, b]', '[]', '[ x , 2, "y"]'],
  ...[
    '[a',
    '{a: 1}',
    '- x',
    '-',
    '--- x',
    '&a',
    '*a',
    '!t',
    '|',
    '>',
    '%d',
    '@x',
    '`x',
    '?',
    '? x',
    ':',
    '3 steps',
    '1_0',
  ],
  ...[
    '(see)',
    '/path',
    '<<',
    '__proto__',
    'constructor',
    '# c',
    'x:',
    'é',
    '…',
    '2026-01-01',
    'y:z',
    '+1',
    '-0',
    'a,b',
  ],
  ...[
    '[true, null]',
    "['a', b]",
    '[a,]',
    '[a b]',
    '[a: b]',
    '[3 a, 4]',
    '-a',
    '9007199254740993',
    '"a\\n"',
    "''",
    '""',
  ],
);
const spaces = fc.constantFrom('', ' ', '  ', '   ', '\t');
const line = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(spaces, words, fc.constantFrom(':', ': ', ':  ', ''), fc.oneof(words, fc.constant(''))),
  },
  fc.tuple(spaces, fc.constantFrom('- ', '-  ', '-', '# '), words, spaces),
  fc.tuple(spaces, spaces, spaces, spaces),
  fc.tuple(
    fc.string({ maxLength: 6 }),
    fc.constantFrom(': ', ':'),
    fc.string({ maxLength: 12, unit: 'binary' }),
    spaces,
  ),
);
const heads = fc.array(line, { maxLength: 7 }).map((lines) => lines.map((parts) => parts.join('')).join('\n'));
const orderly = fc
  .array(
    fc.tuple(
      fc.constantFrom('name', 'description', 'tools', 'x', 'true'),
      fc.oneof(
        words.map((value) => `: ${value}`),
        fc.array(words).map((items) => [':', ...items.map((item) => `  - ${item}`)].join('\n')),
        fc.array(words).map((items) => [':', ...items.map((item) => `- ${item}`)].join('\n')),
        fc.array(fc.tuple(words, words)).map((pairs) => [':', ...pairs.map(([k, v]) => `  ${k}: ${v}`)].join('\n')),
      ),
    ),
    { maxLength: 5 },
  )
  .map((entries) => entries.map(([key, rest]) => key + rest).join('\n'));

test('where the reader of plain heads answers, the answer is the parser’s', () => {
  let answered = 0;
  fc.assert(
    fc.property(fc.oneof(heads, orderly), (head) => {
      if (/[\r\ufeff]/.test(head) || /^(?:---|\.\.\.)[ \t]*$/m.test(head)) return;
      const plain = readPlainYaml(head);
      if (plain === null) return;
      answered += 1;
      expect(JSON.stringify(readYaml(head))).toBe(JSON.stringify({ read: plain, faults: [] }));
    }),
    { numRuns: 5000 },
  );
  expect(answered).toBeGreaterThan(500);
});
