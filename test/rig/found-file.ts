import { sha256 } from '../../src/base/index.ts';
import type { FoundFile } from '../../src/model/index.ts';

/** A small file of the project as the search finds it. */
export function foundFile(kind: string, path: string, text: string, fields: Partial<FoundFile> = {}): FoundFile {
  const slash = path.lastIndexOf('/');
  return {
    kind,
    directory: path.slice(0, slash) || '/',
    name: path.slice(slash + 1),
    path,
    realPath: path,
    scope: 'project',
    text,
    sha256: sha256(text),
    size: Buffer.byteLength(text),
    mtimeMs: 0,
    encoding: 'utf-8',
    status: 'read',
    droppedBytes: 0,
    ...fields,
  };
}

export function contextFile(path: string, text: string, fields: Partial<FoundFile> = {}): FoundFile {
  return foundFile('context-file', path, text, fields);
}
