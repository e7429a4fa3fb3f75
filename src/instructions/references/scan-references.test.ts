import { describe, expect, test } from 'vitest';
import { scanReferences, scanSkillReferences, scanSubagentReferences } from './scan-references.ts';

function pathsIn(text: string): string[] {
  return scanReferences(text).map(({ path }) => path);
}

describe('scanReferences', () => {
  test('a reference has its path, the span of the whole token, its line and its column', () => {
    const text = 'See\r\n- @docs/a.md, and @"my notes.md".\n@my\\ file.txt';
    expect(scanReferences(text)).toEqual([
      { path: 'docs/a.md', at: [7, 17], line: 2, column: 3 },
      { path: 'my notes.md', at: [23, 37], line: 2, column: 19 },
      { path: 'my file.txt', at: [39, 52], line: 3, column: 1 },
    ]);
    expect(text.slice(23, 37)).toBe('@"my notes.md"');
  });

  test('it begins a text, or follows a blank, a bracket, a quote or a list marker', () => {
    const text = '@a.md (@b.md) [@c.md](x) "@d.md" \'@e.md\' “@f.md”\n- @g.md\n* @./h.md.\n1. @i/j\n> @k.md\n>@l.md';
    expect(pathsIn(text)).toEqual([
      'a.md',
      'b.md',
      'c.md',
      'd.md',
      'e.md',
      'f.md',
      'g.md',
      './h.md',
      'i/j',
      'k.md',
      'l.md',
    ]);
  });

  test('an address, an escaped @, a word without path or extension, and another kind are none', () => {
    const text =
      'ops@example.test me@a/b.md \\@not/an-import.md @param @overload @ @/ @.. @skill:a/b @s:a.md @model:x/y @a:x.md @https://x/y.md x,@y.md';
    expect(pathsIn(text)).toEqual([]);
  });

  test('what looks like a path is one, whether or not there is such a file', () => {
    expect(pathsIn('install @acme/cli or @2x.png, @~/me.md, @/etc/hosts.txt and @../x.md')).toEqual([
      'acme/cli',
      '2x.png',
      '~/me.md',
      '/etc/hosts.txt',
      '../x.md',
    ]);
  });

  test('punctuation at the end is the sentence’s; brackets in a name are the name’s', () => {
    expect(pathsIn('@a.md, @b.md; @c.md: @d.md! @e.md? @f.md... (@g/[id]/page(1).md) **(@h.md)** (@i.md).')).toEqual([
      'a.md',
      'b.md',
      'c.md',
      'd.md',
      'e.md',
      'f.md',
      'g/[id]/page(1).md',
      'h.md',
      'i.md',
    ]);
  });

  test.each([
    ['fenced code', '```sh\nnpx @a/b.md\n```\n@in.md'],
    ['a tilde fence, a shorter run and another mark in it', '~~~~\n@a.md\n~~~\n```\n@b.md\n~~~~\n@in.md'],
    ['fenced code in a list item, which ends with it', '- x\n\n  ```\n  @a.md\n\n@in.md'],
    ['fenced code in a quote, which ends with it', '> ```\n> @a.md\n@in.md'],
    ['a fence in a list item whose text is not indented', '- ```\n  @a.md\n  ```\n  @in.md'],
    ['indented code', 'x\n\n    @a.md\n\t@b.md\n\n@in.md'],
    ['indented code in a list item', '- x\n\n      @a.md\n\n  @in.md'],
    ['a code span', 'a `@a.md` b ``@b.md ` @c.md`` @in.md'],
    ['a code span of two lines', 'a `b\n@a.md` @in.md'],
    ['a comment, with blank lines and fences in it', 'x <!-- @a.md\n\n```\n@b.md --> @in.md'],
    ['a fence behind a code span that is not closed', '`x\n\n```\n@a.md\n```\n@in.md'],
  ])('not in %s', (_what, text) => {
    expect(pathsIn(text)).toEqual(['in.md']);
  });

  test('code that nothing ends goes on to the end', () => {
    expect(pathsIn('@in.md\n```\n@a.md\n\n@b.md')).toEqual(['in.md']);
    expect(pathsIn('@in.md\n<!-- @a.md\n\n@b.md')).toEqual(['in.md']);
  });

  test('what only looks like code hides nothing', () => {
    expect(pathsIn('a ` b @a.md')).toEqual(['a.md']);
    expect(pathsIn('- one ` two\n- @b.md\n- three ` four')).toEqual(['b.md']);
    expect(pathsIn('text\n    @c.md goes on')).toEqual(['c.md']);
    expect(pathsIn('- a\n    - @d.md\n\n    @e.md')).toEqual(['d.md', 'e.md']);
    expect(pathsIn('a <!-- @f.md')).toEqual(['f.md']);
    expect(pathsIn('``` @g.md ```')).toEqual([]);
    expect(pathsIn('\\`@h.md` and \\` @i.md')).toEqual(['i.md']);
  });

  test('a quote that is not closed, and a path without end, are none', () => {
    expect(pathsIn(`@"a.md\n@"" @${'a/'.repeat(2000)}b.md @c.md`)).toEqual(['c.md']);
  });

  test.each([
    ['openings', '@"x ('],
    ['brackets', '@('],
    ['quotes in tokens', "@'"],
    ['backticks of growing length', '`'],
    ['comments', '<!-- '],
    ['list markers', '- '],
    ['fences', '```\n'],
    ['backslashes', '\\@'],
    ['quote marks', '>'],
  ])('a text of nothing but %s takes time in proportion to its length', (what, unit) => {
    const many = 200_000;
    const growing = Array.from({ length: 600 }, (_, length) => unit.repeat(length)).join(' ');
    const text = `@x.md\n${what.startsWith('backticks') ? growing : unit.repeat(many)}`;
    const start = performance.now();
    expect(pathsIn(text)[0]).toBe('x.md');
    expect(performance.now() - start).toBeLessThan(4000);
  });
});

describe('scanSkillReferences', () => {
  test('a skill is named by either word; colons belong to its name, punctuation does not', () => {
    const text = 'Use @skill:pdf, @s:team:review.\n(@skill:a-b) `@skill:no` \\@s:no x@s:no @skill: @"skill:no"';
    expect(scanSkillReferences(text)).toEqual([
      { name: 'pdf', at: [4, 14], line: 1, column: 5 },
      { name: 'team:review', at: [16, 30], line: 1, column: 17 },
      { name: 'a-b', at: [33, 43], line: 2, column: 2 },
    ]);
  });
});

test('subagents are named as skills are, by a name without colons', () => {
  const text = 'Ask @subagent:researcher, then @a:own.one. Not @skill:x, `@a:code`, a@a:b or @a:.';
  expect(scanSubagentReferences(text)).toEqual([
    { name: 'researcher', at: [4, 24], line: 1, column: 5 },
    { name: 'own.one', at: [31, 41], line: 1, column: 32 },
  ]);
});
