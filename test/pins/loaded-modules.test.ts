import { readFileSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { type Workspace, workspace } from '../../conformance/rig.ts';
import { inFunction } from '../../src/cli/load-program.ts';

const root = join(import.meta.dirname, '../..');
const hook = pathToFileURL(join(root, 'bench/record-loads.mjs')).href;
const meta = JSON.parse(readFileSync(join(root, 'dist/meta.json'), 'utf8')) as {
  outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;
};

type Loaded = { bytes: number; files: string[]; sources: string[] };

/** What of dist/ one run really loads: bytes of the files, and the sources in them. */
async function loadedBy(w: Workspace, args: readonly string[]): Promise<Loaded> {
  const file = w.path('~/loads');
  rmSync(file, { force: true });
  const { code, stderr } = await w.run(args, { env: { NODE_OPTIONS: `--import ${hook}`, REIN_LOADS: file } });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const urls = readFileSync(file, 'utf8')
    .split('\n')
    .filter((url) => url.startsWith(pathToFileURL(join(root, 'dist')).href));
  const files = [...new Set(urls)].map((url) => fileURLToPath(url));
  const sources = files.flatMap((path) =>
    Object.entries(meta.outputs[relative(root, path)]?.inputs ?? {})
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([input]) => input),
  );
  return {
    bytes: files.reduce((sum, path) => sum + statSync(path).size, 0),
    files: files.map((path) => relative(root, path)).sort(),
    sources,
  };
}

function matching(sources: readonly string[], pattern: RegExp): string[] {
  return sources.filter((source) => pattern.test(source));
}

test('--version and --help load the table and nothing else', async () => {
  const w = await workspace({ '.git/': null });
  for (const option of ['--version', '--help']) {
    const { bytes, sources } = await loadedBy(w, [option]);
    expect(matching(sources, /^(?!src\/(?:cli|base)\/)/)).toEqual([]);
    expect(bytes).toBeLessThanOrEqual(30 * 1024);
  }
  expect(statSync(join(root, 'dist/rein.js')).size).toBeLessThanOrEqual(20 * 1024);
});

test('a one-request run loads the program alone, without any package', async () => {
  for (const harness of ['rein', 'kli']) {
    const w = await workspace({ '.git/': null, 'AGENTS.md': 'RULES' }, { harness });
    const { bytes, files } = await loadedBy(w, ['-p', 'hello']);
    expect(files).toEqual(['dist/program.cjs', 'dist/rein.js']);
    expect(bytes).toBeLessThanOrEqual(700 * 1024);
  }
});

test('another harness is one file more, and every other command a program of its own', async () => {
  const polytoken = await workspace({ '.git/': null }, { harness: 'polytoken' });
  const run = await loadedBy(polytoken, ['-p', 'hello']);
  expect(run.files).toEqual(['dist/harnesses/polytoken.cjs', 'dist/program.cjs', 'dist/rein.js']);
  const { files } = await loadedBy(polytoken, ['context']);
  expect(files).toEqual(['dist/commands.cjs', 'dist/harnesses/polytoken.cjs', 'dist/rein.js']);
});

test.each(['program', 'commands'])(
  'the compiled code of %s that the build wrote is this Node’s own, and used',
  (name) => {
    const file = join(root, `dist/${name}.cjs`);
    const cachedData = readFileSync(join(root, `dist/${name}.cache`));
    const script = new Script(inFunction(readFileSync(file, 'latin1')), { filename: file, cachedData });
    expect(script.cachedDataRejected).toBe(false);
  },
);
