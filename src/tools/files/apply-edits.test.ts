import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdits } from './apply-edits.ts';

type Edit = { old: string; new: string; all?: boolean };

function bytesAfter(content: string | Uint8Array, ...edits: Edit[]): string {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  const edited = applyEdits(bytes, edits, '/w/f');
  return 'code' in edited ? `${edited.code}: ${edited.message}` : Buffer.from(edited.bytes).toString('latin1');
}

const utf8 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

describe('line ends', () => {
  test('of CRLF files match a model that writes `\\n`, and new lines get them', () => {
    const edit = { old: 'a\nb', new: 'a\nB\nB2' };
    expect(bytesAfter('a\r\nb\r\nc\r\n', edit)).toBe('a\r\nB\r\nB2\r\nc\r\n');
    expect(bytesAfter('\ufeffa\r\nb\r\nc\r\n', edit)).toBe(utf8('\ufeffa\r\nB\r\nB2\r\nc\r\n'));
    expect(bytesAfter('a\rb\rc\r', edit)).toBe('a\rB\rB2\rc\r');
    expect(bytesAfter('a\nb\nc\n', edit)).toBe('a\nB\nB2\nc\n');
  });

  test('that the model wrote as CRLF match any file, and are not brought into it', () => {
    expect(bytesAfter('a\nb\n', { old: 'a\r\nb\r\n', new: 'a\r\nc\r\nd\r\n' })).toBe('a\nc\nd\n');
    expect(bytesAfter('a\r\nb\r\n', { old: 'a\r\nb', new: 'x\r\ny' })).toBe('x\r\ny\r\n');
  });

  test('of mixed files stay as they are where the lines stay as many', () => {
    expect(bytesAfter('a\r\nb\nc\r\nd\n', { old: 'a\nb\nc\nd', new: 'A\nb\nC\nD' })).toBe('A\r\nb\nC\r\nD\n');
  });

  test('of lines that are in both texts stay as they are', () => {
    expect(bytesAfter('a\nb\r\nc\r\nd\r\n', { old: 'a\nb\nc\n', new: 'a\nb\nx\ny\nc\n' })).toBe(
      'a\nb\r\nx\r\ny\r\nc\r\nd\r\n',
    );
  });

  test('of inserted lines are the most frequent of a mixed file', () => {
    expect(bytesAfter('a\r\nb\nc\n', { old: 'a', new: 'a\nx' })).toBe('a\nx\r\nb\nc\n');
    expect(bytesAfter('a\nb\r\nc\r\n', { old: 'a', new: 'a\nx' })).toBe('a\r\nx\nb\r\nc\r\n');
  });

  test('a lone carriage return within a line is an ordinary character', () => {
    expect(bytesAfter('a\rb\nc\n', { old: 'a\rb', new: 'x' })).toBe('x\nc\n');
    expect(bytesAfter('a\rb\nc\n', { old: 'a\nb', new: 'x' })).toContain('edit/not-found');
  });

  test('a changed word in a CRLF file changes that word only', () => {
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index}\r\n`);
    const before = lines.join('');
    expect(bytesAfter(before, { old: 'line 77\n', new: 'line seventy-seven\n' })).toBe(
      before.replace('line 77\r\n', 'line seventy-seven\r\n'),
    );
  });
});

describe('other bytes', () => {
  test('that are no UTF-8 survive around an edit', () => {
    const content = Buffer.concat([Buffer.from([0xff, 0xfd, 0x80, 0]), Buffer.from('näh\n'), Buffer.from([0xc3])]);
    expect(bytesAfter(content, { old: 'näh', new: 'ö' })).toBe(`\xff\xfd\x80\0${utf8('ö')}\n\xc3`);
  });

  test('of UTF-16 files are edited in their own form, an odd byte included', () => {
    const little = Buffer.concat([Buffer.from('\ufeffä\r\nb\r\n', 'utf16le'), Buffer.from([7])]);
    const edited = Buffer.from(bytesAfter(little, { old: 'ä\nb', new: 'x\nö' }), 'latin1');
    expect(edited).toEqual(Buffer.concat([Buffer.from('\ufeffx\r\nö\r\n', 'utf16le'), Buffer.from([7])]));
    const big = Buffer.from('\ufeffab', 'utf16le').swap16();
    expect(Buffer.from(bytesAfter(big, { old: 'b', new: 'c' }), 'latin1').swap16()).toEqual(
      Buffer.from('\ufeffac', 'utf16le'),
    );
  });

  test('the replacement is text, not a pattern', () => {
    expect(bytesAfter('a.b $1\n', { old: '.b $1', new: "$& $' $1 \\n" })).toBe("a$& $' $1 \\n\n");
  });
});

describe('uniqueness', () => {
  test('is required, and the places are told', () => {
    const content = 'def a():\n    retries = 3\n\ndef b():\n    retries = 3\n';
    const edited = applyEdits(Buffer.from(content), [{ old: '    retries = 3\n', new: '    retries = 5\n' }], '/w/f');
    expect(edited).toEqual({
      code: 'edit/not-unique',
      message:
        'The old text occurs 2 times in /w/f, at lines 2, 5. Nothing was changed. Add lines around it until it is unique, or ask for all of them to be replaced.',
      data: { path: '/w/f', count: 2, lines: [2, 5] },
    });
  });

  test('counts matches that overlap', () => {
    const edited = applyEdits(Buffer.from('ab\nab\nab\n'), [{ old: 'ab\nab\n', new: 'x\n' }], '/w/f');
    expect('data' in edited && edited.data).toEqual({ path: '/w/f', count: 2, lines: [1, 2] });
  });

  test('is not required where all are to be replaced', () => {
    expect(bytesAfter('a b a b a', { old: 'a', new: 'aa', all: true })).toBe('aa b aa b aa');
    expect(bytesAfter('aaaaa', { old: 'aa', new: 'b', all: true })).toBe('bba');
  });

  test('tells at most 20 places', () => {
    expect(bytesAfter('x\n'.repeat(25), { old: 'x', new: 'y' })).toContain('18, 19, 20 and 5 more. Nothing');
  });
});

describe('several edits', () => {
  test('each see what the one before left', () => {
    expect(bytesAfter('one\n', { old: 'one', new: 'two' }, { old: 'two', new: 'three' })).toBe('three\n');
  });

  test('are all refused when one is', () => {
    expect(bytesAfter('one two\n', { old: 'one', new: '1' }, { old: 'three', new: '3' })).toBe(
      'edit/not-found: The old text of edit 2 does not occur in /w/f. Nothing was changed.',
    );
  });

  test('that undo each other are refused', () => {
    expect(bytesAfter('one\n', { old: 'one', new: 'two' }, { old: 'two', new: 'one' })).toBe(
      'edit/no-change: The edits leave /w/f as it is. Nothing was changed.',
    );
  });
});

describe('a refusal', () => {
  test('of an empty or unchanged text says so', () => {
    expect(bytesAfter('a', { old: '', new: 'x' })).toBe(
      'edit/empty-old: The old text is empty. Give the text to replace; to fill a new file, write it. Nothing was changed.',
    );
    expect(bytesAfter('a', { old: 'a', new: 'a' })).toBe(
      'edit/no-change: The old text and its new text are the same. Nothing was changed.',
    );
    expect(bytesAfter('a\r\nb', { old: 'a\nb', new: 'a\r\nb' })).toContain('edit/no-change');
  });

  test('tells where only white space differs', () => {
    const content = 'if x:\n\treturn  1\n\nif x:\n    return 1\n';
    expect(bytesAfter(content, { old: 'if x:\n  return 1\n', new: 'y' })).toBe(
      'edit/not-found: The old text does not occur in /w/f. Only its white space differs from the text at lines 1, 4. Nothing was changed.',
    );
  });
});

test('the changed lines are told', () => {
  const lines = (content: string, edit: Edit): unknown => {
    const edited = applyEdits(Buffer.from(content), [edit], '/w/f');
    return 'code' in edited ? edited.code : [edited.replacements, edited.firstLine, edited.lastLine];
  };
  expect(lines('a\nb\nc\n', { old: 'b', new: 'x' })).toEqual([1, 2, 2]);
  expect(lines('a\nb\nc\n', { old: 'b\n', new: 'x\ny\nz\n' })).toEqual([1, 2, 4]);
  expect(lines('a\nb\na\n', { old: 'a', new: 'x', all: true })).toEqual([2, 1, 3]);
  expect(lines('a\nb\nc', { old: '\nc', new: '' })).toEqual([1, 2, 2]);
  expect(lines('a', { old: 'a', new: '' })).toEqual([1, 1, 1]);
});

describe('for any file', () => {
  const piece = fc.constantFrom('a', 'b', 'ä', '\n', '\r\n', '\r', ' ', '\x80', '\u{1f600}');
  const file = fc.array(piece, { maxLength: 30 }).map((pieces) => Buffer.from(pieces.join(''), 'utf8'));
  const marker = 'QQ';

  test('an edit changes the bytes of its match and no others', () => {
    fc.assert(
      fc.property(file, file, fc.array(fc.constantFrom('x', '\n', 'ö')), (before, after, added) => {
        const bytes = Buffer.concat([before, Buffer.from(marker), after]);
        const edited = applyEdits(bytes, [{ old: marker, new: `x${added.join('')}` }], '/w/f');
        if ('code' in edited) return expect(edited).toBe(null);
        const result = Buffer.from(edited.bytes);
        expect(result.subarray(0, before.length)).toEqual(before);
        expect(result.subarray(result.length - after.length)).toEqual(after);
        const middle = result.subarray(before.length, result.length - after.length).toString('utf8');
        expect(middle.replaceAll(/\r\n|\r|\n/g, '\n')).toBe(`x${added.join('')}`);
      }),
    );
  });

  test('an edit that keeps its line ends can be undone', () => {
    fc.assert(
      fc.property(file, file, (before, after) => {
        const bytes = Buffer.concat([before, Buffer.from(marker), after]);
        const there = applyEdits(bytes, [{ old: marker, new: 'ZZ' }], '/w/f');
        if ('code' in there) return expect(there).toBe(null);
        const back = applyEdits(there.bytes, [{ old: 'ZZ', new: marker }], '/w/f');
        expect('code' in back ? back : Buffer.from(back.bytes)).toEqual(bytes);
      }),
    );
  });

  test('what occurs once in it, line ends aside, is found', () => {
    fc.assert(
      fc.property(file, (before) => {
        const text = before.toString('utf8').replaceAll('\r\n', '\n');
        fc.pre(!text.includes('\r') && text.length > 0);
        const edited = applyEdits(before, [{ old: text, new: `${text}x` }], '/w/f');
        expect('code' in edited ? edited : Buffer.from(edited.bytes)).toEqual(
          Buffer.concat([before, Buffer.from('x')]),
        );
      }),
    );
  });
});

describe('edits that mean the first occurrence, misses passed over', () => {
  const made = (content: string, ...edits: (Edit & { first?: true })[]): unknown => {
    const edited = applyEdits(Buffer.from(content), edits, '/w/f', 'ignored');
    return 'code' in edited ? edited.code : [Buffer.from(edited.bytes).toString(), edited.replacements];
  };

  test('replace it alone, each in what the one before left', () => {
    expect(made('x x x\n', { old: 'x', new: 'y', first: true }, { old: 'x', new: 'z', first: true })).toEqual([
      'y z x\n',
      2,
    ]);
    expect(made('aaaa', { old: 'aa', new: 'b', first: true })).toEqual(['baa', 1]);
  });

  test('and others that mean every one are made together, what does not occur is left out', () => {
    const edits = [
      { old: 'absent', new: '' },
      { old: 'x', new: '$&', all: true },
      { old: '$&', new: '$&', first: true as const },
    ];
    expect(made('x x\n', ...edits)).toEqual(['$& $&\n', 2]);
  });

  test('are refused where nothing changes, or there is nothing to look for', () => {
    expect([
      made('x\n', { old: 'absent', new: 'y', first: true }),
      made('x\n'),
      made('x\n', { old: 'x', new: 'y', first: true }, { old: 'y', new: 'x', first: true }),
      made('x\n', { old: '', new: 'y', first: true }),
    ]).toEqual(['edit/no-change', 'edit/no-change', 'edit/no-change', 'edit/empty-old']);
  });
});
