import { compareCodePoints } from '../../base/index.ts';
import { type AppendHandle, FileError, type FileFacts, type FilePort, type RegularRead } from '../index.ts';
import { filesWithin } from './files-within.ts';
import {
  type DirectoryNode,
  type FileNode,
  type Located,
  locate,
  type MemoryAttributes,
  type MemoryEntry,
  type MemoryTree,
  type NodeAttributes,
  type TreeNode,
} from './memory-tree.ts';

/** What goes wrong on demand; may be changed while the host is in use. */
export type MemoryFaults = {
  /** Paths that the system refuses to open, list or pass, with their code: `{ '/a/b': 'EACCES' }`. */
  refuse: Record<string, string>;
  /** Bytes that still fit on the disk; null: no end. A write that does not fit leaves what fitted, and throws ENOSPC. */
  freeBytes: number | null;
};

type Options = { tree: MemoryTree; faults: MemoryFaults; uid: number; now: () => number };

/** A disk in memory that follows the rules of `FilePort` as Linux does; one test suite holds for both. */
export class MemoryFiles implements FilePort {
  readonly #root: DirectoryNode;
  readonly #options: Options;
  #lastInode = 1;

  constructor(options: Options) {
    this.#options = options;
    this.#root = this.#emptyDirectory(0o755);
    for (const [path, entry] of Object.entries(options.tree)) this.put(path, entry);
  }

  /** Places something from outside, as another program would: parents are made, what was there is replaced. */
  put(path: string, entry: MemoryEntry): void {
    const attributes = typeof entry === 'string' || entry instanceof Uint8Array ? {} : entry;
    if (typeof entry === 'object' && 'directory' in entry) {
      const directory = this.#directory(path, 0o755);
      Object.assign(directory, this.#attributes(attributes, 0o755));
      return;
    }
    const parent = this.#directory(path.slice(0, path.lastIndexOf('/')) || '/', 0o755);
    this.#enter(parent, path.slice(path.lastIndexOf('/') + 1), this.#node(entry));
  }

  /** Every regular file and link (as `-> target`) below `path`, in code point order: for comparing a whole tree. */
  snapshot(path = '/'): Record<string, string> {
    const found: Record<string, string> = {};
    const visit = (at: string, node: TreeNode): void => {
      if (node.kind === 'file') found[at] = Buffer.from(node.bytes).toString('utf8');
      if (node.kind === 'link') found[at] = `-> ${node.target}`;
      if (node.kind !== 'directory') return;
      for (const name of [...node.children.keys()].sort(compareCodePoints)) {
        const child = node.children.get(name);
        if (child !== undefined) visit(`${at === '/' ? '' : at}/${name}`, child);
      }
    };
    const start = this.#find('list', path, true);
    if (start?.node !== undefined) visit(path, start.node);
    return found;
  }

  within(places: readonly string[]): FilePort {
    return filesWithin(this, places);
  }

  async stat(path: string): Promise<FileFacts | null> {
    return toFacts(this.#find('stat', path, true)?.node);
  }

  async lstat(path: string): Promise<FileFacts | null> {
    return toFacts(this.#find('stat', path, false)?.node);
  }

  async realPath(path: string): Promise<string | null> {
    const found = this.#find('resolve', path, true);
    return found?.node === undefined ? null : found.path;
  }

  async readLink(path: string): Promise<string | null> {
    const node = this.#find('read the link', path, false)?.node;
    return node?.kind === 'link' ? node.target : null;
  }

  async list(path: string): Promise<{ name: string; kind: TreeNode['kind'] }[]> {
    const node = this.#open('list', path, true).node;
    if (node === undefined) throw new FileError('list', path, 'ENOENT');
    if (node.kind !== 'directory') throw new FileError('list', path, 'ENOTDIR');
    return [...node.children]
      .map(([name, child]) => ({ name, kind: child.kind }))
      .sort((left, right) => compareCodePoints(left.name, right.name));
  }

  async readRegular(path: string, options: { maxBytes: number; followLast?: boolean }): Promise<RegularRead> {
    let node: TreeNode | undefined;
    try {
      node = this.#open('read', path, options.followLast ?? true).node;
    } catch (error) {
      const { systemCode, reason } = error as FileError;
      const absent = systemCode === 'ENOENT' || systemCode === 'ENOTDIR';
      return { ok: false, why: absent ? 'absent' : 'unreadable', detail: reason };
    }
    const facts = toFacts(node);
    if (node === undefined || facts === null) {
      return { ok: false, why: 'absent', detail: new FileError('read', path, 'ENOENT').reason };
    }
    if (node.kind === 'link') return { ok: false, why: 'not-regular', detail: 'it is a link' };
    if (node.kind !== 'file') return { ok: false, why: 'not-regular', facts, detail: `it is a ${node.kind}` };
    if (node.bytes.length <= options.maxBytes) return { ok: true, bytes: node.bytes.slice(), facts };
    return { ok: false, why: 'too-large', facts, detail: `over ${options.maxBytes} bytes` };
  }

  async readRange(path: string, start: number, end: number): Promise<Uint8Array> {
    const node = this.#open('read', path, true).node;
    if (node === undefined) throw new FileError('read', path, 'ENOENT');
    if (node.kind !== 'file') throw new FileError('read', path, node.kind === 'directory' ? 'EISDIR' : 'EINVAL');
    return node.bytes.slice(start, Math.max(start, end));
  }

  async writeWhole(path: string, bytes: Uint8Array | string, options: { mode?: number } = {}): Promise<void> {
    const { parent, name, node } = this.#open('write', path, false);
    if (node?.kind === 'directory') throw new FileError('write', path, 'EISDIR');
    if (node?.kind === 'fifo') throw new FileError('write', path, 'EINVAL');
    const content = toBytes(bytes);
    if (this.#take(content.length) < content.length) throw new FileError('write', path, 'ENOSPC');
    const kept = node?.kind === 'file' ? { mode: node.mode, uid: node.uid } : { mode: options.mode ?? 0o644 };
    this.#enter(parent, name, this.#file(content, kept));
  }

  async createExclusive(path: string, text: string, options: { mode?: number } = {}): Promise<boolean> {
    const { parent, name, node } = this.#open('create', path, false);
    if (node !== undefined) return false;
    const content = toBytes(text);
    const fits = this.#take(content.length);
    this.#enter(parent, name, this.#file(content.slice(0, fits), { mode: options.mode ?? 0o644 }));
    if (fits < content.length) throw new FileError('create', path, 'ENOSPC');
    return true;
  }

  async openAppend(path: string, options: { mode: number; create: boolean }): Promise<AppendHandle> {
    const { parent, name, node } = this.#open('open', path, false);
    if (node === undefined && !options.create) throw new FileError('open', path, 'ENOENT');
    if (node?.kind === 'link') throw new FileError('open', path, 'ELOOP');
    if (node !== undefined && node.kind !== 'file') {
      throw new FileError('open', path, node.kind === 'directory' ? 'EISDIR' : 'EINVAL');
    }
    const file = node ?? this.#file(new Uint8Array(0), { mode: options.mode });
    if (node === undefined) this.#enter(parent, name, file);
    return this.#handle(path, file);
  }

  async makeDirectory(path: string, options: { mode?: number } = {}): Promise<void> {
    this.#refuse('make the directory', path);
    this.#directory(path, options.mode ?? 0o755);
  }

  async remove(path: string): Promise<void> {
    const found = this.#find('remove', path, false);
    if (found?.node === undefined) return;
    if (found.node.kind === 'directory' && found.node.children.size > 0)
      throw new FileError('remove', path, 'ENOTEMPTY');
    found.parent.children.delete(found.name);
    this.#touch(found.parent);
  }

  #handle(path: string, file: FileNode): AppendHandle {
    return {
      write: (text) => {
        const content = toBytes(text);
        const fits = this.#take(content.length);
        file.bytes = Buffer.concat([file.bytes, content.subarray(0, fits)]);
        file.mtimeMs = this.#options.now();
        file.ctimeMs = file.mtimeMs;
        if (fits < content.length) throw new FileError('write', path, 'ENOSPC');
      },
      size: () => file.bytes.length,
      truncate: (size) => {
        const resized = new Uint8Array(size);
        resized.set(file.bytes.subarray(0, size));
        file.bytes = resized;
      },
      read: (start, end) => file.bytes.slice(start, Math.max(start, end)),
      close: () => undefined,
    };
  }

  /** Takes room on the disk: how many of these bytes fit. */
  #take(bytes: number): number {
    const { faults } = this.#options;
    if (faults.freeBytes === null) return bytes;
    const fits = Math.min(bytes, faults.freeBytes);
    faults.freeBytes -= fits;
    return fits;
  }

  /** Undefined where a part of the way is absent. */
  #find(operation: string, path: string, followLast: boolean): Located | undefined {
    this.#refuse(operation, path);
    const found = locate(this.#root, path, followLast);
    if (!('code' in found)) return found;
    if (found.code === 'ENOENT' || found.code === 'ENOTDIR') return undefined;
    throw new FileError(operation, path, found.code);
  }

  #open(operation: string, path: string, followLast: boolean): Located {
    this.#refuse(operation, path);
    const found = locate(this.#root, path, followLast);
    if ('code' in found) throw new FileError(operation, path, found.code);
    return found;
  }

  #refuse(operation: string, path: string): void {
    for (const [refused, code] of Object.entries(this.#options.faults.refuse)) {
      if (path === refused || path.startsWith(`${refused}/`)) throw new FileError(operation, path, code);
    }
  }

  #directory(path: string, mode: number): DirectoryNode {
    let at = '';
    let directory = this.#root;
    for (const name of path.split('/').filter((part) => part !== '')) {
      at = `${at}/${name}`;
      const found = locate(this.#root, at, true);
      if ('code' in found) throw new FileError('make the directory', path, found.code);
      if (found.node !== undefined && found.node.kind !== 'directory') {
        throw new FileError('make the directory', path, at === path ? 'EEXIST' : 'ENOTDIR');
      }
      directory = found.node ?? this.#emptyDirectory(mode);
      if (found.node === undefined) this.#enter(found.parent, found.name, directory);
    }
    return directory;
  }

  #enter(parent: DirectoryNode, name: string, node: TreeNode): void {
    parent.children.set(name, node);
    this.#touch(parent);
  }

  /** As a system does to a directory whose entries change. */
  #touch(directory: DirectoryNode): void {
    directory.mtimeMs = this.#options.now();
    directory.ctimeMs = directory.mtimeMs;
  }

  #node(entry: Exclude<MemoryEntry, { directory: true }>): TreeNode {
    if (typeof entry === 'string' || entry instanceof Uint8Array) return this.#file(toBytes(entry), {});
    if ('content' in entry) return this.#file(toBytes(entry.content), entry);
    if ('link' in entry) {
      return { kind: 'link', ...this.#attributes(entry, 0o777), target: entry.link };
    }
    return { kind: 'fifo', ...this.#attributes(entry, 0o644) };
  }

  #emptyDirectory(mode: number): DirectoryNode {
    return { kind: 'directory', ...this.#attributes({}, mode), children: new Map() };
  }

  #file(bytes: Uint8Array, attributes: MemoryAttributes): FileNode {
    return { kind: 'file', ...this.#attributes(attributes, 0o644), bytes: bytes.slice() };
  }

  #attributes(given: MemoryAttributes, mode: number): NodeAttributes {
    const now = this.#options.now();
    this.#lastInode += 1;
    return {
      mode: given.mode ?? mode,
      uid: given.uid ?? this.#options.uid,
      mtimeMs: given.mtimeMs ?? now,
      ctimeMs: given.ctimeMs ?? given.mtimeMs ?? now,
      inode: this.#lastInode,
    };
  }
}

function toBytes(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
}

function toFacts(node: TreeNode | undefined): FileFacts | null {
  if (node === undefined) return null;
  const size = node.kind === 'file' ? node.bytes.length : node.kind === 'link' ? Buffer.byteLength(node.target) : 0;
  const { kind, mtimeMs, ctimeMs, mode, uid, inode } = node;
  return { kind, size, mtimeMs, ctimeMs, mode, uid, device: 1, inode };
}
