import { expect, test } from 'vitest';
import { formatDiagnostic } from './diagnostic.ts';
import { printable } from './printable.ts';

test('a name with line breaks, escapes and direction marks stays on one line and shows what it holds', () => {
  expect(printable('a\nb\u001b[31m\u2028\u202e\ud800')).toBe('a\\u000ab\\u001b[31m\\u2028\\u202e\ufffd');
});

test('a long name keeps its ends, whole characters', () => {
  expect(printable(`${'é'.repeat(10)}${'😀'.repeat(10)}`, 8)).toBe('éééé…😀😀😀😀');
});

test('a diagnostic that quotes a name is one line without direction marks, too', () => {
  expect(formatDiagnostic({ severity: 'error', code: 'a/b', message: '"\u202egnp\n" is no name' })).toBe(
    'error: "\\u202egnp\\u000a" is no name',
  );
});

test('a diagnostic at a path with a line break is still one line', () => {
  expect(formatDiagnostic({ severity: 'info', code: 'a/b', message: 'm', path: '/a\nb', line: 2 })).toBe(
    '/a\\u000ab:2: info: m',
  );
});
