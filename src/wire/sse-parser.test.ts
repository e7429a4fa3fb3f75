import { expect, test } from 'vitest';
import { ModelError } from '../model/index.ts';
import { SseParser } from './sse-parser.ts';

function parse(...texts: string[]): unknown[] {
  const parser = new SseParser();
  return [...texts.flatMap((text) => parser.push(Buffer.from(text, 'utf8'))), ...parser.end()];
}

test('several data lines are joined, comments and other fields are skipped, one blank after the colon is dropped', () => {
  expect(parse(': hi\nid: 1\nretry: 5\nevent: error\ndata:a\ndata:  b\ndata\n\nevent: x\n\ndata: c')).toEqual([
    { event: 'error', data: 'a\n b\n' },
    { event: null, data: 'c' },
  ]);
});

test('a carriage return and its line feed in two chunks are one line end', () => {
  expect(parse('data: a\r', '\ndata: b\r\n\r', '\n')).toEqual([{ event: null, data: 'a\nb' }]);
});

test('a line over the limit is refused', () => {
  const parser = new SseParser();
  const piece = Buffer.alloc(4 * 1024 * 1024, 'a');
  expect(() => {
    for (let round = 0; round < 5; round += 1) parser.push(piece);
  }).toThrow(new ModelError('malformed', 'the server sent one line of more than 16 MiB', { limit: 16 * 1024 * 1024 }));
});

test('a long line in small chunks takes time in proportion to its length', () => {
  const parser = new SseParser();
  const piece = Buffer.from('x'.repeat(64));
  parser.push(Buffer.from('data: '));
  for (let round = 0; round < 20_000; round += 1) parser.push(piece);
  const [event] = parser.end();
  expect(event?.data.length).toBe(64 * 20_000);
});
