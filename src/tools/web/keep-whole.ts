import { join } from 'node:path';
import { cutHead } from '../../base/index.ts';
import { FileError } from '../../host/index.ts';
import type { ToolContext } from '../contract/index.ts';

/** A text too long for a result, in a file that only its owner can read. Null: there is no place for it. */
export async function keepWhole(text: string, { host, spillDirectory, limits }: ToolContext): Promise<string | null> {
  if (spillDirectory === null) return null;
  const path = join(spillDirectory, `fetch-${Buffer.from(host.random.bytes(8)).toString('hex')}.txt`);
  try {
    await host.files.makeDirectory(spillDirectory, { mode: 0o700 });
    await host.files.writeWhole(path, cutHead(text, limits.spillBytes), { mode: 0o600 });
    return path;
  } catch (error) {
    if (error instanceof FileError) return null;
    throw error;
  }
}
