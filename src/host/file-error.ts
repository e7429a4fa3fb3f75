import { printable, ReinError } from '../base/index.ts';

const WORDS: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  ENOENT: 'no such file or directory',
  ENOTDIR: 'a part of the path is not a directory',
  EISDIR: 'is a directory',
  ENOSPC: 'no space left on the device',
  EROFS: 'read-only file system',
  ELOOP: 'too many levels of links',
  ENAMETOOLONG: 'the name is too long',
  EMFILE: 'too many open files',
  EEXIST: 'something else is there',
  ENOTEMPTY: 'the directory is not empty',
  EINVAL: 'not possible for what is there',
  // Not the system's: a door was given.
  ELSEWHERE: 'it leads to another place than was allowed',
};

/** A file operation the system refused. `data`: path, systemCode ('EACCES'), operation. */
export class FileError extends ReinError {
  readonly systemCode: string;
  /** In words, without the path. */
  readonly reason: string;

  constructor(operation: string, path: string, systemCode: string, cause?: unknown) {
    const reason = WORDS[systemCode] ?? systemCode;
    super(`file/${systemCode.toLowerCase()}`, `cannot ${operation} ${printable(path)}: ${reason}`, {
      data: { path, systemCode, operation },
      cause,
    });
    this.systemCode = systemCode;
    this.reason = reason;
  }
}
