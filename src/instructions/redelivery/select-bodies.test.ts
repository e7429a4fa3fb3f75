import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contextFile, foundFile } from '../../../test/rig/found-file.ts';
import { byteLength } from '../../base/index.ts';
import type { FoundFile } from '../../model/index.ts';
import { type Candidate, rootFile, selectBodies } from './select-bodies.ts';

function candidate(path: string, text: string, fields: Partial<FoundFile> = {}): Candidate {
  return { file: foundFile('context-file', path, text, fields), text };
}

const ROOT = candidate('/repo/AGENTS.md', 'ROOT');
const rules = (used: readonly string[], chain: readonly string[] = ['/repo/AGENTS.md']) => ({
  root: '/repo/AGENTS.md',
  chain: new Set(chain),
  used,
  kept: {},
});
const shown = ({ bodies, paths }: ReturnType<typeof selectBodies>) => ({
  bodies: bodies.map(({ file }) => file.path),
  paths: paths.map(({ candidate: { file }, why }) => [file.path, why]),
});

describe('selectBodies', () => {
  test('of what does not fit the least recently used is named only', () => {
    const large = 'x'.repeat(30 * 1024);
    const [a, b, c] = ['a', 'b', 'c'].map((name) => candidate(`/repo/${name}/AGENTS.md`, `${name}${large}`));
    const all = [ROOT, a, b, c].filter((one) => one !== undefined);
    const used = ['/repo/b/AGENTS.md', '/repo/c/AGENTS.md', '/repo/a/AGENTS.md'];
    expect(shown(selectBodies(all, rules(used)))).toEqual({
      bodies: ['/repo/AGENTS.md', '/repo/a/AGENTS.md', '/repo/c/AGENTS.md'],
      paths: [['/repo/b/AGENTS.md', 'no room beside the files that were used later']],
    });
  });

  test('a read that is current spares a body, one of an older text does not, and the root has no use for either', () => {
    const a = candidate('/repo/a/AGENTS.md', 'A');
    const b = candidate('/repo/b/AGENTS.md', 'B');
    const read = ({ file }: Candidate, sha256 = file.sha256) => ({ event: 'e7', sha256 });
    const kept = {
      '/repo/AGENTS.md': read(ROOT),
      '/repo/a/AGENTS.md': read(a),
      '/repo/b/AGENTS.md': read(b, 'of an older text'),
    };
    expect(shown(selectBodies([ROOT, a, b], { ...rules([]), kept }))).toEqual({
      bodies: ['/repo/AGENTS.md', '/repo/b/AGENTS.md'],
      paths: [['/repo/a/AGENTS.md', 'complete current read of event e7']],
    });
  });

  test('whatever there is, the root keeps its body and the others keep within their bounds', () => {
    const files = fc.uniqueArray(
      fc.record({
        name: fc.stringMatching(/^[a-z]{1,3}$/),
        size: fc.integer({ min: 1, max: 40_000 }),
        inChain: fc.boolean(),
      }),
      { selector: ({ name }) => name, maxLength: 14 },
    );
    fc.assert(
      fc.property(files, (drawn) => {
        const others = drawn.map(({ name, size }) =>
          candidate(`/repo/${name}/AGENTS.md`, `${name}${'x'.repeat(size)}`),
        );
        const chain = [
          '/repo/AGENTS.md',
          ...drawn.flatMap(({ name, inChain }) => (inChain ? [`/repo/${name}/AGENTS.md`] : [])),
        ];
        const used = others.map(({ file }) => file.realPath);
        const { bodies, paths } = selectBodies([ROOT, ...others], rules(used, chain));
        const rest = bodies.filter((one) => one !== ROOT);
        expect(bodies).toContain(ROOT);
        expect(bodies.length + paths.length).toBe(others.length + 1);
        expect(rest.reduce((sum, { text }) => sum + byteLength(text), 0)).toBeLessThanOrEqual(64 * 1024);
        expect(rest.filter(({ file }) => !chain.includes(file.realPath)).length).toBeLessThanOrEqual(5);
      }),
    );
  });
});

test('the root file governs the bottom of the stack most closely; the user’s own never is it', () => {
  const user = contextFile('/home/ada/.config/rein/AGENTS.md', 'U', { scope: 'user' });
  const files = ['/AGENTS.md', '/repo/AGENTS.md', '/repo/sub/AGENTS.md', '/repository/AGENTS.md'].map((path) =>
    contextFile(path, path),
  );
  const real = (path: string): string => contextFile(path, '').realPath;
  expect([
    rootFile([user, ...files], '/repo/sub/deep'),
    rootFile([user, ...files], '/repo'),
    rootFile([user, ...files], '/else'),
    rootFile([user], '/repo'),
  ]).toEqual([real('/repo/sub/AGENTS.md'), real('/repo/AGENTS.md'), real('/AGENTS.md'), null]);
});
