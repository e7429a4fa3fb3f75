// biome-ignore-all lint/suspicious/noTemplateCurlyInString: text for a shell

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandVerdicts } from '../../src/permissions/test-permissions.ts';

const RULES = { allow: ['shell(git *)', 'shell(cat *)'], deny: ['shell(rm *)'] };

/** Programs that are there for real, since they start others; `rm` and `git` only write down that they ran. */
const REAL = ['env', 'xargs', 'sh', 'bash', 'nice', 'nohup', 'timeout', 'setsid', 'stdbuf', 'cat'];

let root = '';
let ran = '';

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'rein-shell-')));
  ran = join(root, 'ran');
  mkdirSync(join(root, 'bin'));
  mkdirSync(join(root, 'work'));
  for (const name of ['rm', 'git', 'ls']) {
    writeFileSync(join(root, 'bin', name), `#!/bin/sh\necho ${name} >> '${ran}'\n`);
    chmodSync(join(root, 'bin', name), 0o755);
  }
  for (const name of REAL) {
    const real = [`/usr/bin/${name}`, `/bin/${name}`].find((path) => existsSync(path));
    if (real !== undefined) symlinkSync(real, join(root, 'bin', name));
  }
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** What a real bash starts of a command line: names of the programs that wrote down that they ran. */
function startedBy(command: string): string[] {
  rmSync(ran, { force: true });
  spawnSync('/bin/bash', ['-c', '--', command], {
    cwd: join(root, 'work'),
    env: { PATH: join(root, 'bin'), HOME: join(root, 'work') },
    stdio: ['ignore', 'ignore', 'ignore'],
    timeout: 3000,
    killSignal: 'SIGKILL',
  });
  return existsSync(ran) ? [...new Set(readFileSync(ran, 'utf8').split('\n').filter(Boolean))].sort() : [];
}

const PIECES = [
  'git',
  'git log',
  'rm',
  'rm x',
  'ls',
  'cat',
  'x',
  ' ',
  ' ',
  ' ',
  ';',
  ' && ',
  ' || ',
  '|',
  '&',
  '\n',
  '$(',
  ')',
  '`',
  '"',
  "'",
  '\\',
  '{ ',
  '; }',
  '(',
  ' <<E\n',
  '\nE\n',
  "<<'E'\n",
  '<<<',
  '$A',
  'A=',
  'A=rm ',
  '${A}',
  '${A:-',
  '}',
  'sh -c ',
  'bash -c ',
  'eval ',
  'env ',
  'xargs ',
  'nice ',
  'timeout 1 ',
  'time ',
  '! ',
  'if ',
  '; then ',
  '; fi',
  'for i in a; do ',
  '; done',
  'while ',
  '; do ',
  '[[ ',
  ' ]]',
  '((',
  '))',
  '$((',
  '<(',
  '> x',
  '2>&1',
  '#',
  'case a in a) ',
  ';; esac',
  'f() ',
  'false && ls() { :; }',
  'unset -f ls',
  'f',
  'function g ',
  'g',
  'command ',
  'exec ',
  'builtin ',
  'trap ',
  ' EXIT',
  "$'",
  'r\\m',
  "r''m",
  '-c',
  '--',
  'alias.x=!rm',
  '-exec',
  'true',
  'false',
  'echo ',
  'cd ',
  '..',
  '[',
  ']',
  '*',
  '?',
  '~',
  '\t',
  ';;',
  '|&',
];

const soup = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 14 }).map((pieces) => pieces.join(''));

test('of random text that is judged as allowed, a real shell starts nothing but what is allowed', async () => {
  let allowed = 0;
  await fc.assert(
    fc.asyncProperty(soup, async (command) => {
      const verdict = (await commandVerdicts([command], { rules: RULES }))[command];
      if (verdict !== 'allow' || !/rm|ls|r''m|r\\m/.test(command)) return;
      allowed += 1;
      const started = startedBy(command);
      expect([command, started.filter((name) => name !== 'git')]).toEqual([command, []]);
    }),
    { numRuns: 6000 },
  );
  // Were nothing ever allowed, this would hold of itself.
  expect(allowed).toBeGreaterThan(5);
});

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const WRAPPERS: readonly ((command: string) => string)[] = [
  (command) => `git log; ${command}`,
  (command) => `git log\n${command}`,
  (command) => `git $( ${command})`,
  (command) => `git \`${command.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``,
  (command) => `cat <( ${command})`,
  (command) => `sh -c ${quoted(command)}`,
  (command) => `bash -ec ${quoted(command)}`,
  (command) => `env A=1 bash -c ${quoted(command)}`,
  (command) => `nice timeout 2 sh -c ${quoted(command)}`,
  (command) => `eval ${quoted(command)}`,
  (command) => `f() { ${command}\n}; f`,
  (command) => `if true; then ${command}\nfi`,
  (command) => `case a in a) ${command}\n;; esac`,
  (command) => `git log "${'$'}( ${command})"`,
  (command) => `A=$( ${command})`,
  (command) => `trap ${quoted(command)} EXIT`,
];

test('a denied command that a real shell does start is always found', async () => {
  const wrapped = fc
    .tuple(
      fc.constantFrom('rm x', "r''m x", 'r\\m x', '"rm" x'),
      fc.array(fc.constantFrom(...WRAPPERS), { maxLength: 3 }),
    )
    .map(([command, wrappers]) => wrappers.reduce<string>((inner, wrap) => wrap(inner), command));
  let started = 0;
  await fc.assert(
    fc.asyncProperty(wrapped, async (command) => {
      if (!startedBy(command).includes('rm')) return;
      started += 1;
      const verdicts = await commandVerdicts([command], { mode: 'yolo', rules: RULES });
      expect(verdicts).toEqual({ [command]: 'deny' });
    }),
    { numRuns: 120 },
  );
  expect(started).toBeGreaterThan(80);
});
