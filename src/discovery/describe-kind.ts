import type { FileKind } from '../host/index.ts';

const WORDS: Readonly<Record<FileKind, string>> = {
  file: 'a file',
  directory: 'a directory',
  link: 'a link',
  fifo: 'a named pipe',
  socket: 'a socket',
  device: 'a device',
  other: 'something else',
};

export function describeKind(kind: FileKind): string {
  return WORDS[kind];
}
