import { sha256 } from '../../base/index.ts';
import type { FileFacts } from '../../host/index.ts';
import type { FileObservation, SessionState, ToolFailure } from '../../model/index.ts';

export function observe(
  path: string,
  bytes: Uint8Array,
  facts: FileFacts,
  seen: Pick<FileObservation, 'how' | 'complete' | 'decorated'> & { range?: [number, number] },
): FileObservation {
  return { path, size: bytes.length, mtimeMs: facts.mtimeMs, sha256: sha256(bytes), ...seen };
}

/**
 * Whether the model knows the file as it is now. By content, not by time: a touched file is not stale, and one that
 * was changed back is not either. `whole`: it must have seen all of it, since all of it will be gone.
 */
export function refuseStale(
  verb: 'edit' | 'write',
  path: string,
  bytes: Uint8Array,
  observed: FileObservation | undefined,
): ToolFailure | null {
  const act = verb === 'edit' ? 'editing' : 'overwriting';
  if (observed === undefined) {
    return {
      code: `${verb}/not-read`,
      message: `${path} has not been read in this conversation. Read it before ${act} it. Nothing was changed.`,
      data: { path },
    };
  }
  if (observed.sha256 !== sha256(bytes)) {
    return {
      code: `${verb}/stale`,
      message: `${path} is not as it was when it was last read. Read it again before ${act} it. Nothing was changed.`,
      data: { path },
    };
  }
  if (verb === 'write' && !observed.complete) {
    return {
      code: 'write/partly-read',
      message: `Only a part of ${path} has been read. Read all of it before overwriting it, or edit it. Nothing was changed.`,
      data: { path },
    };
  }
  return null;
}

/** The latest observation of a file's content; a directory's listing is none. */
export function observationOf(state: SessionState, path: string): FileObservation | undefined {
  const observed = Object.hasOwn(state.observed, path) ? state.observed[path] : undefined;
  return observed?.how === 'listed' ? undefined : observed;
}
