import { join, resolve } from 'node:path';
import { printable } from '../base/index.ts';
import { FileError } from '../host/index.ts';
import { workingDirectory } from '../model/index.ts';
import { CommandError } from './error.ts';
import { workingDirectoryReminder } from './notices.ts';
import type { AgentParts } from './parts.ts';
import { writeReminders } from './submission.ts';

/** Directories on the stack: each is searched for instruction files at every look. */
const MAX_STACK = 64;

/** On top of the stack; links are resolved. Throws CommandError directory/none, directory/too-many. */
export async function enterDirectory(parts: AgentParts, given: string): Promise<void> {
  const { log, host, harness } = parts;
  const state = log.state();
  const { home } = parts.settings(harness.name);
  const path = resolve(
    workingDirectory(state),
    given === '~' || given.startsWith('~/') ? join(home, given.slice(1)) : given,
  );
  await refuseOther(parts, path);
  if (state.directories.length >= MAX_STACK) {
    const message = `no more than ${MAX_STACK} directories can be entered at a time: leave one with popd`;
    throw new CommandError('directory/too-many', message);
  }
  const real = (await host.files.realPath(path)) ?? path;
  goTo(parts, [...state.directories, real]);
}

/** Back to the directory below. Throws CommandError directory/bottom. */
export function leaveDirectory(parts: AgentParts): void {
  const { directories } = parts.log.state();
  if (directories.length < 2) {
    throw new CommandError('directory/bottom', 'popd: no directory was entered that could be left');
  }
  goTo(parts, directories.slice(0, -1));
}

function goTo(parts: AgentParts, stack: string[]): void {
  parts.log.append({ type: 'directory', stack });
  if (parts.settings(parts.harness.name).notices?.directoryChanged === false) return;
  writeReminders(parts.log, [workingDirectoryReminder(workingDirectory(parts.log.state()), parts.harness)]);
}

async function refuseOther({ host }: AgentParts, path: string): Promise<void> {
  const kind = await kindOf(host.files, path);
  if (kind === 'directory') return;
  const why = kind === null ? 'there is no such directory' : 'it is not a directory';
  throw new CommandError('directory/none', `cannot enter ${printable(path)}: ${why}`, { data: { path } });
}

async function kindOf(files: AgentParts['host']['files'], path: string): Promise<string | null> {
  try {
    return (await files.stat(path))?.kind ?? null;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const message = `cannot enter ${printable(path)}: ${error.reason}`;
    throw new CommandError('directory/none', message, { data: { path }, cause: error });
  }
}
