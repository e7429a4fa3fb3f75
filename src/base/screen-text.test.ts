import fc from 'fast-check';
import { expect, test } from 'vitest';
import { screenLine, screenText } from './screen-text.ts';

test('escape sequences go whole, text between them stays', () => {
  expect(screenText('\u001b[31mred\u001b[0m \u001b]0;title\u0007a\u001b]8;;http://x\u001b\\b\u001b(Bc\u009b2Jd')).toBe(
    'red abcd',
  );
});

test('an escape sequence without its end loses its introducer only', () => {
  expect(screenText('\u001b]0;title and more')).toBe('0;title and more');
});

test('carriage returns go, newlines and tabs stay', () => {
  expect(screenText('a\r\n\tb\rc')).toBe('a\n\tbc');
});

test('no control character but newline and tab is ever left', () => {
  const unit = fc.oneof(
    fc.constantFrom('\u001b', '[', ']', '\u0007', '\u009d', '\u009c', '\\', 'm', '\n'),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(unit), (units) => {
      expect(screenText(units.join(''))).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    }),
  );
});

test('a hostile text of a megabyte is filtered in one pass', () => {
  const started = performance.now();
  screenText('\u009d'.repeat(500_000) + '\u001b]'.repeat(250_000));
  expect(performance.now() - started).toBeLessThan(2_000);
});

test('a line keeps whole characters and marks what it cut', () => {
  expect(screenLine('a\n b\t\u001b[1mc', 10)).toBe('a b c');
  expect(screenLine('😀😀😀😀', 3)).toBe('😀😀…');
});
