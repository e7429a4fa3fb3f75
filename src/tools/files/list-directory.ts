import { join } from 'node:path';
import { sha256 } from '../../base/index.ts';
import type { ReadValue, ToolContext, ToolOutcome } from '../contract/index.ts';

const MAX_ENTRIES = 1000;

/** The names in a directory, in code point order; a link to a directory counts as one. */
export async function listDirectory(path: string, context: ToolContext): Promise<ToolOutcome<ReadValue>> {
  const { files } = context.host;
  const all = await files.list(path);
  const entries: { name: string; directory: boolean }[] = [];
  for (const { name, kind } of all.slice(0, MAX_ENTRIES)) {
    const directory = kind === 'directory' || (kind === 'link' && (await leadsToDirectory(context, join(path, name))));
    entries.push({ name, directory });
  }
  const real = (await files.realPath(path)) ?? path;
  const facts = await files.stat(path);
  return {
    value: { kind: 'directory', path, entries, total: all.length },
    observed: [
      {
        path: real,
        size: all.length,
        mtimeMs: facts?.mtimeMs ?? 0,
        sha256: sha256(all.map((entry) => entry.name).join('\n')),
        how: 'listed',
        complete: all.length <= MAX_ENTRIES,
        decorated: false,
      },
    ],
  };
}

async function leadsToDirectory(context: ToolContext, path: string): Promise<boolean> {
  try {
    return (await context.host.files.stat(path))?.kind === 'directory';
  } catch {
    // A loop of links, or a place we may not look into: it is listed as a name.
    return false;
  }
}
