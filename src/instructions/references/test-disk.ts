import { foundFile } from '../../../test/rig/found-file.ts';
import type { FoundFile, Searched, SourceQuery, World } from '../../model/index.ts';

type DiskFile = string | { text: string; realPath: string };

/** Text by absolute path; a link has its target's real path. */
export type Disk = Readonly<Record<string, DiskFile>>;

type Seen = Pick<World, 'files' | 'searched'>;

function answer(query: SourceQuery, disk: Disk): Seen {
  const searched: Searched[] = [];
  const files: FoundFile[] = [];
  for (const place of query.places) {
    if (place.at !== 'file') continue;
    const name = place.path.slice(place.path.lastIndexOf('/') + 1);
    const directory = place.path.slice(0, -name.length - 1) || '/';
    const stored = disk[place.path];
    const { text, realPath } = typeof stored === 'object' ? stored : { text: stored, realPath: place.path };
    const allowed = query.within?.some((root) => realPath.startsWith(`${root}/`)) ?? true;
    searched.push({ kind: query.kind, directory, scope: place.scope, looked: [name], took: null, why: '' });
    if (text === undefined || !allowed) continue;
    const size = Buffer.byteLength(text);
    const tooLarge = size > query.cap;
    const kept = query.overCap === 'cut' ? text.slice(0, query.cap) : '';
    files.push(
      foundFile(query.kind, place.path, text, {
        realPath,
        scope: place.scope,
        ...(tooLarge
          ? {
              text: kept,
              status: query.overCap === 'cut' ? 'cut' : 'path-only',
              droppedBytes: size - Buffer.byteLength(kept),
            }
          : {}),
      }),
    );
  }
  return { files, searched };
}

/** Asks until there is an answer, as the agent does; says how often. */
export function askDisk<T extends object>(
  ask: (world: Seen) => T | { queries: readonly SourceQuery[] },
  disk: Disk,
  start: Seen = { files: [], searched: [] },
): { answer: T; rounds: number; asked: readonly string[] } {
  let world = start;
  const asked: string[] = [];
  for (let rounds = 0; rounds < 48; rounds += 1) {
    const given = ask(world);
    if (!('queries' in given)) return { answer: given as T, rounds, asked };
    const more = given.queries.map((query) => answer(query, disk));
    for (const { places } of given.queries) {
      for (const place of places) if (place.at === 'file') asked.push(place.path);
    }
    world = {
      files: [...world.files, ...more.flatMap(({ files }) => files)],
      searched: [...world.searched, ...more.flatMap(({ searched }) => searched)],
    };
  }
  return { answer: {} as T, rounds: Number.POSITIVE_INFINITY, asked };
}
