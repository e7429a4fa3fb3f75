import { readFileSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { type Workspace, workspace } from '../../conformance/rig.ts';

const root = join(import.meta.dirname, '../..');
const hook = pathToFileURL(join(root, 'bench/record-loads.mjs')).href;
const meta = JSON.parse(readFileSync(join(root, 'dist/meta.json'), 'utf8')) as {
  outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;
};

type Loaded = { bytes: number; sources: string[] };

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
  return { bytes: files.reduce((sum, path) => sum + statSync(path).size, 0), sources };
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

test('a one-request run loads no package, no rehearsal, no other command, no other harness', async () => {
  for (const [harness, other] of [
    ['rein', 'kli'],
    ['kli', 'rein'],
  ] as const) {
    const w = await workspace({ '.git/': null, 'AGENTS.md': 'RULES' }, { harness });
    const { bytes, sources } = await loadedBy(w, ['-p', 'hello']);
    expect(matching(sources, /node_modules|src\/testing\/|rehearsal|src\/cli\/(?:commands\/(?!print)|demo)/)).toEqual(
      [],
    );
    expect(matching(sources, new RegExp(`^src/harness/(?:${other}|kimi-cli|polytoken)/`))).toEqual([]);
    expect(bytes).toBeLessThanOrEqual(700 * 1024);
  }
});
