import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TerminalText } from './terminal-text.ts';

function clean(...pieces: string[]): string {
  const text = new TerminalText();
  return pieces.map((piece) => text.push(piece)).join('') + text.finish();
}

const ESC = '\u001b';

describe('what a terminal would not show', () => {
  test('is gone: colours, links, titles, bells, NULs, character sets, cursor moves', () => {
    const output = [
      `${ESC}[1;31mred${ESC}[0m ${ESC}[38:2::1:2:3mtrue${ESC}[m`,
      `${ESC}]8;;http://x.test/${ESC}\\link${ESC}]8;;\u0007 ${ESC}]0;title\u0007end`,
      `a\u0007b\0c${ESC}(Bd${ESC}=e${ESC}7f`,
      `${ESC}[2J${ESC}[Hhome${ESC}[3A up${ESC}[?25l`,
      `${ESC}P1$r0m${ESC}\\dcs ${ESC}_apc${ESC}\\\u009b31mc1\u009d0;t\u009cx`,
      'line\u2028sep\u0085nel\u007fdel',
    ].join('\n');
    expect(clean(output)).toBe(['red true', 'link end', 'abcdef', 'home up', 'dcs c1x', 'linesepneldel'].join('\n'));
  });

  test('does not swallow the lines after a sequence that was cut', () => {
    expect(clean(`a${ESC}]0;never ended\nb\nc${ESC}[12\nd${ESC}\ne`)).toBe('a\nb\nc\nd\ne');
    expect(clean(`${ESC}]${'x'.repeat(5000)}tail`)).toBe(`${'x'.repeat(5000 - 4097)}tail`);
  });
});

describe('a line that is written again', () => {
  test('is left as the screen has it', () => {
    const progress = Array.from({ length: 101 }, (_, percent) => `\r${percent}% done`).join('');
    expect(clean(`start\n${progress}\nend`)).toBe('start\n100% done\nend');
    expect(clean('loading...\rok\n')).toBe('okading...\n');
    expect(clean(`loading...\r${ESC}[Kok\n`)).toBe('ok\n');
    expect(clean(`loading...\rok${ESC}[K\n`)).toBe('ok\n');
    expect(clean(`loading...${ESC}[2K${ESC}[1Gok\n`)).toBe('ok\n');
    expect(clean(`abc${ESC}[2D-${ESC}[1C!\n`)).toBe('a-c!\n');
    expect(clean(`abcdef\r${ESC}[3C${ESC}[1K\n`)).toBe('   def\n');
    expect(clean('|\b/\b-\b\\\b done\n')).toBe(' done\n');
  });

  test('ends as any line where a carriage return is part of its end', () => {
    expect(clean('a\r\nb\r\n')).toBe('a\nb\n');
    expect(clean('a\r', '\nb')).toBe('a\nb');
  });
});

describe('a line without an end', () => {
  test('is held back until it has one', () => {
    const text = new TerminalText();
    expect([text.push('a\nb'), text.push('c'), text.push('\rB'), text.push('\n'), text.finish()]).toEqual([
      'a\n',
      '',
      '',
      'Bc\n',
      '',
    ]);
  });

  test('is handed on when it is very long, all of it', () => {
    const long = 'x'.repeat(100_000);
    const text = new TerminalText();
    expect(text.push(long).length).toBeGreaterThan(0);
    expect(clean(long)).toBe(long);
    expect(clean(`${ESC}[1m${long}${ESC}[0m`)).toBe(long);
  });

  test('cannot be made to cost much by moves within it', () => {
    const hostile = `${ESC}[99999999C${'ab\r'.repeat(20_000)}${`${ESC}[9999Cx\r`.repeat(2000)}`;
    expect(clean(hostile).length).toBeLessThan(50_000_000);
  });
});

describe('for any output', () => {
  const piece = fc.oneof(
    fc.constantFrom('\n', '\r', '\b', ESC, '[', ']', '\\', '31m', '0;', '\u0007', '\u009b', 'K', '2', 'é', '\u{1f600}'),
    fc.string({ maxLength: 5, unit: 'binary' }),
  );
  const output = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

  test('no control character but newline and tab is left', () => {
    fc.assert(
      fc.property(output, (text) => {
        expect(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/.test(clean(text))).toBe(false);
      }),
    );
  });

  test('it does not matter where the pieces are cut', () => {
    fc.assert(
      fc.property(output, fc.array(fc.nat(200)), (text, cuts) => {
        const places = [...cuts.filter((cut) => cut < text.length), 0, text.length].sort((left, right) => left - right);
        const pieces = places.slice(1).map((end, index) => text.slice(places[index], end));
        expect(clean(...pieces)).toBe(clean(text));
      }),
    );
  });

  test('plain text is left as it is', () => {
    const plain = fc.array(fc.constantFrom('a', ' ', '\t', '\n', 'ü', '\u{1f600}')).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(plain, (text) => {
        expect(clean(text)).toBe(text);
      }),
    );
  });
});
