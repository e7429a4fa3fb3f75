import type { FilePort } from '../host/index.ts';

/** The shell that runs commands: bash where it is, else the system's own. */
export async function commandShell(files: FilePort): Promise<string> {
  const hasBash = (await files.stat('/bin/bash'))?.kind === 'file';
  return hasBash ? '/bin/bash' : '/bin/sh';
}
