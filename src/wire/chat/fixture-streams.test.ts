import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMemoryHost } from '../../host/memory/index.ts';
import type { ModelEvent } from '../../model/index.ts';
import { ChatDecoder } from './chat-decoder.ts';
import { readAnswer } from './read-answer.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const NAMES = readdirSync(FIXTURES).filter((name) => name.endsWith('.txt'));

async function decode(chunks: readonly Uint8Array[]): Promise<ModelEvent[]> {
  let made = 0;
  const events: ModelEvent[] = [];
  const answer = readAnswer({
    response: { status: 200, headers: { 'content-type': 'text/event-stream' }, body: inOrder(chunks) },
    decoder: new ChatDecoder('http://server/v1/chat/completions', 'provider', () => `call_${made++}`),
    url: 'http://server/v1/chat/completions',
    cut: () => undefined,
    clock: createMemoryHost().clock,
  });
  for await (const event of answer) events.push(event);
  return events;
}

async function* inOrder(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places, bytes.length];
  return ends.map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end));
}

function lines(events: readonly ModelEvent[]): string {
  return `${events.map((event) => JSON.stringify(event)).join('\n')}\n`;
}

describe.each(NAMES)('the stream %s', (name) => {
  const text = readFileSync(join(FIXTURES, name), 'utf8');
  const bytes = Buffer.from(text, 'utf8');

  test('decodes to its golden events', async () => {
    const golden = join(FIXTURES, name.replace(/\.txt$/, '.events.jsonl'));
    await expect(lines(await decode([bytes]))).toMatchFileSnapshot(golden);
  });

  test('decodes to the same events wherever it is cut in two', async () => {
    const whole = lines(await decode([bytes]));
    const differing: number[] = [];
    for (let place = 1; place < bytes.length; place += 1) {
      if (lines(await decode(cutAt(bytes, [place]))) !== whole) differing.push(place);
    }
    expect(differing).toEqual([]);
  });

  test('decodes to the same events byte by byte, with any line ends, a byte order mark and no last blank line', async () => {
    const whole = lines(await decode([bytes]));
    const variants = [
      text,
      text.replaceAll('\n', '\r\n'),
      text.replaceAll('\n', '\r'),
      `\ufeff${text}`,
      text.replaceAll('data: ', 'data:'),
      text.replace(/\n+$/, ''),
    ];
    for (const variant of variants) {
      const single = Array.from(Buffer.from(variant, 'utf8'), (byte) => Uint8Array.of(byte));
      expect(lines(await decode(single))).toBe(whole);
    }
  });

  test('decodes to the same events in any chunks', async () => {
    const whole = lines(await decode([bytes]));
    const places = fc.array(fc.nat({ max: bytes.length }), { maxLength: 12 }).map((list) => list.sort((a, b) => a - b));
    await fc.assert(
      fc.asyncProperty(places, async (list) => lines(await decode(cutAt(bytes, list))) === whole),
      { numRuns: 40 },
    );
  });
});
