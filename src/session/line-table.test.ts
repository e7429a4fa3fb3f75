import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type LineKind, LineTable } from './line-table.ts';

const KINDS: readonly LineKind[] = ['blob', 'media', 'piece', 'event', 'request', 'note'];

const entry = fc.record({
  kind: fc.constantFrom(...KINDS),
  name: fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.string({ unit: 'binary', maxLength: 12 })),
  start: fc.nat({ max: 2 ** 31 - 1 }).map((half) => half * 2 ** 16),
  length: fc.oneof(fc.nat(), fc.constant(2 ** 40 - 1)),
});
type Entry = { kind: LineKind; name: string; start: number; length: number };

function tableOf(entries: readonly Entry[]): LineTable {
  const table = new LineTable();
  for (const { kind, name, start, length } of entries) table.add(kind, name, { start, end: start + length });
  return table;
}

function expected(entries: readonly Entry[], matches: (one: Entry) => boolean): { start: number; end: number }[] {
  return entries
    .filter(matches)
    .map(({ start, length }) => ({ start, end: start + length }))
    .sort((left, right) => left.start - right.start);
}

test('finds every line under its kind and name, and after a round through bytes too', () => {
  fc.assert(
    fc.property(fc.uniqueArray(entry, { maxLength: 200, selector: ({ start }) => start }), (entries) => {
      const table = tableOf(entries);
      const again = LineTable.fromBytes(Uint8Array.from(table.toBytes()));
      for (const one of [table, again]) {
        expect(one?.count).toBe(entries.length);
        for (const { kind, name } of entries) {
          const mine = expected(entries, (other) => other.kind === kind && other.name === name);
          expect(one?.spans([kind], name)).toEqual(mine);
        }
        for (const kind of KINDS) expect(one?.all(kind)).toEqual(expected(entries, (other) => other.kind === kind));
        expect(one?.spans(KINDS, 'no such name in it')).toEqual([]);
      }
    }),
    { numRuns: 60 },
  );
});

test('holds a hundred thousand lines in a few bytes each', () => {
  const table = new LineTable();
  for (let index = 0; index < 100_000; index += 1) {
    table.add('event', `id${index}`, { start: index * 500, end: index * 500 + 499 });
  }
  expect(table.toBytes().length).toBeLessThanOrEqual(100_000 * 55);
  expect(table.spans(['event'], 'id77777')).toEqual([{ start: 77_777 * 500, end: 77_777 * 500 + 499 }]);
});

test('is none where the bytes are not those of one', () => {
  const whole = Uint8Array.from(tableOf([{ kind: 'event', name: 'a', start: 1, length: 1 }]).toBytes());
  const full = new Uint8Array(whole.length).fill(1);
  for (const bytes of [new Uint8Array(), whole.subarray(20), whole.subarray(1), full, new Uint8Array(whole).fill(9)]) {
    expect(LineTable.fromBytes(bytes)).toBeNull();
  }
});
