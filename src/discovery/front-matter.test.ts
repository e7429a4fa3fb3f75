import { describe, expect, test } from 'vitest';
import { readFrontMatter } from './front-matter.ts';

const lines = (...text: string[]): string => text.join('\n');

describe('front matter', () => {
  test('is what stands between the marks, and the body begins after them', async () => {
    const text = lines('---', 'name: deploy', '# a remark', 'tools: [read, "write"]', 'steps: 3', '---', 'Body');
    expect(await readFrontMatter(text)).toEqual({
      read: 'yaml',
      data: { name: 'deploy', tools: ['read', 'write'], steps: 3 },
      bodyStart: text.indexOf('Body'),
      bodyLine: 7,
      lines: { name: 2, tools: 4, steps: 5 },
      faults: [],
    });
  });

  test.each([
    ['no mark', 'name: x'],
    ['a blank line before it', '\n---\nname: x\n---\n'],
    ['more on the mark’s line', '--- name\n---\n'],
    ['four dashes', '----\nname: x\n---\n'],
    ['nothing', ''],
  ])('is not there: %s', async (_name, text) => {
    expect(await readFrontMatter(text)).toBe(null);
  });

  test('may be empty, hold a remark only, and end in dots', async () => {
    const empty = { read: 'yaml', data: {}, lines: {}, faults: [] };
    expect([await readFrontMatter('---\n---\nB'), await readFrontMatter('---  \n# x\n...\nB')]).toEqual([
      { ...empty, bodyStart: 8, bodyLine: 3 },
      { ...empty, bodyStart: 14, bodyLine: 4 },
    ]);
  });

  test('reads the same whatever ends its lines and whether or not a byte order mark is before it', async () => {
    const text = lines('---', 'name: "a"', 'description: |', '  one', '  two', 'tags:', '  - x', '---', 'Body');
    const variants = [
      text,
      text.replaceAll('\n', '\r\n'),
      text.replace('\n', '\r\n').replace('two\n', 'two\r\n'),
      `\ufeff${text}`,
    ];
    const read = await Promise.all(
      variants.map(async (variant) => {
        const found = await readFrontMatter(variant);
        return { ...found, bodyStart: variant.slice(found?.bodyStart) };
      }),
    );
    expect(read).toEqual(
      variants.map(() => ({
        read: 'yaml',
        data: { name: 'a', description: 'one\ntwo\n', tags: ['x'] },
        bodyStart: 'Body',
        bodyLine: 9,
        lines: { name: 2, description: 3, tags: 6 },
        faults: [],
      })),
    );
  });

  test('may be nested, and holds nothing but JSON', async () => {
    const text = lines(
      '---',
      'polytoken:',
      '  tags: [a, b]',
      'when: 2026-01-01',
      'numbers: [.nan, -.inf, 1e400, 12345678901234567890, -0, 1.5, 0x10]',
      'bytes: !!binary aGk=',
      'own: !thing x',
      'set: !!set {a, b}',
      'at: !!timestamp 2026-01-01',
      'again: &a {k: [1]}',
      'same: *a',
      '1: one',
      '---',
    );
    expect((await readFrontMatter(text))?.data).toEqual({
      polytoken: { tags: ['a', 'b'] },
      when: '2026-01-01',
      numbers: ['.nan', '-.inf', '1e400', '12345678901234567890', 0, 1.5, 16],
      bytes: 'aGk=',
      own: 'x',
      set: { a: null, b: null },
      at: '2026-01-01',
      again: { k: [1] },
      same: { k: [1] },
      1: 'one',
    });
  });

  test('has a key __proto__ like any other', async () => {
    const found = await readFrontMatter('---\n__proto__:\n  x: 1\nd: {__proto__: {y: 1}}\n---\n');
    expect(JSON.stringify(found?.data)).toBe('{"__proto__":{"x":1},"d":{"__proto__":{"y":1}}}');
    expect(Object.getPrototypeOf(found?.data)).toBe(Object.prototype);
  });
});

describe('front matter that is no YAML', () => {
  test('is read line by line: a colon in a text', async () => {
    const text = lines('---', 'name: colon', 'description: Use when: files change. Triggers: a, b', '---', 'Body');
    expect(await readFrontMatter(text)).toEqual({
      read: 'line-wise',
      data: { name: 'colon', description: 'Use when: files change. Triggers: a, b' },
      bodyStart: text.indexOf('Body'),
      bodyLine: 5,
      lines: { name: 2, description: 3 },
      faults: [
        { message: 'Nested mappings are not allowed in compact mappings', line: 3, column: 14 },
        { message: 'Nested mappings are not allowed in compact mappings', line: 3, column: 24 },
      ],
    });
  });

  test('is read line by line: a text that begins like a list', async () => {
    const text = lines('---', 'name: x', 'argument-hint: [target] then "mode"', "description: 'd'", '---');
    const found = await readFrontMatter(text.replaceAll('\n', '\r\n'));
    expect([found?.read, found?.data, found?.faults]).toEqual([
      'line-wise',
      { name: 'x', 'argument-hint': '[target] then "mode"', description: 'd' },
      [{ message: 'Unexpected scalar at node end', line: 3, column: 25 }],
    ]);
  });

  test('keeps what is plain, the first of two keys and the text of a block, and leaves nested lines out', async () => {
    const text = lines(
      '---',
      'broken: a: b',
      'manual: true',
      'tools: [read, write]',
      'tools: again',
      'description: >',
      '  one',
      '  two',
      'nested:',
      '  inner: x',
      'half: "open',
      'no key: here',
      '---',
    );
    const found = await readFrontMatter(text);
    expect([found?.read, found?.data, found?.lines]).toEqual([
      'line-wise',
      {
        broken: 'a: b',
        manual: true,
        tools: ['read', 'write'],
        description: 'one two',
        nested: null,
        half: '"open',
      },
      { broken: 2, manual: 3, tools: 4, description: 6, nested: 9, half: 11 },
    ]);
  });

  test('tells where a key stands twice', async () => {
    const found = await readFrontMatter('---\nname: x\nmore: {a: 1, a: 2}\nname: y\n---\n');
    expect([found?.read, found?.data.name, found?.faults]).toEqual([
      'line-wise',
      'x',
      [
        { message: 'the key "name" stands twice', line: 4, column: 1 },
        { message: 'the key "a" stands twice', line: 3, column: 14 },
      ],
    ]);
  });

  test.each([
    ['it has no end', '---\nname: x\n', 'the front matter has no end: a line --- is missing', 1],
    ['it is a text', '---\nhello\n---\nB', 'it is not a mapping of keys to values', 2],
    ['it is a list', '---\n- a: b\n---\nB', 'it is not a mapping of keys to values', 2],
    ['it is nested too deep', `---\n${'- '.repeat(20_000)}\n---\n`, 'it is nested too deep', 2],
    ['its keys are nested in one line', `---\n"a": ${': '.repeat(2_000)}\n---\n`, 'it is nested too deep', 2],
    ['its keys are nested in a list', `---\n"a": [${'b: '.repeat(20_000)}]\n---\n`, 'it is nested too deep', 2],
    ['its questions are nested in one line', `---\n"a": ${'? '.repeat(20_000)}\n---\n`, 'it is nested too deep', 2],
    ['it is too long', `---\n${'a: b\n'.repeat(20_000)}---\n`, 'the front matter is longer than 64 KiB', 1],
    ['its only line is too long', `---\n${'a'.repeat(70_000)}\n---\n`, 'the front matter is longer than 64 KiB', 1],
  ])('gives nothing where not one key can be had: %s', async (_name, text, message, line) => {
    expect(await readFrontMatter(text)).toEqual({
      read: 'failed',
      data: {},
      bodyStart: 0,
      bodyLine: 1,
      lines: {},
      faults: [{ message, line, column: 1 }],
    });
  });

  test.each([
    ['an alias of itself', 'a: &a [*a]'],
    [
      'aliases that double',
      lines(
        ...'abcdefghij'
          .split('')
          .map(
            (key, at, all) =>
              `${key}: &${key} [${at === 0 ? 'x' : `*${all[at - 1]}, *${all[at - 1]}, *${all[at - 1]}`}]`,
          ),
      ),
    ],
    ['an alias of nothing', 'a: *nothing'],
    ['brackets without an end', `a: ${'['.repeat(50_000)}`],
    ['question marks without an end', `a: ${'? '.repeat(30_000)}`],
    ['a key that is a list', '? [a]\n: b\na: x'],
    ['a second document', 'a: x\n--- b'],
  ])('never throws and holds a bounded value: %s', async (_name, head) => {
    const found = await readFrontMatter(`---\n${head}\n---\n`);
    expect([found?.read, found?.faults.length !== 0, JSON.stringify(found?.data).length < 70_000]).toEqual([
      'line-wise',
      true,
      true,
    ]);
  });
});

test('a whole file is read as one mapping, with or without a document mark', async () => {
  const { readWhole } = await import('./front-matter.ts');
  const whole = (text: string) => readWhole(text).then(({ read, data, faults }) => ({ read, data, faults }));
  const read = { read: 'yaml', data: { a: 1, b: { c: 'x' } }, faults: [] };
  expect([await whole('a: 1\nb:\n  c: x\n'), await whole('---\na: 1\nb:\n  c: x\n')]).toEqual([read, read]);
  expect((await whole('a: 1\nb: "x" y\nc: 2\n')).faults.map(({ line }) => line)).toEqual([2]);
});
