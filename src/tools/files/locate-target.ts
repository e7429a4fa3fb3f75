import { basename, dirname, join } from 'node:path';
import { FileError, type FilePort } from '../../host/index.ts';
import type { ToolFailure } from '../../model/index.ts';

/** The path with all links resolved; of what does not exist yet, its nearest existing directory's. */
export async function locateTarget(files: FilePort, path: string): Promise<string> {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    const real = await files.realPath(at);
    if (real !== null) return join(real, ...missing);
    if (dirname(at) === at) return path;
    missing.unshift(basename(at));
  }
}

/** What the system refused, as a failure of the call. Anything else is a mistake of this program and goes on. */
export function fileFailure(verb: string, error: unknown): ToolFailure {
  if (!(error instanceof FileError)) throw error;
  return { code: `${verb}/failed`, message: `${error.message}.`, data: error.data };
}
