import type { FoundFile, World } from '../model/index.ts';

/** Paths, in the order in which they were found. */
export type KindChanges = { added: string[]; removed: string[]; edited: string[] };

/** What differs between two looks at the same sources, by kind of source; a kind without a change is left out. */
export function changesBetween(before: World, after: World): Record<string, KindChanges> {
  const kinds = new Set([...before.files, ...after.files].map(({ kind }) => kind));
  const changes = [...kinds].map((kind): [string, KindChanges] => {
    const old = byPath(before, kind);
    const now = byPath(after, kind);
    return [
      kind,
      {
        added: [...now.keys()].filter((path) => !old.has(path)),
        removed: [...old.keys()].filter((path) => !now.has(path)),
        edited: [...now].filter(([path, file]) => isOther(old.get(path), file)).map(([path]) => path),
      },
    ];
  });
  // By fromEntries, so that any kind is a property like another.
  return Object.fromEntries(
    changes.filter(([, { added, removed, edited }]) => [added, removed, edited].some((paths) => paths.length > 0)),
  );
}

function byPath({ files }: World, kind: string): Map<string, FoundFile> {
  return new Map(files.filter((file) => file.kind === kind).map((file) => [file.path, file]));
}

function isOther(old: FoundFile | undefined, now: FoundFile): boolean {
  return old !== undefined && (old.sha256 !== now.sha256 || old.size !== now.size || old.status !== now.status);
}
