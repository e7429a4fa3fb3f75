import { join } from 'node:path';
import type { HostPorts } from '../../sdk/index.ts';

/** Of one sample file; far more than any has. */
const FILE_LIMIT = 1024 * 1024;

/** Copies the regular files below `from`, folders included. Throws FileError. */
export async function copyTree(from: string, to: string, files: HostPorts['files']): Promise<void> {
  await files.makeDirectory(to);
  for (const { name, kind } of await files.list(from)) {
    if (kind === 'directory') await copyTree(join(from, name), join(to, name), files);
    else if (kind === 'file') {
      const read = await files.readRegular(join(from, name), { maxBytes: FILE_LIMIT });
      if (read.ok) await files.writeWhole(join(to, name), read.bytes);
    }
  }
}

/** Removes a directory and all below it; links go, what they point to stays. Throws FileError. */
export async function removeTree(path: string, files: HostPorts['files']): Promise<void> {
  for (const { name, kind } of await files.list(path)) {
    if (kind === 'directory') await removeTree(join(path, name), files);
    else await files.remove(join(path, name));
  }
  await files.remove(path);
}
