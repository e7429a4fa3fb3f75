export type FileKind = 'file' | 'directory' | 'link' | 'fifo' | 'socket' | 'device' | 'other';

export type FileFacts = {
  kind: FileKind;
  /** Bytes. */
  size: number;
  mtimeMs: number;
  /** When the file itself last changed: contents, mode, owner or name. A restored mtime does not hide an edit. */
  ctimeMs: number;
  /** Permission bits only: 0o644. */
  mode: number;
  uid: number;
  device: number;
  inode: number;
};

export type DirectoryEntry = { name: string; kind: FileKind };

export type RegularRead =
  | { ok: true; bytes: Uint8Array; facts: FileFacts }
  | {
      ok: false;
      why: 'absent' | 'not-regular' | 'too-large' | 'unreadable';
      facts?: FileFacts;
      /** In words, without the path. */
      detail: string;
    };

/** An open file that lines are added to. Every call returns when the bytes were handed to the system. */
export interface AppendHandle {
  /** Writes all of it, looping until complete. Throws FileError on a failed write (disk full). */
  write(text: string): void;
  size(): number;
  truncate(size: number): void;
  /** Reads bytes [start, end) of the same file. */
  read(start: number, end: number): Uint8Array;
  close(): void;
}

/** Paths are absolute. "Null" means absent, also when a parent is absent or is no directory. */
export interface FilePort {
  /**
   * The same files, with a door: what is opened, listed, made, replaced or removed must really be one of these real
   * paths or lie below one (a directory also on the way to one), judged by what was opened and not by its name. So a
   * link that was put in place after a path was judged leads nowhere. Elsewhere it throws FileError `file/elsewhere`
   * (`readRegular`: `unreadable`). Looking (`stat`, `lstat`, `realPath`, `readLink`) stays free.
   */
  within(places: readonly string[]): FilePort;
  /** Follows links. Throws FileError for anything but absence (a loop of links, no permission). */
  stat(path: string): Promise<FileFacts | null>;
  /** Does not follow the last link. */
  lstat(path: string): Promise<FileFacts | null>;
  /** All links resolved. */
  realPath(path: string): Promise<string | null>;
  /** Null also for what is no link. */
  readLink(path: string): Promise<string | null>;
  /** Sorted by code point. Throws FileError. */
  list(path: string): Promise<DirectoryEntry[]>;
  /**
   * The whole of a regular file of at most `maxBytes`. Opened without blocking and judged by its descriptor, so a
   * FIFO or a device with a file's name is neither waited for nor read. `followLast: false` refuses a link as
   * `not-regular`. Never throws for what is on disk.
   */
  readRegular(path: string, options: { maxBytes: number; followLast?: boolean }): Promise<RegularRead>;
  /** Bytes [start, end) of a regular file, less where it ends sooner. Throws FileError. */
  readRange(path: string, start: number, end: number): Promise<Uint8Array>;
  /**
   * Replaces or creates in one step (a temporary neighbour, then rename); keeps an existing file's mode. A link there
   * is replaced, not followed (write to its `realPath` to keep it); anything else that is no regular file is refused.
   * Throws FileError, and the old file is whole.
   */
  writeWhole(path: string, bytes: Uint8Array | string, options?: { mode?: number }): Promise<void>;
  /** Creates; false when something is already there. */
  createExclusive(path: string, text: string, options?: { mode?: number }): Promise<boolean>;
  /** A regular file; a link there is refused. Throws FileError. */
  openAppend(path: string, options: { mode: number; create: boolean }): Promise<AppendHandle>;
  /** With its parents; nothing happens where it is already there. Throws FileError. */
  makeDirectory(path: string, options?: { mode?: number }): Promise<void>;
  /** A file, a link (not its target) or an empty directory; nothing happens where it is absent. Throws FileError. */
  remove(path: string): Promise<void>;
}
