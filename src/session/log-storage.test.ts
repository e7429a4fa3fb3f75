import { describe, expect, test } from 'vitest';
import { type AppendHandle, FileError } from '../host/index.ts';
import { FileStorage, MemoryStorage } from './log-storage.ts';

/** A file in a string whose disk can be full, and which then can not even be cut. */
function fakeHandle(start: string) {
  const file = { text: start, room: Number.POSITIVE_INFINITY, stuck: false };
  const handle: AppendHandle = {
    write(text) {
      file.text += text.slice(0, file.room);
      if (text.length > file.room) throw new FileError('write', '/log', 'ENOSPC');
    },
    size: () => file.text.length,
    truncate(size) {
      if (file.stuck) throw new FileError('truncate', '/log', 'EIO');
      file.text = file.text.slice(0, size);
    },
    read: (from, to) => Buffer.from(file.text.slice(from, to)),
    close() {},
  };
  return { file, storage: new FileStorage(handle, '/log') };
}

const failed = expect.objectContaining({ code: 'session/write-failed', data: { path: '/log' } });

describe('the storage of a log in a file', () => {
  test('adds at the end and says where', () => {
    const { storage } = fakeHandle('one\n');
    expect(storage.write('two\n')).toBe(4);
    expect([storage.size, Buffer.from(storage.read(4, 99)).toString()]).toEqual([8, 'two\n']);
  });

  test('cuts off what a failed write left', () => {
    const { file, storage } = fakeHandle('one\n');
    file.room = 2;
    expect(() => storage.write('two\n')).toThrow(failed);
    expect(file.text).toBe('one\n');
  });

  test('adds nothing to a torn line: it is cut off first, however long that takes', () => {
    const { file, storage } = fakeHandle('one\n');
    file.room = 2;
    file.stuck = true;
    expect(() => storage.write('two\n')).toThrow(failed);
    file.room = Number.POSITIVE_INFINITY;
    expect(() => storage.write('three\n')).toThrow(failed);
    expect([file.text, storage.size]).toEqual(['one\ntw', 4]);
    file.stuck = false;
    expect(storage.write('four\n')).toBe(4);
    expect(file.text).toBe('one\nfour\n');
  });
});

describe('the storage of a log in memory', () => {
  test('gives back any line of any write', () => {
    const storage = new MemoryStorage();
    const starts = ['a\n', 'bé\nc\n', 'd\n'].map((text) => storage.write(text));
    expect(starts).toEqual([0, 2, 8]);
    expect(storage.size).toBe(10);
    const read = (from: number, to: number): string => Buffer.from(storage.read(from, to)).toString();
    expect([read(0, 2), read(2, 5), read(6, 7), read(8, 9)]).toEqual(['a\n', 'bé', 'c', 'd']);
  });
});
