import { expect, test } from 'vitest';
import { formatDiagnostic } from '../../src/base/index.ts';
import { loadConfig } from '../../src/config/index.ts';
import { createMemoryHost } from '../../src/host/memory/index.ts';
import { PROVIDERS } from '../../src/wire/catalog/providers.ts';
import { DEFAULT_QUIRKS } from '../../src/wire/catalog/quirks.ts';
import { resolveProvider } from '../../src/wire/index.ts';
import { blocksOf, callsIn, readPage } from '../rig/doc-page.ts';

const PAGE = readPage('docs/providers.md');
const BLOCKS = blocksOf(PAGE);
const EXAMPLES = BLOCKS.filter(({ language }) => language === 'jsonc');

function settingsIn(text: string): ReturnType<typeof loadConfig> {
  const host = createMemoryHost({ files: { '/config/rein/settings.json': text, '/repo': { directory: true } } });
  const { files, env } = host;
  return loadConfig({ files, env, cwd: '/repo', projectRoot: null, configHome: '/config', overrides: [], flags: {} });
}

/** First cells of the table under a heading, without code marks. */
function firstCells(heading: string): string[] {
  const section = PAGE.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? PAGE;
  return [...section.matchAll(/^\| `([\w.-]+)`/gm)].map(([, name]) => name ?? '');
}

test.each(EXAMPLES)(
  'the settings in line $line are taken without a word, and their model is found',
  async ({ text }) => {
    const { settings, diagnostics } = await settingsIn(text);
    expect(diagnostics.map(formatDiagnostic)).toEqual([]);
    expect(Object.keys(settings.providers)).not.toEqual([]);
    if (settings.model === null) return;
    const { model, providers } = settings;
    expect(resolveProvider({ model, providers, env: () => 'value' }).info.contextWindow).toBeGreaterThan(0);
  },
);

test('there are examples', () => {
  expect(EXAMPLES).toHaveLength(3);
});

test('each model that a command of the page names is one that can be asked', () => {
  const calls = BLOCKS.filter(({ language }) => language === null).flatMap(({ text }) => callsIn(text));
  const models = calls
    .filter((words) => !words.includes('--base-url'))
    .map((words) => words[words.indexOf('--model') + 1] ?? '');
  expect(models.map((model) => resolveProvider({ model, env: () => 'value' }).info.provider)).toEqual([
    'ollama',
    'lmstudio',
    'llama.cpp',
    'vllm',
  ]);
});

test('the page lists each provider that is built in, with its keys, and each quirk', () => {
  const [first = ''] = PAGE.split(/^## /m);
  const rows = [...first.matchAll(/^\| `([\w.]+)` \| (.+?) \|/gm)].map(([, name, keys]) => [name, keys]);
  const expected = Object.entries(PROVIDERS)
    .filter(([, { wires }]) => wires[0] === 'chat')
    .map(([name, { keys, keyOptional }]) => [
      name,
      (keyOptional ? 'none, or ' : '') + keys.map((key) => `\`${key}\``).join(', '),
    ]);
  expect(rows).toEqual(expected);
  expect(firstCells('Servers that differ')).toEqual(Object.keys(DEFAULT_QUIRKS));
});
