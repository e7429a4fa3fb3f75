import { isAbsolute, resolve } from 'node:path';
import { printable, UsageError } from '../base/index.ts';
import { findProjectRoot } from '../discovery/index.ts';
import { FileError, type FileFacts, type HostPorts } from '../host/index.ts';

export type Location = { cwd: string; projectRoot: string | null };

/** The working directory, links resolved, and the project it lies in. Throws UsageError cwd/unusable. */
export async function locate(host: HostPorts, asked: string | undefined): Promise<Location> {
  const path = asked !== undefined && isAbsolute(asked) ? resolve(asked) : resolve(host.env.cwd(), asked ?? '.');
  const facts = await look(host, path);
  if (facts === null) throw unusable(path, 'there is no such directory');
  if (facts.kind !== 'directory') throw unusable(path, 'it is not a directory');
  const cwd = (await host.files.realPath(path)) ?? path;
  return { cwd, projectRoot: (await findProjectRoot(host.files, cwd))?.root ?? null };
}

async function look(host: HostPorts, path: string): Promise<FileFacts | null> {
  try {
    return await host.files.stat(path);
  } catch (error) {
    if (error instanceof FileError) throw unusable(path, error.reason);
    throw error;
  }
}

function unusable(path: string, why: string): UsageError {
  return new UsageError('cwd/unusable', `cannot work in ${printable(path)}: ${why}`, { data: { path } });
}
