import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FakeStdio } from '../../test/rig/fake-stdio.ts';
import { type InputLine, inputLines } from './input-lines.ts';

async function linesOf(chunks: readonly (string | Uint8Array)[], limit?: number): Promise<InputLine[]> {
  const lines: InputLine[] = [];
  for await (const line of inputLines(new FakeStdio({ input: { chunks } }).input, limit)) lines.push(line);
  return lines;
}

test('lines end with a newline, with or without a carriage return, the last needs none', async () => {
  expect(await linesOf(['a\r\n\n  \nb\nc'])).toEqual([
    { ok: true, text: 'a' },
    { ok: true, text: 'b' },
    { ok: true, text: 'c' },
  ]);
});

test('however the bytes are cut, the lines are the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme' })), fc.array(fc.nat(5)), async (texts, cuts) => {
      const bytes = Buffer.from(texts.join('\n'));
      const chunks: Uint8Array[] = [];
      let at = 0;
      for (let index = 0; at < bytes.length; index += 1) {
        const size = (cuts[index % Math.max(1, cuts.length)] ?? 0) + 1;
        chunks.push(bytes.subarray(at, at + size));
        at += size;
      }
      expect(await linesOf(chunks)).toEqual(await linesOf([bytes]));
    }),
  );
});

test('a line over the limit is reported in its place, those around it are read', async () => {
  expect(await linesOf(['ab\n', '123', '456\n', 'cd\n', '12345\n123456'], 5)).toEqual([
    { ok: true, text: 'ab' },
    { ok: false, code: 'command/too-long', message: 'the line is longer than 5 bytes' },
    { ok: true, text: 'cd' },
    { ok: true, text: '12345' },
    { ok: false, code: 'command/too-long', message: 'the line is longer than 5 bytes' },
  ]);
});

test('a line that is not UTF-8 is reported in its place', async () => {
  expect(await linesOf([new Uint8Array([0xff, 0x0a, 0x61])])).toEqual([
    { ok: false, code: 'command/not-utf-8', message: 'the line is not valid UTF-8' },
    { ok: true, text: 'a' },
  ]);
});
