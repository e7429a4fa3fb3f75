import { expect, test } from 'vitest';
import { MaskedProgress } from './masked-progress.ts';

function shown(chunks: readonly string[], maxHeld?: number): string[] {
  const out: string[] = [];
  const progress = new MaskedProgress(
    (text) => text.replaceAll('secret', '***'),
    (text) => out.push(text),
    maxHeld,
  );
  for (const chunk of chunks) progress.push(chunk);
  progress.flush();
  return out;
}

test('a secret cut in two by a chunk border is masked', () => {
  expect(shown(['a sec', 'ret\nb', 'c'])).toEqual(['a ***\n', 'bc']);
});

test('a line without an end is passed on in pieces', () => {
  expect(shown(['xxxx', 'yyyy', 'z'], 6)).toEqual(['xxxxyyyy', 'z']);
});
