import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contextFile } from '../../test/rig/found-file.ts';
import type { World } from '../model/index.ts';
import { changesBetween } from './world-changes.ts';

const FILES = fc.uniqueArray(
  fc.record({
    kind: fc.constantFrom('facet', 'skill', '__proto__'),
    name: fc.constantFrom('a', 'b', 'c'),
    text: fc.string(),
  }),
  { selector: ({ kind, name }) => `${kind}/${name}`, maxLength: 9 },
);

function world(files: readonly { kind: string; name: string; text: string }[]): World {
  return {
    files: files.map(({ kind, name, text }) => ({ ...contextFile(`/repo/${name}`, text), kind })),
    searched: [],
    diagnostics: [],
    projectRoot: null,
    cwd: '/repo',
    stack: [],
    platform: { os: 'linux', shell: '/bin/bash', home: '/home' },
    git: null,
  };
}

test('every file of either look is unchanged, or in exactly one list of its kind; the way back mirrors it', () => {
  fc.assert(
    fc.property(FILES, FILES, (left, right) => {
      const [before, after] = [world(left), world(right)];
      const there = changesBetween(before, after);
      const back = changesBetween(after, before);
      const sorted = (paths: readonly string[]): string[] => [...paths].sort();
      for (const kind of ['facet', 'skill', '__proto__']) {
        const none = { added: [], removed: [], edited: [] };
        const forth = Object.hasOwn(there, kind) ? (there[kind] ?? none) : none;
        const home = Object.hasOwn(back, kind) ? (back[kind] ?? none) : none;
        expect(sorted(forth.added)).toEqual(sorted(home.removed));
        expect(sorted(forth.edited)).toEqual(sorted(home.edited));
        const texts = (files: typeof left): Map<string, string> =>
          new Map(files.filter((file) => file.kind === kind).map(({ name, text }) => [`/repo/${name}`, text]));
        const [old, now] = [texts(left), texts(right)];
        const differs = [...new Set([...old.keys(), ...now.keys()])].filter((path) => old.get(path) !== now.get(path));
        expect(sorted([...forth.added, ...forth.removed, ...forth.edited])).toEqual(sorted(differs));
      }
      expect(changesBetween(before, before)).toEqual({});
    }),
  );
});
