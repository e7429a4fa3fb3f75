import fc from 'fast-check';
import { expect, test } from 'vitest';
import { neutraliseClosingTags } from './closing-tag.ts';

test('a closing tag loses its force in any spelling, and its line is told', () => {
  const text = 'a\n</tag>\n</ TAG >x\n<tag></other></tagged>\n< /tag>';
  expect(neutraliseClosingTags(text, ['tag', 'body'])).toEqual({
    text: 'a\n&lt;/tag>\n&lt;/ TAG >x\n<tag></other></tagged>\n&lt; /tag>',
    lines: [2, 3, 5],
  });
});

test('a closing tag with more in it than its name loses its force too; a longer name does not', () => {
  const text = '</tag foo="b">\n</tag/>\n</tag\nx>\n</tag-x>\n</tag\n<b>';
  expect(neutraliseClosingTags(text, ['tag'])).toEqual({
    text: '&lt;/tag foo="b">\n&lt;/tag/>\n&lt;/tag\nx>\n</tag-x>\n</tag\n<b>',
    lines: [1, 2, 3],
  });
});

test('an unfinished tag that would be finished by the one after it loses its force with that', () => {
  const text = '</tag x</tag>\n</tag\n</tag </tag>\n</tag <b></tag>';
  expect(neutraliseClosingTags(text, ['tag'])).toEqual({
    text: '&lt;/tag x&lt;/tag>\n&lt;/tag\n&lt;/tag &lt;/tag>\n</tag <b>&lt;/tag>',
    lines: [1, 2, 3, 4],
  });
});

test('unfinished tags are passed over in one pass', () => {
  const text = '</tag '.repeat(50_000);
  expect(neutraliseClosingTags(text, ['tag'])).toEqual({ text, lines: [] });
});

test('afterwards no closing tag is left, whatever the text', () => {
  const bits = fc
    .array(fc.constantFrom('<', '/', '>', ' ', '\n', 'tag', 'TAG', '&lt;', 'x', '</tag', '</tag>'))
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(bits, (text) => {
      const neutral = neutraliseClosingTags(text, ['tag']).text;
      expect(neutral).not.toMatch(/<\s*\/\s*tag(?:[\s/][^<>]*)?>/i);
      expect(neutral.replaceAll('&lt;', '<')).toBe(text.replaceAll('&lt;', '<'));
    }),
  );
});

test('a text full of tags is handled in one pass', () => {
  const text = '</tag>\n'.repeat(10_000);
  expect(neutraliseClosingTags(text, ['tag']).lines.length).toBe(10_000);
});
