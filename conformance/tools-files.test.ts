import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { callsThenDone, resultsOf, runCalls } from './rig/tool-results.ts';
import { workspace } from './rig.ts';
import { verifies } from './verifies.ts';

const BOM = '\ufeff';

/** Reads the file, edits it, and gives what is on disk then. */
async function edited(text: string, edit: { old: string; new: string }): Promise<{ result: string; text: string }> {
  const { w, results } = await runCalls({ 'f.txt': text }, [
    [['read', { path: 'f.txt' }]],
    [['edit', { path: 'f.txt', ...edit }]],
  ]);
  return { result: results[1] ?? '', text: readFileSync(w.path('f.txt'), 'utf8') };
}

verifies('C89', 'an edit over several lines matches whatever ends them, and keeps those ends', async () => {
  const edit = { old: 'a\nb', new: 'a\nB\nB2' };
  const texts = ['a\r\nb\r\nc\r\n', `${BOM}a\r\nb\r\nc\r\n`, 'a\rb\rc\r', 'a\nb\nc\r\n'];
  const after = await Promise.all(texts.map((text) => edited(text, edit)));
  expect(after.map(({ text }) => text)).toEqual([
    'a\r\nB\r\nB2\r\nc\r\n',
    `${BOM}a\r\nB\r\nB2\r\nc\r\n`,
    'a\rB\rB2\rc\r',
    'a\nB\nB2\nc\r\n',
  ]);
  for (const { result } of after) expect(result).toMatch(/^Edited .*: 1 replacement, /);
});

verifies('C90', 'one word changed in a file of 200 CRLF lines changes the bytes of that word alone', async () => {
  const lines = Array.from({ length: 200 }, (_, index) => `line ${index + 1} of the file\r\n`);
  const { text } = await edited(lines.join(''), { old: 'line 117 of', new: 'line 117 in' });
  expect(text).toBe(lines.map((line) => line.replace('117 of', '117 in')).join(''));
});

verifies('C92', 'text that occurs several times is refused with how often and where, overlaps counted', async () => {
  const twice = 'def a():\n    retries = 3\n\ndef b():\n    retries = 3\n';
  const refused = await edited(twice, { old: '    retries = 3', new: '    retries = 5' });
  expect(refused).toEqual({
    result: expect.stringMatching(/^Error: .*\b2 times\b.*\b2\b.*\b5\b/),
    text: twice,
  });
  const overlapping = await edited('ab\nab\nab\n', { old: 'ab\nab\n', new: 'x\n' });
  expect(overlapping).toEqual({
    result: expect.stringMatching(/^Error: .*\b2 times\b.*\b1\b.*\b2\b/),
    text: 'ab\nab\nab\n',
  });
});

verifies('C92', 'of several edits in one call all are made or none', async () => {
  const text = 'one\ntwo\ntwo\n';
  const edits = [
    { old: 'one', new: 'ONE' },
    { old: 'two', new: 'TWO' },
  ];
  const { w, results } = await runCalls({ 'f.txt': text }, [
    [['read', { path: 'f.txt' }]],
    [['edit', { path: 'f.txt', edits }]],
    [['edit', { path: 'f.txt', edits: [edits[0], { ...edits[1], all: true }] }]],
  ]);
  expect(results[1]).toMatch(/^Error: .*2 times/);
  expect([results[2], readFileSync(w.path('f.txt'), 'utf8')]).toEqual([
    `Edited ${w.path('f.txt')}: 3 replacements, lines 1 to 3.`,
    'ONE\nTWO\nTWO\n',
  ]);
});

verifies('C95', 'what changed on disk since it was read is neither overwritten nor edited', async () => {
  const calls = callsThenDone([[['read', { path: 'x.ts' }]]]);
  const write = callsThenDone([[['write', { path: 'x.ts', content: 'mine' }]]]);
  const edit = callsThenDone([[['edit', { path: 'x.ts', old: 'let a', new: 'let b' }]]]);
  const w = await workspace(
    { '.git/': null, 'x.ts': 'let a = 1;\n' },
    { harness: 'rein', replies: [...calls, ...write, ...edit] },
  );
  const session = w.stream(['--permission-mode', 'yolo']);
  await session.prompt('read it');
  writeFileSync(w.path('x.ts'), 'let a = 1; // external\n');
  await session.prompt('write it');
  await session.prompt('edit it');
  await session.end();
  const refusal = (act: string): string =>
    `Error: ${w.path('x.ts')} is not as it was when it was last read. Read it again before ${act} it. Nothing was changed.`;
  expect(resultsOf(w).slice(1)).toEqual([refusal('overwriting'), refusal('editing')]);
  expect(readFileSync(w.path('x.ts'), 'utf8')).toBe('let a = 1; // external\n');
});

verifies('C95', 'of two writes of one file in one answer the second is refused, and the first text stays', async () => {
  const { w, results } = await runCalls({ 'old.txt': 'old' }, [
    [['read', { path: 'old.txt' }]],
    [
      ['write', { path: 'old.txt', content: 'first' }],
      ['write', { path: 'old.txt', content: 'second' }],
      ['write', { path: 'new.txt', content: 'first' }],
      ['write', { path: './new.txt', content: 'second' }],
    ],
  ]);
  expect(results.slice(1)).toEqual([
    `Overwrote ${w.path('old.txt')} (5 bytes).`,
    `Error: ${w.path('old.txt')} is not as it was when it was last read. Read it again before overwriting it. Nothing was changed.`,
    `Created ${w.path('new.txt')} (5 bytes).`,
    `Error: ${w.path('new.txt')} has not been read in this conversation. Read it before overwriting it. Nothing was changed.`,
  ]);
  expect(['old.txt', 'new.txt'].map((path) => readFileSync(w.path(path), 'utf8'))).toEqual(['first', 'first']);
});

verifies('C95', 'edits of one file in one answer are made one after the other', async () => {
  const { w, results } = await runCalls({ 'f.txt': '1 2 3\n' }, [
    [['read', { path: 'f.txt' }]],
    [
      ['edit', { path: 'f.txt', old: '1', new: 'one' }],
      ['edit', { path: 'f.txt', old: '2', new: 'two' }],
      ['write', { path: 'f.txt', content: 'all gone' }],
    ],
  ]);
  expect(results.map((result) => result.split(/[ :]/, 1)[0]).slice(1)).toEqual(['Edited', 'Edited', 'Error']);
  expect(readFileSync(w.path('f.txt'), 'utf8')).toBe('one two 3\n');
});

verifies('C98', 'huge lines and binaries: search and read show a bounded part and say what is missing', async () => {
  const minified = `${'a;'.repeat(500_000)}tally(1);${'b;'.repeat(500_000)}`;
  const base64 = `key: ${'QUJD'.repeat(25_000)}tally\n`;
  const binary = Buffer.concat([Buffer.from('tally'), Buffer.alloc(5000), Buffer.from('tally')]);
  const { results } = await runCalls({ 'lib.min.js': minified, 'key.txt': base64, 'x.bin': binary }, [
    [['grep', { pattern: 'tally' }]],
    [['grep', { pattern: 'tally', path: 'x.bin' }]],
    [['read', { path: 'lib.min.js' }]],
    [['read', { path: 'key.txt' }]],
    [['read', { path: 'x.bin' }]],
  ]);
  const [found = '', foundInBinary, ...read] = results;
  expect(found.split('\n\n').map((block) => block.split('\n')[0])).toEqual([
    'key.txt',
    'lib.min.js',
    'x.bin: binary file, its matches are not shown',
  ]);
  expect(found).toMatch(/^1: \[…[\d,]+ characters\] (?:a;|;a)[a;]+tally\(1\);[b;]+ \[…[\d,]+ characters\]$/m);
  expect(found).toMatch(/^1: \[…[\d,]+ characters\] [A-Z]+tally$/m);
  expect(found.length).toBeLessThan(2000);
  expect(foundInBinary).toBe('x.bin: binary file, its matches are not shown');
  expect(read[0]).toMatch(/^(?:a;){1024} \[…1997961 more bytes in this line\]\n\[1 long line is shortened\]$/);
  expect(read[1]).toMatch(/^key: [A-Z]+ \[…\d+ more bytes in this line\]\n\[1 long line is shortened\]$/);
  expect(read.slice(0, 2).every((text) => text.length < 3000)).toBe(true);
  expect(read[2]).toBe('[binary file, 5,010 bytes; not shown]');
});
