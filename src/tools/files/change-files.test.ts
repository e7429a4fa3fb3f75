import { describe, expect, test } from 'vitest';
import { sha256 } from '../../base/index.ts';
import { createMemoryHost, type MemoryHost, type MemoryTree } from '../../host/memory/index.ts';
import type { FileObservation } from '../../model/index.ts';
import type { EditArgs, ToolContext, WriteArgs } from '../contract/index.ts';
import { testContext, testState } from '../test-context.ts';
import { editFile } from './edit-file.ts';
import { PathQueue } from './path-queue.ts';
import { writeFile } from './write-file.ts';

type Outcome = { value?: unknown; error?: { code: string }; observed: FileObservation[] };

/** A machine, a session that remembers what it observed, and the two tools that change files. */
class Rig {
  readonly host: MemoryHost;
  readonly queue = new PathQueue();
  readonly seen = new Map<string, FileObservation>();
  readonly limits: Partial<ToolContext['limits']>;

  constructor(files: MemoryTree, limits: Partial<ToolContext['limits']> = {}) {
    this.host = createMemoryHost({ files, now: '1970-01-01T00:00:01+00:00' });
    this.limits = limits;
  }

  /** The file as it is now counts as read. */
  async read(path: string, more: Partial<FileObservation> = {}): Promise<void> {
    const found = await this.host.files.readRegular(path, { maxBytes: 1e6 });
    if (!found.ok) return expect(found).toBe(null);
    const { size, mtimeMs } = found.facts;
    const whole = { how: 'read', complete: true, decorated: false } as const;
    this.seen.set(path, { path, size, mtimeMs, sha256: sha256(found.bytes), ...whole, ...more });
  }

  context(session = 'session'): ToolContext {
    const state = testState([...this.seen.values()], session);
    return testContext(this.host, { state, limits: this.limits });
  }

  edit(args: EditArgs, context: ToolContext = this.context()): Promise<Outcome> {
    return editFile(args, context, this.queue);
  }

  write(args: WriteArgs, context: ToolContext = this.context()): Promise<Outcome> {
    return writeFile(args, context, this.queue);
  }

  get disk(): Record<string, string> {
    return this.host.files.snapshot('/w');
  }
}

const told = ({ error, value }: Outcome): unknown => error ?? value;
const codeOf = ({ error }: Outcome): string | undefined => error?.code;
const replace = (path: string, old: string, text: string): EditArgs => ({ path, edits: [{ old, new: text }] });

describe('an edit', () => {
  test('changes a file that was read, keeps its mode, and observes what it left', async () => {
    const rig = new Rig({ '/w/a': { content: 'one\ntwo\n', mode: 0o755 } });
    await rig.read('/w/a');
    expect(await rig.edit(replace('a', 'two', 'three'))).toEqual({
      value: { path: '/w/a', replacements: 1, firstLine: 2, lastLine: 2, sizeBefore: 8, sizeAfter: 10 },
      observed: [
        {
          path: '/w/a',
          size: 10,
          mtimeMs: 1000,
          sha256: sha256('one\nthree\n'),
          how: 'written',
          complete: true,
          decorated: false,
        },
      ],
    });
    expect([rig.disk, (await rig.host.files.stat('/w/a'))?.mode]).toEqual([{ '/w/a': 'one\nthree\n' }, 0o755]);
  });

  test('of a file that was never read is refused', async () => {
    const rig = new Rig({ '/w/a': 'one\n' });
    expect(told(await rig.edit(replace('a', 'one', 'two')))).toEqual({
      code: 'edit/not-read',
      message: '/w/a has not been read in this conversation. Read it before editing it. Nothing was changed.',
      data: { path: '/w/a' },
    });
    await rig.read('/w/a', { how: 'listed' });
    expect(codeOf(await rig.edit(replace('a', 'one', 'two')))).toBe('edit/not-read');
  });

  test('of a file that changed since is refused, although the old text is still unique', async () => {
    const rig = new Rig({ '/w/a': 'one\ntwo\n' });
    await rig.read('/w/a');
    rig.host.files.put('/w/a', 'one\ntwo\nexternal\n');
    expect(told(await rig.edit(replace('a', 'one', '1')))).toEqual({
      code: 'edit/stale',
      message: '/w/a is not as it was when it was last read. Read it again before editing it. Nothing was changed.',
      data: { path: '/w/a' },
    });
    expect(rig.disk).toEqual({ '/w/a': 'one\ntwo\nexternal\n' });
  });

  test('of a file that was only touched is made', async () => {
    const rig = new Rig({ '/w/a': 'one\n' });
    await rig.read('/w/a');
    rig.host.files.put('/w/a', { content: 'one\n', mtimeMs: 99_000 });
    expect(codeOf(await rig.edit(replace('a', 'one', 'two')))).toBe(undefined);
  });

  test('needs only a part to be read, and does not make it more', async () => {
    const rig = new Rig({ '/w/a': 'one\ntwo\n' });
    await rig.read('/w/a', { complete: false, range: [1, 1] });
    const { observed } = await rig.edit(replace('a', 'two', '2'));
    expect(observed.map(({ how, complete }) => ({ how, complete }))).toEqual([{ how: 'written', complete: false }]);
  });

  test('writes through a link to its target, which stays one', async () => {
    const rig = new Rig({ '/w/real': 'one\n', '/w/link': { link: 'real' } });
    await rig.read('/w/real');
    await rig.edit(replace('link', 'one', 'two'));
    expect(rig.disk).toEqual({ '/w/link': '-> real', '/w/real': 'two\n' });
  });

  test('is refused where there is no file to edit', async () => {
    const rig = new Rig({ '/w/d/x': '', '/w/big': 'x'.repeat(100) }, { fileBytes: 10 });
    expect(told(await rig.edit(replace('none', 'a', 'b')))).toEqual({
      code: 'edit/absent',
      message: '/w/none does not exist.',
      data: { path: '/w/none' },
    });
    expect([codeOf(await rig.edit(replace('d', 'a', 'b'))), codeOf(await rig.edit(replace('big', 'a', 'b')))]).toEqual([
      'edit/not-regular',
      'edit/too-large',
    ]);
  });

  test('that the disk refuses says so and leaves the file', async () => {
    const rig = new Rig({ '/w/a': 'one\n' });
    await rig.read('/w/a');
    rig.host.faults.freeBytes = 2;
    expect(told(await rig.edit(replace('a', 'one', 'two')))).toEqual({
      code: 'edit/failed',
      message: 'cannot write /w/a: no space left on the device.',
      data: { path: '/w/a', systemCode: 'ENOSPC', operation: 'write' },
    });
    expect(rig.disk).toEqual({ '/w/a': 'one\n' });
  });
});

describe('a write', () => {
  test('creates a file with its directories, unread', async () => {
    const rig = new Rig({});
    expect(await rig.write({ path: 'x/y/a', content: 'é' })).toEqual({
      value: { path: '/w/x/y/a', created: true, size: 2 },
      observed: [
        {
          path: '/w/x/y/a',
          size: 2,
          mtimeMs: 1000,
          sha256: sha256('é'),
          how: 'written',
          complete: true,
          decorated: false,
        },
      ],
    });
    expect(rig.disk).toEqual({ '/w/x/y/a': 'é' });
  });

  test('over a file needs all of it to be read as it is now', async () => {
    const rig = new Rig({ '/w/a': { content: 'old', mode: 0o600 } });
    const write = async (): Promise<string | undefined> => codeOf(await rig.write({ path: 'a', content: 'new' }));
    expect(await write()).toBe('write/not-read');
    await rig.read('/w/a', { complete: false, range: [1, 1] });
    expect(await write()).toBe('write/partly-read');
    await rig.read('/w/a');
    rig.host.files.put('/w/a', { content: 'external', mode: 0o600 });
    expect([await write(), rig.disk]).toEqual(['write/stale', { '/w/a': 'external' }]);
    await rig.read('/w/a');
    expect([await write(), rig.disk, (await rig.host.files.stat('/w/a'))?.mode]).toEqual([
      undefined,
      { '/w/a': 'new' },
      0o600,
    ]);
  });

  test('over an empty file needs nothing: there is nothing to lose', async () => {
    const rig = new Rig({ '/w/a': '' });
    expect(told(await rig.write({ path: 'a', content: 'new' }))).toEqual({ path: '/w/a', created: false, size: 3 });
  });

  test('goes through a link to an existing file, and not through a dangling one', async () => {
    const rig = new Rig({ '/w/real': 'old', '/w/link': { link: 'real' }, '/w/dangling': { link: '/w/none' } });
    await rig.read('/w/real');
    await rig.write({ path: 'link', content: 'new' });
    expect(codeOf(await rig.write({ path: 'dangling', content: 'x' }))).toBe('write/not-regular');
    expect(rig.disk).toEqual({ '/w/dangling': '-> /w/none', '/w/link': '-> real', '/w/real': 'new' });
  });

  test('to a directory, a FIFO or below a file is refused', async () => {
    const rig = new Rig({ '/w/d/x': '', '/w/fifo': { fifo: true }, '/w/file': 'x' });
    const write = async (path: string): Promise<string | undefined> => codeOf(await rig.write({ path, content: '' }));
    expect([await write('d'), await write('fifo'), await write('file/x')]).toEqual([
      'write/not-regular',
      'write/not-regular',
      'write/failed',
    ]);
  });
});

describe('changes at the same time', () => {
  test('of one path by two writes: the second is refused, whatever path leads to it', async () => {
    const rig = new Rig({ '/w/d/.keep': '', '/w/link': { link: 'd' } });
    const context = rig.context();
    const outcomes = await Promise.all([
      rig.write({ path: 'd/a', content: 'first' }, context),
      rig.write({ path: 'link/a', content: 'second' }, context),
    ]);
    expect([outcomes.map(codeOf), rig.disk['/w/d/a']]).toEqual([[undefined, 'write/not-read'], 'first']);
  });

  test('of one file that was read, by two writes: the second is refused', async () => {
    const rig = new Rig({ '/w/a': 'old' });
    await rig.read('/w/a');
    const context = rig.context();
    const outcomes = await Promise.all(['1', '2'].map((content) => rig.write({ path: 'a', content }, context)));
    expect([outcomes.map(codeOf), rig.disk]).toEqual([[undefined, 'write/stale'], { '/w/a': '1' }]);
  });

  test('of one file by edits of one session are all made, in their order', async () => {
    const rig = new Rig({ '/w/a': '1 2 3\n' });
    await rig.read('/w/a');
    const context = rig.context();
    const outcomes = await Promise.all([
      rig.edit(replace('a', '1', 'one'), context),
      rig.edit(replace('a', 'nothing', 'x'), context),
      rig.edit(replace('a', '2', 'two'), context),
      rig.edit(replace('a', 'one two', 'both'), context),
    ]);
    expect([outcomes.map(codeOf), rig.disk]).toEqual([
      [undefined, 'edit/not-found', undefined, undefined],
      { '/w/a': 'both 3\n' },
    ]);
  });

  test('of one file by edits of two sessions: the second has not seen the first', async () => {
    const rig = new Rig({ '/w/a': '1 2\n' });
    await rig.read('/w/a');
    const outcomes = await Promise.all([
      rig.edit(replace('a', '1', 'one'), rig.context('first')),
      rig.edit(replace('a', '2', 'two'), rig.context('second')),
    ]);
    expect([outcomes.map(codeOf), rig.disk]).toEqual([[undefined, 'edit/stale'], { '/w/a': 'one 2\n' }]);
  });
});

describe('text that is appended', () => {
  const append = (path: string, content: string): WriteArgs => ({ path, content, append: true });
  const seenAs = ({ observed }: Outcome): unknown => observed.map(({ how, complete }) => ({ how, complete }));

  test('stands behind what is there, which need not have been read and is not known for it', async () => {
    const rig = new Rig({ '/w/a': 'one' });
    const outcome = await rig.write(append('a', 'é'));
    expect([told(outcome), seenAs(outcome), rig.disk]).toEqual([
      { path: '/w/a', created: false, size: 5 },
      [{ how: 'written', complete: false }],
      { '/w/a': 'oneé' },
    ]);
  });

  test('leaves a file known whole that was known whole, and makes one that is not there', async () => {
    const rig = new Rig({ '/w/a': 'one' });
    await rig.read('/w/a');
    const outcomes = [await rig.write(append('a', 'x')), await rig.write(append('b', 'y'))];
    expect([outcomes.map(seenAs), rig.disk]).toEqual([
      [[{ how: 'written', complete: true }], [{ how: 'written', complete: true }]],
      { '/w/a': 'onex', '/w/b': 'y' },
    ]);
  });

  test('by two calls of one answer stands there twice, the second behind the first', async () => {
    const rig = new Rig({});
    const outcomes = await Promise.all([rig.write(append('a', '1')), rig.write(append('a', '2'))]);
    expect([outcomes.map(seenAs), rig.disk]).toEqual([
      [[{ how: 'written', complete: true }], [{ how: 'written', complete: true }]],
      { '/w/a': '12' },
    ]);
  });

  test('comes in the file’s own encoding', async () => {
    const rig = new Rig({ '/w/a': Buffer.from('\ufeffa', 'utf16le') });
    await rig.write(append('a', 'é'));
    const found = await rig.host.files.readRegular('/w/a', { maxBytes: 100 });
    expect(found.ok && Buffer.from(found.bytes).toString('utf16le')).toBe('\ufeffaé');
  });
});

test('a write that needs its directory makes none', async () => {
  const rig = new Rig({ '/w/f': '' });
  const write = (path: string): Promise<Outcome> => rig.write({ path, content: 'x', parent: 'must-exist' });
  expect([told(await write('d/e/a')), told(await write('a'))]).toEqual([
    {
      code: 'write/no-parent',
      message: '/w/d/e is no directory. Nothing was written.',
      data: { path: '/w/d/e/a', parent: '/w/d/e' },
    },
    { path: '/w/a', created: true, size: 1 },
  ]);
  expect(rig.disk).toEqual({ '/w/a': 'x', '/w/f': '' });
});
