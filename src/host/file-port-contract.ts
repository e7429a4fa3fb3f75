import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FileError, FileError as FileErrorClass, type FilePort } from './index.ts';

/** One implementation to be held to the contract: its port, and an empty directory of its own, without links in its path. */
export type FileSubject = {
  files: FilePort;
  root: string;
  link(target: string, path: string): void;
  fifo(path: string): void;
  dispose(): void;
};

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

async function refusal(work: Promise<unknown>): Promise<{ code: string; systemCode: string } | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (!(error instanceof FileErrorClass)) throw error;
    const { code, systemCode } = error as FileError;
    return { code, systemCode };
  }
}

/** What every `FilePort` does alike. Run by a test of each implementation. */
export function fileContract(name: string, create: () => FileSubject): void {
  describe(`the file port ${name}`, () => {
    let subject: FileSubject;
    let files: FilePort;
    let at: (path: string) => string;
    beforeEach(() => {
      subject = create();
      files = subject.files;
      at = (path) => `${subject.root}/${path}`;
    });
    afterEach(() => subject.dispose());

    describe('looking', () => {
      test('tells what is absent by null, also below a file', async () => {
        await files.writeWhole(at('file'), 'x');
        for (const path of [at('none'), at('none/deeper'), at('file/deeper')]) {
          expect({
            stat: await files.stat(path),
            lstat: await files.lstat(path),
            realPath: await files.realPath(path),
            readLink: await files.readLink(path),
          }).toEqual({ stat: null, lstat: null, realPath: null, readLink: null });
        }
      });

      test('tells size, kind and mode of a file', async () => {
        await files.writeWhole(at('file'), 'häh', { mode: 0o600 });
        const facts = await files.stat(at('file'));
        expect({ kind: facts?.kind, size: facts?.size, mode: facts?.mode }).toEqual({
          kind: 'file',
          size: 4,
          mode: 0o600,
        });
        expect((await files.stat(subject.root))?.kind).toBe('directory');
      });

      test('follows a link in stat and not in lstat', async () => {
        await files.writeWhole(at('file'), 'abc');
        subject.link('file', at('link'));
        expect((await files.stat(at('link')))?.kind).toBe('file');
        expect((await files.lstat(at('link')))?.kind).toBe('link');
        expect(await files.readLink(at('link'))).toBe('file');
        expect(await files.readLink(at('file'))).toBe(null);
      });

      test('takes a dangling link for an absent file that lstat sees', async () => {
        subject.link('nowhere', at('link'));
        expect(await files.stat(at('link'))).toBe(null);
        expect(await files.realPath(at('link'))).toBe(null);
        expect((await files.lstat(at('link')))?.kind).toBe('link');
      });

      test('resolves links in every part of a path, and `..` after them', async () => {
        await files.makeDirectory(at('a/b'));
        await files.writeWhole(at('a/file'), 'x');
        subject.link(at('a/b'), at('absolute'));
        subject.link('a/b', at('relative'));
        expect(await files.realPath(at('absolute'))).toBe(at('a/b'));
        expect(await files.realPath(at('relative/../file'))).toBe(at('a/file'));
        expect(await files.realPath(at('a/./b/'))).toBe(at('a/b'));
        expect(await files.realPath('/')).toBe('/');
      });

      test('refuses a loop of links', async () => {
        subject.link('two', at('one'));
        subject.link('one', at('two'));
        const loop = { code: 'file/eloop', systemCode: 'ELOOP' };
        expect(await refusal(files.stat(at('one')))).toEqual(loop);
        expect(await refusal(files.realPath(at('one/x')))).toEqual(loop);
        expect((await files.lstat(at('one')))?.kind).toBe('link');
      });

      test('refuses a name that no file can have', async () => {
        expect(await refusal(files.stat(at('x'.repeat(256))))).toEqual({
          code: 'file/enametoolong',
          systemCode: 'ENAMETOOLONG',
        });
        expect(await refusal(files.stat(at('a\0b')))).toEqual({ code: 'file/einval', systemCode: 'EINVAL' });
      });

      test('gives each file an identity that a copy does not share', async () => {
        await files.writeWhole(at('one'), 'x');
        await files.writeWhole(at('two'), 'x');
        subject.link('one', at('link'));
        const [one, two, link] = await Promise.all(['one', 'two', 'link'].map((path) => files.stat(at(path))));
        expect(link).toEqual(one);
        expect(two?.inode === one?.inode).toBe(false);
      });
    });

    describe('listing', () => {
      test('names everything by code point order, with its kind', async () => {
        await files.writeWhole(at('b'), '');
        await files.writeWhole(at('\u{1f600}'), '');
        await files.writeWhole(at('\uffee'), '');
        await files.makeDirectory(at('a'));
        subject.link('a', at('c'));
        subject.fifo(at('d'));
        expect(await files.list(subject.root)).toEqual([
          { name: 'a', kind: 'directory' },
          { name: 'b', kind: 'file' },
          { name: 'c', kind: 'link' },
          { name: 'd', kind: 'fifo' },
          { name: '\uffee', kind: 'file' },
          { name: '\u{1f600}', kind: 'file' },
        ]);
        expect(await files.list(at('c'))).toEqual([]);
      });

      test('refuses what is no directory', async () => {
        await files.writeWhole(at('file'), '');
        expect((await refusal(files.list(at('file'))))?.systemCode).toBe('ENOTDIR');
        expect((await refusal(files.list(at('none'))))?.systemCode).toBe('ENOENT');
      });
    });

    describe('reading', () => {
      test('gives the bytes of a file up to the limit, the limit included', async () => {
        await files.writeWhole(at('file'), new Uint8Array([0, 255, 10, 13]));
        const found = await files.readRegular(at('file'), { maxBytes: 4 });
        expect(found.ok && [...found.bytes]).toEqual([0, 255, 10, 13]);
        expect(found.ok && found.facts).toEqual(await files.stat(at('file')));
        const over = await files.readRegular(at('file'), { maxBytes: 3 });
        expect(over.ok ? null : { why: over.why, size: over.facts?.size }).toEqual({ why: 'too-large', size: 4 });
      });

      test('gives an empty file', async () => {
        await files.writeWhole(at('file'), '');
        const found = await files.readRegular(at('file'), { maxBytes: 0 });
        expect(found.ok && found.bytes.length).toBe(0);
      });

      test('says why it does not read, and never throws or waits', async () => {
        subject.fifo(at('fifo'));
        subject.link('file', at('link'));
        subject.link('loop', at('loop'));
        await files.writeWhole(at('file'), 'x');
        const why = async (path: string, followLast = true): Promise<string> => {
          const found = await files.readRegular(path, { maxBytes: 10, followLast });
          return found.ok ? `read ${text(found.bytes)}` : found.why;
        };
        expect({
          absent: await why(at('none')),
          below: await why(at('file/x')),
          directory: await why(subject.root),
          fifo: await why(at('fifo')),
          link: await why(at('link')),
          linkRefused: await why(at('link'), false),
          fileRefusingLinks: await why(at('file'), false),
          loop: await why(at('loop')),
          loopRefused: await why(at('loop'), false),
          below2: await why(at('loop/x'), false),
          nul: await why(at('a\0b')),
        }).toEqual({
          absent: 'absent',
          below: 'absent',
          directory: 'not-regular',
          fifo: 'not-regular',
          link: 'read x',
          linkRefused: 'not-regular',
          fileRefusingLinks: 'read x',
          loop: 'unreadable',
          loopRefused: 'not-regular',
          below2: 'unreadable',
          nul: 'unreadable',
        });
      });

      test('gives a range, less where the file ends sooner', async () => {
        await files.writeWhole(at('file'), '0123456789');
        const range = async (start: number, end: number): Promise<string> =>
          text(await files.readRange(at('file'), start, end));
        expect([
          await range(2, 5),
          await range(8, 1e12),
          await range(10, 12),
          await range(50, 60),
          await range(5, 2),
        ]).toEqual(['234', '89', '', '', '']);
        expect((await refusal(files.readRange(at('none'), 0, 1)))?.systemCode).toBe('ENOENT');
        expect((await refusal(files.readRange(subject.root, 0, 1)))?.systemCode).toBe('EISDIR');
      });
    });

    describe('writing', () => {
      test('replaces a file and keeps its mode', async () => {
        await files.writeWhole(at('file'), 'old', { mode: 0o700 });
        await files.writeWhole(at('file'), 'new', { mode: 0o600 });
        const found = await files.readRegular(at('file'), { maxBytes: 10 });
        expect(found.ok && { text: text(found.bytes), mode: found.facts.mode }).toEqual({ text: 'new', mode: 0o700 });
        expect(await files.list(subject.root)).toEqual([{ name: 'file', kind: 'file' }]);
      });

      test('replaces a link itself and leaves its target', async () => {
        await files.writeWhole(at('target'), 'target');
        subject.link('target', at('link'));
        await files.writeWhole(at('link'), 'new');
        expect((await files.lstat(at('link')))?.kind).toBe('file');
        const found = await files.readRegular(at('target'), { maxBytes: 10 });
        expect(found.ok && text(found.bytes)).toBe('target');
      });

      test('refuses what is no file and leaves nothing behind', async () => {
        await files.makeDirectory(at('directory'));
        subject.fifo(at('fifo'));
        expect(await refusal(files.writeWhole(at('directory'), 'x'))).toEqual({
          code: 'file/eisdir',
          systemCode: 'EISDIR',
        });
        expect(await refusal(files.writeWhole(at('fifo'), 'x'))).toEqual({ code: 'file/einval', systemCode: 'EINVAL' });
        expect((await refusal(files.writeWhole(at('none/file'), 'x')))?.systemCode).toBe('ENOENT');
        expect((await files.list(subject.root)).map((entry) => entry.name)).toEqual(['directory', 'fifo']);
      });

      test('creates only where there is nothing, not even a dangling link', async () => {
        subject.link('nowhere', at('link'));
        expect(await files.createExclusive(at('file'), 'first', { mode: 0o600 })).toBe(true);
        expect(await files.createExclusive(at('file'), 'second')).toBe(false);
        expect(await files.createExclusive(at('link'), 'third')).toBe(false);
        const found = await files.readRegular(at('file'), { maxBytes: 10 });
        expect(found.ok && { text: text(found.bytes), mode: found.facts.mode }).toEqual({ text: 'first', mode: 0o600 });
        expect((await refusal(files.createExclusive(at('none/file'), '')))?.systemCode).toBe('ENOENT');
      });

      test('makes directories with their parents, once or again', async () => {
        await files.makeDirectory(at('a/b/c'));
        await files.makeDirectory(at('a/b/c'));
        expect((await files.stat(at('a/b/c')))?.kind).toBe('directory');
        await files.writeWhole(at('file'), '');
        expect((await refusal(files.makeDirectory(at('file'))))?.systemCode).toBe('EEXIST');
        expect((await refusal(files.makeDirectory(at('file/x'))))?.systemCode).toBe('ENOTDIR');
      });

      test('removes files, links and empty directories', async () => {
        await files.writeWhole(at('target'), 'x');
        await files.makeDirectory(at('empty'));
        await files.makeDirectory(at('full/inner'));
        subject.link('target', at('link'));
        for (const name of ['link', 'empty', 'none']) await files.remove(at(name));
        expect(await refusal(files.remove(at('full')))).toEqual({ code: 'file/enotempty', systemCode: 'ENOTEMPTY' });
        expect((await files.list(subject.root)).map((entry) => entry.name)).toEqual(['full', 'target']);
      });
    });

    describe('appending', () => {
      test('adds, reads and truncates one file', async () => {
        const handle = await files.openAppend(at('log'), { mode: 0o600, create: true });
        handle.write('one\n');
        handle.write('zwölf\n');
        expect({ size: handle.size(), tail: text(handle.read(4, 100)) }).toEqual({ size: 11, tail: 'zwölf\n' });
        handle.truncate(4);
        handle.write('three\n');
        expect(text(handle.read(0, 100))).toBe('one\nthree\n');
        handle.close();
        handle.close();
        expect((await files.stat(at('log')))?.mode).toBe(0o600);
      });

      test('adds at the end of what another handle wrote', async () => {
        const first = await files.openAppend(at('log'), { mode: 0o600, create: true });
        const second = await files.openAppend(at('log'), { mode: 0o600, create: false });
        first.write('a');
        second.write('b');
        first.write('c');
        expect(text(second.read(0, 10))).toBe('abc');
        first.close();
        second.close();
      });

      test('opens only a regular file that is there', async () => {
        await files.writeWhole(at('target'), '');
        subject.link('target', at('link'));
        subject.fifo(at('fifo'));
        const code = async (path: string): Promise<string | undefined> =>
          (await refusal(files.openAppend(path, { mode: 0o600, create: false })))?.systemCode;
        expect([
          await code(at('none')),
          await code(at('link')),
          await code(subject.root),
          await code(at('fifo')),
        ]).toEqual(['ENOENT', 'ELOOP', 'EISDIR', 'EINVAL']);
      });
    });

    describe('behind a door', () => {
      let door: FilePort;
      beforeEach(async () => {
        await files.makeDirectory(at('in/sub'));
        await files.makeDirectory(at('out'));
        await files.writeWhole(at('in/file'), 'in');
        await files.writeWhole(at('out/file'), 'out');
        subject.link('../out', at('in/away'));
        subject.link('sub', at('in/near'));
        subject.link('../out/file', at('in/far'));
        door = files.within([at('in'), at('new/deep/file')]);
      });

      test('reads and lists what really is there, links that stay inside included', async () => {
        await files.writeWhole(at('in/sub/file'), 'sub');
        const read = await door.readRegular(at('in/near/file'), { maxBytes: 9 });
        expect(read.ok && text(read.bytes)).toBe('sub');
        expect(text(await door.readRange(at('in/file'), 0, 9))).toBe('in');
        expect((await door.list(at('in/near'))).map(({ name }) => name)).toEqual(['file']);
        expect((await door.list(subject.root)).map(({ name }) => name)).toEqual(['in', 'out']);
      });

      test('writes, makes and removes there, and makes what is on the way', async () => {
        await door.writeWhole(at('in/near/new'), 'new');
        expect(await door.createExclusive(at('in/once'), 'once')).toBe(true);
        (await door.openAppend(at('in/log'), { mode: 0o600, create: true })).close();
        await door.makeDirectory(at('in/near/a/b'));
        await door.makeDirectory(at('in/near/a/b'));
        await door.makeDirectory(at('new/deep'));
        await door.writeWhole(at('new/deep/file'), 'deep');
        await door.remove(at('in/once'));
        expect((await files.list(at('in'))).map(({ name }) => name)).toEqual([
          'away',
          'far',
          'file',
          'log',
          'near',
          'sub',
        ]);
        expect((await files.list(at('in/sub'))).map(({ name }) => name)).toEqual(['a', 'new']);
        expect((await files.list(at('new/deep'))).map(({ name }) => name)).toEqual(['file']);
      });

      test('refuses what a link leads elsewhere, and touches nothing', async () => {
        const read = await door.readRegular(at('in/far'), { maxBytes: 9 });
        expect(read).toEqual({
          ok: false,
          why: 'unreadable',
          detail: 'it leads to another place than was allowed',
        });
        const refusals = [
          () => door.readRange(at('in/away/file'), 0, 1),
          () => door.list(at('in/away')),
          () => door.writeWhole(at('in/away/file'), 'x'),
          () => door.writeWhole(at('out/file'), 'x'),
          () => door.createExclusive(at('in/away/new'), 'x'),
          () => door.openAppend(at('in/away/file'), { mode: 0o600, create: false }),
          () => door.makeDirectory(at('in/away/new/deeper')),
          () => door.remove(at('in/away/file')),
          () => door.within([at('out')]).writeWhole(at('out/file'), 'x'),
        ];
        for (const work of refusals) expect((await refusal(work()))?.systemCode).toBe('ELSEWHERE');
        expect((await files.list(at('out'))).map(({ name }) => name)).toEqual(['file']);
        const untouched = await files.readRegular(at('out/file'), { maxBytes: 9 });
        expect(untouched.ok && text(untouched.bytes)).toBe('out');
      });
    });
  });
}
