import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { PROGRAM } from '../../conformance/rig/program.ts';
import { type Workspace, type WorkspaceOptions, workspace } from '../../conformance/rig.ts';
import { readCommandLine } from '../../src/cli/command-line.ts';
import { mistakeMessage } from '../../src/cli/mistake-message.ts';
import { type Block, blocksOf, callsIn, inlineCallsIn, isSynopsis, readPage } from '../rig/doc-page.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** What a page is silent about: files that its examples find, and what the model answers them. */
type PageSettings = WorkspaceOptions & { files?: Readonly<Record<string, string>>; noServer?: true };

const SETTINGS: Readonly<Record<string, PageSettings>> = {
  'docs/getting-started.md': { replies: [{ text: 'A parser for dates.', repeat: true }] },
  'docs/headless.md': {
    replies: [
      { when: { text: 'PASS or FAIL' }, text: 'PASS\nEvery rule is kept.', repeat: true },
      { text: 'It parses dates.', usage: { input: 900, output: 12 }, repeat: true },
    ],
    files: { 'src/parse.js': 'export const parse = Date.parse;\n' },
  },
  'docs/facets.md': { noServer: true },
  'docs/instruction-files.md': { noServer: true },
  'docs/skills.md': { noServer: true },
  'docs/templates.md': { noServer: true },
  'docs/permissions.md': { noServer: true },
  'docs/tools.md': { noServer: true, files: { 'src/count.js': 'export let tally = 0;\n' } },
  'docs/testing-your-instructions.md': {
    noServer: true,
    files: { 'AGENTS.md': 'Never edit generated files.\n', 'notes.txt': 'hello\n' },
  },
};

test.each(PAGES)('each call of the program that %s shows is one that the program takes', (path) => {
  const page = readPage(path).replace(/^Not in this version yet[\s\S]*?\n\n/m, '');
  const shell = blocksOf(page).filter(({ language, text }) => [null, 'sh'].includes(language) && !isSynopsis(text));
  const calls = [...shell.flatMap(({ text }) => callsIn(text)), ...inlineCallsIn(page)];
  const refused = calls.flatMap((words) => {
    const line = readCommandLine(words);
    return line.type === 'mistake' ? [`rein ${words.join(' ')}: ${mistakeMessage(line.mistake)}`] : [];
  });
  expect(refused).toEqual([]);
});

test('calls are found wherever the shell has them, and what is wrong with them is seen', () => {
  const shell = 'A=1 rein -p "a b" | cat; id=$(rein x --jsn)\nfor f in *; do rein context < /dev/null; done\n# rein no';
  expect(callsIn(`${shell}\nsource <(node dist/rein.js completion bash)`)).toEqual([
    ['-p', 'a b'],
    ['x', '--jsn'],
    ['context'],
    ['completion', 'bash'],
  ]);
  expect(inlineCallsIn('Say `rein config path` or `rein -p [OPTIONS]`, not `rein/testing`.')).toEqual([
    ['config', 'path'],
  ]);
});

for (const path of PAGES) {
  const blocks = blocksOf(readPage(path)).filter(({ marker }) => marker !== null && marker !== 'none');
  if (blocks.length > 0) test(`the examples of ${path} run as they are written`, () => runExamples(path, blocks));
}

async function runExamples(path: string, blocks: readonly Block[]): Promise<void> {
  const { files = {}, noServer = false, ...options } = SETTINGS[path] ?? {};
  const w = await workspace({ ...files, '~/bin/': null }, { harness: 'rein', ...options });
  writeFileSync(w.path('~/bin/rein'), `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`);
  chmodSync(w.path('~/bin/rein'), 0o755);
  commitTwice(w);
  let output = '';
  for (const { line, text, marker } of blocks) {
    const [kind, name = ''] = (marker ?? '').split(' ');
    if (kind === 'file' || kind === 'script') {
      mkdirSync(dirname(w.path(name)), { recursive: true });
      writeFileSync(w.path(name), `${text}\n`);
    }
    if (kind === 'output') expect({ line, output: output.trimEnd() }).toEqual({ line, output: text });
    const command = kind === 'command' ? text : kind === 'script' && name.endsWith('.mjs') ? `node ${name}` : null;
    if (command === null) continue;
    const ended = await runShell(command, w, noServer ? { REIN_BASE_URL: '', REIN_MODEL: '' } : {});
    expect({ line, code: ended.code, stderr: ended.code === 0 ? '' : ended.stderr }).toEqual({
      line,
      code: 0,
      stderr: '',
    });
    output = ended.stdout;
  }
  expect(w.server.failures()).toEqual([]);
}

/** A repository with a branch `origin/main` and one commit more, and a change that is staged. */
function commitTwice(w: Workspace): void {
  const script = `git init -q -b work && git add -A && git commit -qm one && git update-ref refs/remotes/origin/main HEAD
echo two > two.txt && git add two.txt && git commit -qm two && echo three > three.txt && git add three.txt`;
  const { status, stderr } = spawnSync('bash', ['-ec', script], { cwd: w.project, env: shellEnvironment(w) });
  if (status !== 0) throw new Error(stderr.toString());
  mkdirSync(w.path('node_modules'));
  symlinkSync(ROOT, w.path('node_modules/rein'));
}

function shellEnvironment(w: Workspace): NodeJS.ProcessEnv {
  const { REIN_HARNESS: _default, ...environment } = w.environment();
  const identity = { NAME: 'Ada', EMAIL: 'ada@example.org' };
  const git = Object.entries(identity).flatMap(([key, value]) => [
    [`GIT_AUTHOR_${key}`, value],
    [`GIT_COMMITTER_${key}`, value],
  ]);
  return { ...environment, ...Object.fromEntries(git), PATH: `${w.path('~/bin')}:${process.env.PATH}` };
}

function runShell(
  command: string,
  w: Workspace,
  more: NodeJS.ProcessEnv,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', command], {
      cwd: w.project,
      env: { ...shellEnvironment(w), ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** Figures, the temporary directory and free ports differ from run to run. */
function inKind(line: string): string {
  return line.trim().replace(/[\d,]+/g, '#');
}

test('the output of the demonstration in README.md is what it prints, in this order, with gaps where it says so', async () => {
  const w = await workspace({ 'tmp/': null });
  const environment = { TMPDIR: w.path('tmp'), COLUMNS: '100', REIN_BASE_URL: '', REIN_MODEL: '', REIN_HARNESS: '' };
  const { stdout } = await w.run(['demo'], { env: environment });
  const printed = stdout.split('\n').map(inKind);
  const block = blocksOf(readPage('README.md')).find(({ text }) => text.startsWith('> A test fails.'));
  const shown = (block?.text ?? '').split('\n').filter((line) => line !== '');
  expect(shown.length).toBeGreaterThan(15);
  let at = 0;
  const missing = shown.filter((line) => {
    if (line.trim() === '…') return false;
    const found = printed.indexOf(inKind(line), at);
    if (found !== -1) at = found + 1;
    return found === -1;
  });
  expect(missing).toEqual([]);
});
