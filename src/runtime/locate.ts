import { resolve } from 'node:path';
import { UsageError } from '../base/index.ts';
import { findProjectRoot } from '../discovery/index.ts';
import type { HostPorts } from '../host/index.ts';

export type Location = { cwd: string; projectRoot: string | null };

/** The working directory, links resolved, and the project it lies in. Throws UsageError cwd/unusable. */
export async function locate(host: HostPorts, asked: string | undefined): Promise<Location> {
  const path = resolve(host.env.cwd(), asked ?? '.');
  const facts = await host.files.stat(path);
  if (facts === null || facts.kind !== 'directory') {
    const why = facts === null ? 'there is no such directory' : 'it is not a directory';
    throw new UsageError('cwd/unusable', `cannot work in ${path}: ${why}`, { data: { path } });
  }
  const cwd = (await host.files.realPath(path)) ?? path;
  return { cwd, projectRoot: (await findProjectRoot(host.files, cwd))?.root ?? null };
}
