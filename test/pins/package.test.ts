import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { createNodeHost } from '../../src/host/node/index.ts';

const root = join(import.meta.dirname, '../..');
const dist = join(root, 'dist');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown>;
const meta = JSON.parse(readFileSync(join(dist, 'meta.json'), 'utf8')) as { inputs: Record<string, unknown> };

async function namesOf(file: string): Promise<string[]> {
  const module = (await import(pathToFileURL(join(dist, file)).href)) as object;
  return Object.keys(module).sort();
}

test('the package exports the SDK, the testing entry and its manifest', () => {
  expect(manifest.exports).toEqual({
    '.': { types: './dist/types/sdk/index.d.ts', default: './dist/sdk.js' },
    './testing': { types: './dist/types/testing/index.d.ts', default: './dist/testing.js' },
    './package.json': './package.json',
  });
  expect(manifest.bin).toEqual({ rein: 'dist/rein.js' });
  // What has a binary or wasm; pure JavaScript is bundled.
  expect(manifest.dependencies).toEqual({ '@vscode/ripgrep': '1.18.0', 'minijinja-js': '2.11.0' });
});

test('the SDK’s names are the documented ones', async () => {
  expect(await namesOf('sdk.js')).toEqual([
    'HARNESSES',
    'HARNESS_CATALOGUE',
    'PROVIDERS',
    'availableModels',
    'compareContexts',
    'createAgent',
    'createNodeHost',
    'diagnoseMachine',
    'openSessions',
    'previewContext',
    'reportSettings',
    'shippedTexts',
    'trustDirectory',
    'validateDefinition',
    'writeStartingSet',
  ]);
});

test('the testing entry’s names are the documented ones', async () => {
  expect(await namesOf('testing.js')).toEqual([
    'capturedMessages',
    'capturedSystem',
    'capturedTools',
    'createRehearsalModel',
    'parseRehearsal',
    'reply',
    'script',
    'serveRehearsal',
  ]);
});

test('the bundled packages are the listed ones, each with its licence', () => {
  const names = Object.keys(meta.inputs).flatMap(
    (input) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? [],
  );
  const bundled = [...new Set(names)].sort();
  const ofHtmlparser2 = ['dom-serializer', 'domelementtype', 'domhandler', 'domutils', 'entities', 'htmlparser2'];
  expect(bundled).toEqual([
    '@cfworker/json-schema',
    ...ofHtmlparser2,
    'jpeg-js',
    'jsonc-parser',
    'minijinja-js',
    'unbash',
    'yaml',
  ]);
  const licences = readFileSync(join(dist, 'third-party-licenses.txt'), 'utf8');
  expect(bundled.filter((name) => !licences.includes(`${name} `))).toEqual([]);
});

test('every bundled package can be loaded on this Node', async () => {
  const [yaml, jsonc, bash] = await Promise.all([import('yaml'), import('jsonc-parser'), import('unbash')]);
  expect([yaml.parse('a: [1]'), jsonc.parse('{ "a": [1], } // c'), bash.parse('a && b').commands.length]).toEqual([
    { a: [1] },
    { a: [1] },
    1,
  ]);
});

test('the template engine’s wasm is where the package says, and its memory can be bounded', async () => {
  const { templates } = createNodeHost();
  const outcome = await templates.run({
    main: 'x',
    sources: { x: { text: '{{ "a"|upper }}' } },
    targets: null,
    embedded: [],
    variables: {},
    tools: [],
    mcp: [],
    skills: [],
    variant: null,
    limits: { depth: 1, splices: 1, output: 10, fuel: 1000 },
    marks: null,
  });
  expect(outcome).toEqual({ type: 'text', text: 'A', marked: null, splices: [] });
});

test('the HTML parser and, where its package is installed, ripgrep run here', async () => {
  const { Parser } = await import('htmlparser2');
  const texts: string[] = [];
  const parser = new Parser({ ontext: (text) => texts.push(text) });
  parser.end('<p>a &amp; b');
  expect(texts.join('')).toBe('a & b');
  const rg = await createNodeHost().process.packaged('rg');
  if (rg !== null) expect(execFileSync(rg, ['--version'], { encoding: 'utf8' })).toMatch(/^ripgrep \d/);
});

test('the command is a script that can be executed', () => {
  const file = join(dist, 'rein.js');
  expect(readFileSync(file, 'utf8').split('\n', 1)).toEqual(['#!/usr/bin/env node']);
  expect(statSync(file).mode & 0o111).toBe(0o111);
});
