import { resolve } from 'node:path';
import { FileError } from '../../host/index.ts';
import type { ToolFailure } from '../../model/index.ts';
import type { DirectoryValue, PushdArgs, ToolContext, ToolOutcome } from '../contract/index.ts';

/** Directories on the stack, the one at the bottom included. */
export const MAX_DEPTH = 32;

type Outcome = ToolOutcome<DirectoryValue>;

/** Makes a directory, by its real path, the working directory, as an event of the session. */
export async function pushDirectory({ path }: PushdArgs, { host, cwd, state }: ToolContext): Promise<Outcome> {
  if (state.directories.length >= MAX_DEPTH) {
    return failed({
      code: 'pushd/too-deep',
      message: `The stack of directories is full (${MAX_DEPTH}); go back with popd first.`,
    });
  }
  const asked = resolve(cwd, path);
  try {
    const facts = await host.files.stat(asked);
    const real = facts === null ? null : await host.files.realPath(asked);
    if (facts === null || real === null) return refused(asked, 'not-found', 'there is no such directory');
    if (facts.kind !== 'directory') return refused(asked, 'not-a-directory', 'it is not a directory');
    return changed([...state.directories, real]);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return failed({ code: 'pushd/failed', message: `${error.message}.`, data: error.data });
  }
}

/** Goes back to the directory below. The one that the conversation began in stays. */
export async function popDirectory({ state }: Pick<ToolContext, 'state'>): Promise<Outcome> {
  const { directories } = state;
  if (directories.length > 1) return changed(directories.slice(0, -1));
  const [bottom = state.header.cwd] = directories;
  return failed({
    code: 'popd/at-bottom',
    message: `There is nothing to go back to: ${bottom} is the directory that the conversation began in. For another one use pushd.`,
  });
}

function changed(stack: string[]): Outcome {
  return {
    value: { stack, cwd: stack.at(-1) ?? '' },
    observed: [],
    events: [{ type: 'directory', stack }],
  };
}

function failed(error: ToolFailure): Outcome {
  return { error, observed: [] };
}

function refused(path: string, why: string, detail: string): Outcome {
  return failed({ code: `pushd/${why}`, message: `Cannot go to ${path}: ${detail}.`, data: { path } });
}
