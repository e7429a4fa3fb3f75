import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Sources by path below the root, with `/`: `src/base/error.ts`. */
export type SourceTree = ReadonlyMap<string, string>;

/** One broken rule. `detail` names the edge or the call. */
export type Violation = { rule: string; file: string; line: number; detail: string };

/** The sources in these folders. */
export function readSourceTree(root: string, folders: readonly string[]): SourceTree {
  const paths = folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.(?:ts|mjs|cjs)$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/[\\/](?:fixtures|goldens)[\\/]/.test(path))
    .sort();
  return new Map(paths.map((path) => [relative(root, path).split(sep).join('/'), readFileSync(path, 'utf8')]));
}

/** A test, or what the tests beside it share: `name.test.ts`, `test-name.ts`. */
export function isTest(file: string): boolean {
  return /(?:\.test|\/test-[^/]+)\.ts$/.test(file);
}
