import { describe, expect, test } from 'vitest';
import { sha256 } from '../../base/index.ts';
import { createMemoryHost, type MemoryTree } from '../../host/memory/index.ts';
import type { ReadArgs, ReadValue, ToolContext, ToolOutcome } from '../contract/index.ts';
import { testContext } from '../test-context.ts';
import { readFile } from './read-file.ts';

type Given = {
  limits?: Partial<ToolContext['limits']>;
  signal?: AbortSignal;
  takeImage?: ToolContext['takeImage'] & {};
};

function read(files: MemoryTree, args: ReadArgs, given: Given = {}): Promise<ToolOutcome<ReadValue>> {
  const host = createMemoryHost({ files, now: '1970-01-01T00:00:01+00:00' });
  return readFile(args, testContext(host, given));
}

/** The value, or the failure without its data. */
async function result(work: Promise<ToolOutcome<ReadValue>>): Promise<unknown> {
  const outcome = await work;
  return 'value' in outcome ? outcome.value : { code: outcome.error.code, message: outcome.error.message };
}

async function shown(work: Promise<ToolOutcome<ReadValue>>): Promise<unknown> {
  const value = (await result(work)) as Record<string, unknown>;
  return value.kind === 'text'
    ? [value.text, value.firstLine, value.lastLine, value.totalLines, value.complete]
    : value;
}

describe('a text file', () => {
  test('comes whole, with its line ends, and is observed as completely seen', async () => {
    expect(await read({ '/w/a.txt': 'one\r\ntwo' }, { path: 'a.txt' })).toEqual({
      value: {
        kind: 'text',
        path: '/w/a.txt',
        text: 'one\r\ntwo',
        firstLine: 1,
        lastLine: 2,
        totalLines: 2,
        complete: true,
        shortenedLines: 0,
        encoding: 'utf-8',
      },
      observed: [
        {
          path: '/w/a.txt',
          size: 8,
          mtimeMs: 1000,
          sha256: sha256('one\r\ntwo'),
          how: 'read',
          complete: true,
          decorated: false,
        },
      ],
    });
  });

  test('that is empty has no line and is complete', async () => {
    expect(await shown(read({ '/w/a': '' }, { path: 'a' }))).toEqual(['', 1, 0, 0, true]);
  });

  test('is observed under its real path, and as decorated where line numbers will be shown', async () => {
    const outcome = await read({ '/w/real': 'x\n', '/w/link': { link: 'real' } }, { path: 'link', numbers: true });
    const seen = outcome.observed.map(({ path, complete, decorated }) => ({ path, complete, decorated }));
    expect(seen).toEqual([{ path: '/w/real', complete: true, decorated: true }]);
    expect('value' in outcome && outcome.value).toMatchObject({ path: '/w/link', numbers: true });
  });

  test('can be asked for a range of lines, observed as such', async () => {
    const files = { '/w/a': '1\n2\n3\n4\n' };
    expect(await shown(read(files, { path: 'a', firstLine: 2, lineCount: 2 }))).toEqual(['2\n3\n', 2, 3, 4, false]);
    expect(await shown(read(files, { path: 'a', firstLine: 3 }))).toEqual(['3\n4\n', 3, 4, 4, false]);
    expect(await shown(read(files, { path: 'a', lineCount: 9 }))).toEqual(['1\n2\n3\n4\n', 1, 4, 4, true]);
    const { observed } = await read(files, { path: 'a', firstLine: 2, lineCount: 2 });
    expect(observed.map(({ complete, range }) => ({ complete, range }))).toEqual([{ complete: false, range: [2, 3] }]);
  });

  test('has no line beyond its last', async () => {
    expect(await result(read({ '/w/a': '1\n2\n' }, { path: 'a', firstLine: 3 }))).toEqual({
      code: 'read/past-end',
      message: '/w/a has 2 lines: there is no line 3.',
    });
  });

  test('with lone carriage returns has lines too', async () => {
    expect(await shown(read({ '/w/a': 'a\rb\rc' }, { path: 'a', firstLine: 2, lineCount: 1 }))).toEqual([
      'b\r',
      2,
      2,
      3,
      false,
    ]);
  });

  test('is cut at whole lines when it is too much', async () => {
    const work = read({ '/w/a': 'aaaa\nbbbb\ncccc\n' }, { path: 'a' }, { limits: { resultBytes: 12 } });
    expect(await shown(work)).toEqual(['aaaa\nbbbb\n', 1, 2, 3, false]);
  });

  test('has an overlong line shortened and marked, between whole characters', async () => {
    const work = read({ '/w/a': `ok\n${'ä'.repeat(50)}\r\nok` }, { path: 'a' }, { limits: { lineBytes: 21 } });
    expect(await result(work)).toMatchObject({
      text: `ok\n${'ä'.repeat(10)} […80 more bytes in this line]\r\nok`,
      complete: false,
      shortenedLines: 1,
      totalLines: 3,
    });
  });

  test('minified into one line of 2 MB is shown within the limit', async () => {
    const line = `${'x'.repeat(1_000_000)}tally${'y'.repeat(1_000_000)}`;
    const outcome = await read({ '/w/lib.min.js': line }, { path: 'lib.min.js' });
    const text = 'value' in outcome && outcome.value.kind === 'text' ? outcome.value.text : '';
    expect(text).toBe(`${'x'.repeat(2048)} […1997957 more bytes in this line]`);
  });

  test('is decoded by its byte order mark, which is not shown', async () => {
    const utf16 = Buffer.from('\ufeffä\n', 'utf16le');
    const files = { '/w/8': '\ufeffä\n', '/w/le': utf16, '/w/be': Buffer.from(utf16).swap16() };
    const seen = await Promise.all(['8', 'le', 'be'].map((path) => result(read(files, { path }))));
    expect(seen.map((value) => [(value as { text: string }).text, (value as { encoding: string }).encoding])).toEqual([
      ['ä\n', 'utf-8-bom'],
      ['ä\n', 'utf-16le'],
      ['ä\n', 'utf-16be'],
    ]);
  });

  test('in Latin-1 is still text', async () => {
    const bytes = Buffer.from('déjà vu, où ça ?\n', 'latin1');
    expect(await result(read({ '/w/a': bytes }, { path: 'a' }))).toMatchObject({
      text: 'd\ufffdj\ufffd vu, o\ufffd \ufffda ?\n',
    });
  });
});

describe('a file over the limit', () => {
  const lines = Array.from({ length: 30_000 }, (_, index) => `line ${index + 1}\n`).join('');
  const limits = { fileBytes: 1000 };

  test('is refused as a whole, with what to do', async () => {
    expect(await result(read({ '/w/big': lines }, { path: 'big' }, { limits }))).toEqual({
      code: 'read/too-large',
      message: `/w/big has ${lines.length} bytes, more than the 1000 that are read at once. Ask for a range of lines, or search it with a command.`,
    });
  });

  test('gives a range of lines, and no observation', async () => {
    const outcome = await read({ '/w/big': lines }, { path: 'big', firstLine: 29_999, lineCount: 5 }, { limits });
    expect(await shown(Promise.resolve(outcome))).toEqual(['line 29999\nline 30000\n', 29_999, 30_000, 30_000, false]);
    expect(outcome.observed).toEqual([]);
  });

  test('gives lines that cross the border of what is read at once, without holding a huge line', async () => {
    const mebi = 1024 * 1024;
    const text = `${'a'.repeat(mebi - 3)}é\n${'b'.repeat(3 * mebi)}\nlast`;
    const limited = { limits: { fileBytes: 1000, lineBytes: 4 } };
    expect(await result(read({ '/w/big': text }, { path: 'big', firstLine: 1, lineCount: 9 }, limited))).toMatchObject({
      text: `aaaa […${mebi - 5} more bytes in this line]\nbbbb […${3 * mebi - 4} more bytes in this line]\nlast`,
      totalLines: 3,
      shortenedLines: 2,
    });
  });

  test('stops being read when the turn is aborted', async () => {
    const given = { limits, signal: AbortSignal.abort() };
    expect(await result(read({ '/w/big': lines }, { path: 'big', firstLine: 2 }, given))).toEqual({
      code: 'read/aborted',
      message: 'Reading /w/big was stopped.',
    });
  });
});

describe('what is no text file', () => {
  test('is described by size and kind where it is binary', async () => {
    const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
    const noise = Uint8Array.from({ length: 300 }, (_, index) => 128 + ((index * 7) % 128));
    const files = { '/w/a.png': png, '/w/noise': noise };
    expect(await result(read(files, { path: 'a.png' }))).toEqual({
      kind: 'binary',
      path: '/w/a.png',
      size: 16,
      mime: 'image/png',
    });
    expect(await result(read(files, { path: 'noise' }))).toMatchObject({ kind: 'binary', size: 300, mime: null });
    expect(await result(read(files, { path: 'a.png', firstLine: 1 }, { limits: { fileBytes: 3 } }))).toMatchObject({
      kind: 'binary',
    });
  });

  test('is taken in where it is a picture and the model takes pictures', async () => {
    const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
    const files = { '/w/a.png': png, '/w/a.pdf': '%PDF-\0' };
    const was = { width: 8, height: 4 };
    const given: Given = {
      takeImage: async (bytes) => ({
        taken: true,
        sha256: `${bytes.length}`,
        mime: 'image/jpeg',
        width: 4,
        height: 2,
        was,
      }),
    };
    const { value, observed } = (await read(files, { path: 'a.png' }, given)) as { value: unknown; observed: unknown };
    expect(value).toEqual({
      kind: 'image',
      path: '/w/a.png',
      size: 16,
      mime: 'image/jpeg',
      sha256: '16',
      width: 4,
      height: 2,
      was,
    });
    expect(observed).toMatchObject([{ path: '/w/a.png', how: 'read', complete: false, sha256: sha256(png) }]);
    expect(await result(read(files, { path: 'a.pdf' }, given))).toMatchObject({
      kind: 'binary',
      mime: 'application/pdf',
    });
  });

  test('says why where a picture cannot be taken in', async () => {
    const given: Given = { takeImage: async () => ({ taken: false, fault: 'too-large', why: 'over the limit' }) };
    expect(await result(read({ '/w/a.gif': 'GIF89a\0\0' }, { path: 'a.gif' }, given))).toEqual({
      kind: 'binary',
      path: '/w/a.gif',
      size: 8,
      mime: 'image/gif',
      why: 'over the limit',
    });
  });

  test('is listed where it is a directory, links to directories as such', async () => {
    const files = { '/w/d/b/x': '', '/w/d/a': '', '/w/d/link': { link: 'b' }, '/w/d/loop': { link: 'loop' } };
    const outcome = await read(files, { path: 'd' });
    expect(await result(Promise.resolve(outcome))).toEqual({
      kind: 'directory',
      path: '/w/d',
      entries: [
        { name: 'a', directory: false },
        { name: 'b', directory: true },
        { name: 'link', directory: true },
        { name: 'loop', directory: false },
      ],
      total: 4,
    });
    expect(outcome.observed.map(({ path, how, complete }) => ({ path, how, complete }))).toEqual([
      { path: '/w/d', how: 'listed', complete: true },
    ]);
  });

  test('of many names is listed in part, with their number', async () => {
    const files = Object.fromEntries(Array.from({ length: 1200 }, (_, index) => [`/w/d/${index}`, '']));
    const value = (await result(read(files, { path: 'd' }))) as { entries: unknown[]; total: number };
    expect([value.entries.length, value.total]).toEqual([1000, 1200]);
  });

  test('is refused: absent with the nearest name, a FIFO, a loop', async () => {
    const files = { '/w/readme.md': '', '/w/fifo': { fifo: true as const }, '/w/loop': { link: 'loop' } };
    expect(await result(read(files, { path: 'README.md' }))).toEqual({
      code: 'read/absent',
      message: '/w/README.md does not exist. Did you mean /w/readme.md?',
    });
    expect(await result(read(files, { path: 'none/at/all' }))).toEqual({
      code: 'read/absent',
      message: '/w/none/at/all does not exist.',
    });
    expect(await result(read(files, { path: 'fifo' }))).toEqual({
      code: 'read/not-regular',
      message: '/w/fifo is a fifo, not a file.',
    });
    expect(await result(read(files, { path: 'loop' }))).toEqual({
      code: 'read/failed',
      message: 'cannot stat /w/loop: too many levels of links.',
    });
  });
});

describe('a caller with wishes of its own', () => {
  const bounds = { lines: 3, bytes: 100, lineLength: 20 };

  test('gets the last lines, of a small file and of one that is read through', async () => {
    const files = { '/w/a': '1\n2\n3\n4\n5\n' };
    for (const limits of [{}, { fileBytes: 4 }]) {
      expect(await result(read(files, { path: 'a', lastLines: 2, bounds }, { limits }))).toMatchObject({
        text: '4\n5\n',
        firstLine: 4,
        lastLine: 5,
        totalLines: 5,
        complete: false,
        shortenedAt: [],
        ended: null,
      });
    }
  });

  test('gets its own bounds instead of the engine’s', async () => {
    const files = { '/w/a': '1\n2\n3\n4\n' };
    const given = { limits: { resultBytes: 2 } };
    expect(await result(read(files, { path: 'a', bounds }, given))).toMatchObject({
      text: '1\n2\n3\n',
      ended: 'lines',
    });
    expect(await result(read(files, { path: 'a', bounds: { ...bounds, bytes: 4 } }, given))).toMatchObject({
      text: '1\n2\n',
      ended: 'bytes',
    });
  });

  test('gets an empty window behind the last line', async () => {
    expect(await shown(read({ '/w/a': '1\n' }, { path: 'a', firstLine: 7, pastEnd: 'empty' }))).toEqual([
      '',
      7,
      6,
      1,
      false,
    ]);
  });

  test('gets text or nothing', async () => {
    const files = { '/w/d/x': '', '/w/b': 'a\0b', '/w/big': `\0${'x'.repeat(50)}` };
    const tried = ['d', 'b', 'big'].map((path) =>
      result(read(files, { path, only: 'text' }, { limits: { fileBytes: 10 } })),
    );
    expect(await Promise.all(tried)).toEqual([
      { code: 'read/not-regular', message: '/w/d is a directory, not a file.' },
      { code: 'read/not-text', message: '/w/b is no text.' },
      { code: 'read/not-text', message: '/w/big is no text.' },
    ]);
  });

  test('gets a picture or nothing', async () => {
    const png = '\x89PNG\r\n\x1a\n\0';
    const files = { '/w/d/x': '', '/w/t': 'text', '/w/b': 'a\0b', '/w/e': '', '/w/p.png': Buffer.from(png, 'latin1') };
    const names = ['d', 't', 'b', 'e', 'p.png', 'none'];
    const codes = async (given: Given): Promise<unknown[]> => {
      const tried = names.map((path) => result(read(files, { path, only: 'picture' }, given)));
      return ((await Promise.all(tried)) as { code?: string; kind?: string }[]).map(({ code, kind }) => code ?? kind);
    };
    const others = ['read/not-regular', 'read/is-text', 'read/not-picture', 'read/empty'];
    const taken = { taken: true as const, sha256: 'x', mime: 'image/png', width: 1, height: 1, was: null };
    expect([
      await codes({}),
      await codes({ takeImage: async () => taken }),
      await codes({ takeImage: async () => ({ taken: false, fault: 'broken', why: 'it is broken' }) }),
    ]).toEqual([
      [...others, 'read/no-pictures', 'read/absent'],
      [...others, 'image', 'read/absent'],
      [...others, 'read/unfit', 'read/absent'],
    ]);
  });

  test('may be kept from files named like keys, also behind a link', async () => {
    const files = { '/w/.env': 'KEY=1', '/w/harmless': { link: '.env' }, '/w/a': 'a' };
    const tried = ['.env', 'harmless', 'a', '.env.missing'].map((path) =>
      result(read(files, { path, withoutSecrets: true })),
    );
    expect(((await Promise.all(tried)) as { code?: string }[]).map(({ code }) => code)).toEqual([
      'read/secret',
      'read/secret',
      undefined,
      'read/secret',
    ]);
  });
});
