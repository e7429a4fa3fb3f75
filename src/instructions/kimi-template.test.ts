// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders of the template under test
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Laid, Piece } from '../model/index.ts';
import { type KimiTemplate, renderKimiTemplate, resolveBlocks } from './kimi-template.ts';
import { checkLaid, lay, layoutText } from './layout.ts';
import { makePiece } from './piece.ts';

function piece(id: string, text: string): Piece {
  return makePiece({
    id,
    kind: 'environment',
    origin: { type: 'session' },
    placement: 'system',
    rule: 'A test.',
    text,
  });
}

function value(name: string, text: string): Laid {
  return text === '' ? [] : lay(piece(name, text), 'every-request');
}

function render(template: string, values: Record<string, string>, fields: Partial<KimiTemplate> = {}): Laid {
  return renderKimiTemplate({
    template,
    blocks: [],
    values: Object.fromEntries(Object.entries(values).map(([name, text]) => [name, value(name, text)])),
    chunk: (text, index) => piece(`template/${index}`, text),
    trigger: 'every-request',
    developer: [],
    ...fields,
  });
}

function text(template: string, values: Record<string, string>, fields: Partial<KimiTemplate> = {}): string {
  return layoutText(render(template, values, fields));
}

describe('resolveBlocks', () => {
  const WINDOWS = '{% if KIMI_OS == "Windows" %}';
  const template = `one\n${WINDOWS}\n\nwin\n\n{% endif %}\n\ntwo`;

  test('a kept block loses the newlines at its ends only', () => {
    expect(resolveBlocks(template, [{ start: WINDOWS, include: true }])).toBe('one\nwin\n\ntwo');
  });

  test('a removed block takes one newline after it along', () => {
    expect(resolveBlocks(template, [{ start: WINDOWS, include: false }])).toBe('one\n\ntwo');
  });

  test('every occurrence is resolved; a start without an end stays', () => {
    const twice = `a${WINDOWS}b{% endif %}c${WINDOWS}d{% endif %}e${WINDOWS}f`;
    expect(resolveBlocks(twice, [{ start: WINDOWS, include: true }])).toBe(`abcde${WINDOWS}f`);
  });

  test('a marker in other spacing is text', () => {
    expect(resolveBlocks('{%if x%}a{% endif %}', [{ start: '{% if x %}', include: false }])).toBe(
      '{%if x%}a{% endif %}',
    );
  });
});

describe('renderKimiTemplate', () => {
  test('values replace every occurrence; unknown names and other dollars stay', () => {
    expect(text('${A}-${B}-${A} $A ${a} ${C} $', { A: '1', B: '' })).toBe('1--1 $A ${a} ${C} $');
  });

  test('what a value holds is never expanded, in either order', () => {
    expect(text('${A} ${B}', { A: '${B} $& $1 $$ $`', B: '${A} {% if x %}' })).toBe('${B} $& $1 $$ $` ${A} {% if x %}');
  });

  test('newlines at the end go, also those of a last value; other white space stays', () => {
    expect(text('a ${A}\n\n', { A: 'b\n' })).toBe('a b');
    expect(text('a \n', {})).toBe('a ');
    expect(text('${A}\n', { A: '\n\n' })).toBe('');
  });

  test('developer texts come last under their heading, trimmed, blank ones left out', () => {
    const developer = [piece('d/1', ' one\n'), piece('d/2', ' \n'), piece('d/3', '${A} two')];
    expect(text('t\n', { A: '1' }, { developer })).toBe('t\n\n# Additional Developer Instructions\n\none\n\n${A} two');
    expect(text('t\n', {}, { developer: [piece('d/1', ' ')] })).toBe('t');
  });

  test('every byte belongs to the template, to a value or to a separator', () => {
    const laid = render('x ${A} y ${B}z', { A: 'é', B: '' });
    expect(
      laid.flatMap((item) => ('piece' in item ? [[item.piece.id, item.piece.text]] : [['', item.separator]])),
    ).toEqual([
      ['template/1', 'x '],
      ['A', 'é'],
      ['template/2', ' y '],
      ['template/3', 'z'],
    ]);
    expect(checkLaid(laid, 'x é y z')).toEqual([]);
  });

  test('the result is the split of the template joined by the values, whatever they hold', () => {
    const anyValue = fc
      .array(fc.constantFrom('${A}', '${B}', '$&', '$$', '{% endif %}', 'x', '\n', 'é'))
      .map((parts) => `${parts.join('')}.`);
    fc.assert(
      fc.property(anyValue, anyValue, (a, b) => {
        const laid = render('1 ${A} 2 ${B} 3 ${A} 4', { A: a, B: b });
        expect(layoutText(laid)).toBe(['1 ', a, ' 2 ', b, ' 3 ', a, ' 4'].join(''));
        expect(checkLaid(laid)).toEqual([]);
      }),
    );
  });
});
