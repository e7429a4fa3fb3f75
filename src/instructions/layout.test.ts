import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Laid } from '../model/index.ts';
import { checkLaid, joinLaid, lay, layBetween, layoutText, spansOf } from './layout.ts';
import { makePiece } from './piece.ts';

function piece(id: string, text: string): ReturnType<typeof makePiece> {
  return makePiece({ id, kind: 'base', origin: { type: 'shipped' }, placement: 'system', rule: 'A test.', text });
}

const anyText = fc.string({ unit: 'binary' });
const anyLaid: fc.Arbitrary<Laid> = fc.array(
  fc.oneof(
    anyText.map((text) => ({ piece: piece('a', text), trigger: 'every-request' as const })),
    anyText.map((separator) => ({ separator })),
  ),
);

describe('layoutText and spansOf', () => {
  test('the spans are the whole text, in bytes, without gap or overlap', () => {
    fc.assert(
      fc.property(anyLaid, (laid) => {
        const bytes = Buffer.from(layoutText(laid));
        const spans = spansOf(laid);
        expect(spans.map(({ start }) => start)).toEqual([0, ...spans.map(({ end }) => end)].slice(0, spans.length));
        expect(spans.at(-1)?.end ?? 0).toBe(bytes.length);
        for (const { start, end, item } of spans) {
          expect(bytes.subarray(start, end).toString()).toBe('piece' in item ? item.piece.text : item.separator);
        }
      }),
    );
  });

  test('a character outside the basic plane counts its four bytes', () => {
    const laid = joinLaid(lay(piece('a', '😀é'), 'every-request'), '→');
    expect(spansOf(laid).map(({ start, end }) => [start, end])).toEqual([
      [0, 6],
      [6, 9],
    ]);
  });
});

describe('joinLaid', () => {
  test('the text stays; no separator is empty and no two are neighbours', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyText, anyLaid)), (parts) => {
        const joined = joinLaid(...parts);
        expect(layoutText(joined)).toBe(
          parts.map((part) => (typeof part === 'string' ? part : layoutText(part))).join(''),
        );
        const kinds = joined
          .map((item) => ('separator' in item ? `s${Math.min(1, item.separator.length)}` : 'p'))
          .join('');
        expect(kinds).not.toMatch(/s0|s1s1/);
      }),
    );
  });

  test('layBetween leaves out what is empty, with its separator', () => {
    const a = lay(piece('a', 'A'), 'every-request');
    const b = lay(piece('b', 'B'), 'every-request');
    expect(layoutText(layBetween('\n\n', [[], a, [], b, []]))).toBe('A\n\nB');
  });
});

describe('checkLaid', () => {
  const good = joinLaid(lay(piece('a', 'A'), 'every-request'), '\n');

  test('a sound layout has no problem', () => {
    expect(checkLaid(good, 'A\n')).toEqual([]);
  });

  test('every kind of damage is named', () => {
    const [item] = good;
    const damaged = item !== undefined && 'piece' in item ? { ...item.piece, text: 'B' } : piece('x', '');
    const fragmented = makePiece({ ...piece('f', 'F'), fragments: [{ at: [0, 2], from: { path: '/x' } }] });
    expect(checkLaid([{ piece: damaged, trigger: 'reload' }, { separator: '' }, { separator: '\ud83d' }], 'A')).toEqual(
      [
        'a: not the text of its hash',
        'an empty separator',
        'a separator with half a character',
        'the layout is not the text',
        '4 bytes laid out of 1',
      ],
    );
    expect(checkLaid(lay(fragmented, 'reload'))).toEqual(['f: a fragment of /x outside the piece']);
  });
});

describe('makePiece', () => {
  test('half a character becomes U+FFFD, so that hash and bytes agree', () => {
    expect(piece('a', 'x\ud83dy')).toEqual(piece('a', 'x\ufffdy'));
  });
});
