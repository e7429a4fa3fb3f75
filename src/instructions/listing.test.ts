import { expect, test } from 'vitest';
import type { ListedEntry } from '../model/index.ts';
import { renderListing } from './listing.ts';

function files(count: number): ListedEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `f${String(index).padStart(2, '0')}`,
    directory: false,
  }));
}

test('directories come first, then names by code point; a directory without entries is shown', () => {
  const entries: ListedEntry[] = [
    { name: 'b.txt', directory: false },
    { name: 'B.txt', directory: false },
    { name: '\u{1f600}', directory: false },
    { name: '\uffee', directory: false },
    { name: 'emptydir', directory: true },
    {
      name: 'adir',
      directory: true,
      children: {
        entries: [
          { name: 'x', directory: false },
          { name: 'sub', directory: true },
        ],
      },
    },
  ];
  expect(renderListing({ entries })).toBe(
    [
      '├── adir/',
      '│   ├── sub/',
      '│   └── x',
      '├── emptydir/',
      '├── B.txt',
      '├── b.txt',
      '├── \uffee',
      '└── \u{1f600}',
    ].join('\n'),
  );
});

test('80 files are 30 lines and the count of the rest', () => {
  const lines = renderListing({ entries: files(80) }).split('\n');
  expect([lines.length, lines[29], lines[30]]).toEqual([31, '├── f29', '└── ... and 50 more entries']);
});

test('a directory of 15 files shows 10 and the count of the rest, under the last connector', () => {
  const lines = renderListing({ entries: [{ name: 'd', directory: true, children: { entries: files(15) } }] }).split(
    '\n',
  );
  expect([lines.length, lines[0], lines[1], lines[11]]).toEqual([
    12,
    '└── d/',
    '    ├── f00',
    '    └── ... and 5 more',
  ]);
});

test('entries that were counted but not read are in the count', () => {
  expect(renderListing({ entries: files(1), total: 4 })).toBe('├── f00\n└── ... and 3 more entries');
});

test('nothing is an empty directory', () => {
  expect(renderListing({ entries: [] })).toBe('(empty directory)');
});

test('a name with a newline stays on its line', () => {
  expect(renderListing({ entries: [{ name: 'a\n└── b', directory: false }] })).toBe('└── a\\u{a}└── b');
});

test('a directory that cannot be read says so, and a root that cannot is empty', () => {
  const entries: ListedEntry[] = [{ name: 'closed', directory: true, children: 'unreadable' }];
  expect([renderListing({ entries }), renderListing(null)]).toEqual([
    '└── closed/\n    └── [not readable]',
    '(empty directory)',
  ]);
});
