import { expect, test } from 'vitest';
import { MaskedText } from './masked-text.ts';

const hideKeys = (text: string): string =>
  text.replaceAll(/-----BEGIN PRIVATE KEY-----[^-]*-----END PRIVATE KEY-----/g, '#');

function masked(pieces: readonly string[]): string[] {
  const text = new MaskedText(hideKeys);
  return [...pieces.map((piece) => text.push(piece)), text.finish()];
}

test('a key block in pieces is held until it is whole', () => {
  expect(
    masked(['a\n', 'b\n-----BEGIN PRIVATE KEY-----\n', 'MIIE\n', '-----END PRIVATE KEY-----\nc\n', 'd\n']),
  ).toEqual(['a\n', 'b\n', '', '#\nc\n', 'd\n', '']);
});

test('what only begins like a key comes in the end', () => {
  expect(masked(['-----BEGIN PRIVATE KEY-----\nx\n'])).toEqual(['', '-----BEGIN PRIVATE KEY-----\nx\n']);
});

test('what only begins like a key is not held for ever', () => {
  const pieces = ['-----BEGIN PRIVATE KEY-----\n', ...Array.from({ length: 40 }, () => 'x'.repeat(1024))];
  const passed = masked(pieces).slice(0, -1).join('');
  expect(passed.length).toBeGreaterThan(32 * 1024);
});
