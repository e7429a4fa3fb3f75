import { expect, test } from 'vitest';
import { createMemoryHost } from '../../host/memory/index.ts';
import type { SessionSummary } from '../../sdk/index.ts';
import { sessionTable, size } from './session-table.ts';

const SESSION: SessionSummary = {
  id: '0123456789abcdefghjk',
  path: '/s/x.jsonl',
  cwd: '/home/user/project',
  projectRoot: null,
  program: 'rein/0',
  kind: 'main',
  forkedFrom: null,
  time: '2026-11-30T21:04:05.000+02:00',
  modifiedMs: Date.UTC(2026, 10, 30, 19, 4, 5),
  size: 812,
  title: null,
  firstPrompt: 'Repair the \u001b[31mpricing\ntest, which fails since yesterday, and say why it did',
};

const { clock } = createMemoryHost({});

test('each session is a line: id, local time, size, and the title or how the first prompt begins', () => {
  const second = { ...SESSION, id: 'a', size: 3_400_000, title: 'A title' };
  const third = { ...SESSION, id: 'b', firstPrompt: null };
  expect(sessionTable([SESSION, second, third], { width: 80, all: false, clock })).toBe(
    `0123456789abcdefghjk  2026-11-30 21:04   812 B  Repair the pricing test, which …
a                     2026-11-30 21:04  3.4 MB  A title
b                     2026-11-30 21:04   812 B  (nothing was asked)
`,
  );
});

test('of several directories each line has the end of its own', () => {
  const far = { ...SESSION, cwd: `/srv/${'deep/'.repeat(12)}last`, title: 'T' };
  expect(sessionTable([far], { width: 60, all: true, clock })).toBe(
    '0123456789abcdefghjk  2026-11-30 21:04  812 B  …deep/deep/deep/deep/deep/deep/deep/last  T\n',
  );
});

test('there is nothing to say of none', () => {
  expect(sessionTable([], { width: 60, all: true, clock })).toBe('');
});

test('a size has two digits that count', () => {
  expect([0, 999, 1000, 9_949, 9_951, 999_400, 999_600, 12_345_678, 5e12].map(size)).toEqual([
    '0 B',
    '999 B',
    '1.0 kB',
    '9.9 kB',
    '10 kB',
    '999 kB',
    '1.0 MB',
    '12 MB',
    '5.0 TB',
  ]);
});
