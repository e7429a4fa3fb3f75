import fc from 'fast-check';
import { expect, test } from 'vitest';
import { followLinks, type LinkContainer } from './follow-links.ts';
import { askDisk } from './test-disk.ts';

const RULES = {
  project: '/repo',
  home: '/home/ada',
  userDirectory: '/home/ada/.config/rein',
  trusted: false,
  cap: 9999,
};
const SIZE = 10;

/** For each file, which it links to; some that it links to are not there. */
const anyGraph = fc.array(fc.array(fc.nat(SIZE + 1), { maxLength: 5 }), { minLength: SIZE, maxLength: SIZE });

function textOf(targets: readonly number[]): string {
  return `text\n${targets.map((target) => `- @n${target}.md`).join('\n')}`;
}

/** How many links away each file is; those more than five away are not reached. */
function distances(graph: readonly (readonly number[])[], roots: readonly number[]): Map<number, number> {
  const reached = new Map<number, number>();
  let level = [...roots];
  for (let depth = 1; depth <= 5 && level.length > 0; depth += 1) {
    const fresh = [...new Set(level)].filter((node) => !reached.has(node) && graph[node] !== undefined);
    for (const node of fresh) reached.set(node, depth);
    level = fresh.flatMap((node) => graph[node] ?? []);
  }
  return reached;
}

test('over any graph of files, the walk ends, gives each file within reach once, the nearest first, and always the same', () => {
  fc.assert(
    fc.property(anyGraph, fc.array(fc.nat(SIZE + 1), { maxLength: 4 }), (graph, roots) => {
      const disk = Object.fromEntries(graph.map((targets, index) => [`/repo/n${index}.md`, textOf(targets)]));
      const container: LinkContainer = {
        text: textOf(roots),
        path: '/repo/AGENTS.md',
        directory: '/repo',
        scope: 'project',
      };
      const { answer, rounds } = askDisk((world) => followLinks([container], world, RULES), disk);
      expect(rounds).toBeLessThanOrEqual(6);
      const given = answer.links.map(({ name }) => Number(/\d+/.exec(name)?.[0]));
      const expected = distances(graph, roots);
      expect([...given].sort()).toEqual([...expected.keys()].sort());
      const order = given.map((node) => expected.get(node) ?? 0);
      expect(order).toEqual([...order].sort((left, right) => left - right));
      expect(askDisk((world) => followLinks([container], world, RULES), disk).answer).toEqual(answer);
    }),
  );
});
