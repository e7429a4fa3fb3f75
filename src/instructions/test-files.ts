import { sha256 } from '../base/index.ts';
import type { FoundFile } from '../model/index.ts';

/** A context file as the search finds it, for tests. */
export function contextFile(path: string, text: string, fields: Partial<FoundFile> = {}): FoundFile {
  const slash = path.lastIndexOf('/');
  return {
    kind: 'context-file',
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
