import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Workspace, workspace } from '../../conformance/rig.ts';
import { COMMANDS, OPTIONS } from '../../src/cli/table.ts';

/** Runs the shell's own machinery on a command line; `COMP_WORDS` are the words as bash breaks them. */
const ASK_BASH = `source "$1"; shift
complete -p rein >/dev/null || exit 9
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_rein && for word in "\${COMPREPLY[@]}"; do printf '%s\\n' "$word"; done`;

async function script(w: Workspace, shell: string): Promise<string> {
  const { code, stdout, stderr } = await w.run(['completion', shell]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const file = w.path(`~/rein.${shell}`);
  writeFileSync(file, stdout);
  return file;
}

async function bash(w: Workspace): Promise<(...words: string[]) => string[]> {
  const file = await script(w, 'bash');
  return (...words) => {
    const options = { cwd: w.project, encoding: 'utf8' } as const;
    const ran = spawnSync('bash', ['--norc', '-c', ASK_BASH, 'bash', file, 'rein', ...words], options);
    expect({ words, stderr: ran.stderr, failed: ran.status === 9 }).toEqual({ words, stderr: '', failed: false });
    return ran.stdout.split('\n').filter((word) => word !== '');
  };
}

test('bash completes commands, their words, options and the words that options take', async () => {
  const w = await workspace({ '.git/': null, 'script one.yaml': '', 'sub/': null });
  const ask = await bash(w);
  const cases: [words: string[], offered: string[]][] = [
    [['con'], ['context', 'config']],
    [
      ['config', ''],
      ['show', 'path', 'schema'],
    ],
    [['completion', 'f'], ['fish']],
    [['rehearsal', 'serve', 'scr'], ['script one.yaml']],
    [['--har'], ['--harness']],
    [
      ['--harness', ''],
      ['rein', 'kli', 'polytoken', 'kimi-cli'],
    ],
    [
      ['-p', '--permission-mode', ''],
      ['ask', 'read-only', 'accept-edits', 'yolo'],
    ],
    [['--wire', '=', 'm'], ['messages']],
    [
      ['--wire', '='],
      ['chat', 'responses', 'messages'],
    ],
    [
      ['--model', 'ope'],
      ['openai/', 'openrouter/'],
    ],
    [
      ['-c', 'shell.'],
      ['shell.timeout_ms=', 'shell.env_pass='],
    ],
    [['-c', 'model', '=', 'x', 'dem'], ['demo']],
    [['--base-url', 'http', ':', '//h', 'doc'], ['doctor']],
    [['-C', 's'], ['sub']],
    [['-p', 'con'], []],
    [['--', 'con'], []],
    [['fix it', 'con'], []],
    [['--system-prompt', 'con'], []],
    [['--json', '='], []],
    [['nonsense', ''], []],
  ];
  expect(cases.map(([words]) => [words, ask(...words)])).toEqual(cases);
});

test('bash offers each command’s options, all of them and no others', async () => {
  const ask = await bash(await workspace({ '.git/': null }));
  for (const { name, options } of COMMANDS) {
    const spelt = OPTIONS.filter((option) => options.includes(option.name)).flatMap((option) =>
      option.short === undefined ? [`--${option.name}`] : [`-${option.short}`, `--${option.name}`],
    );
    expect({ name, offered: ask(...(name === '' ? [] : [name]), '-') }).toEqual({ name, offered: spelt });
  }
});

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;

test.skipIf(!has('fish'))('fish completes commands, options and the words that options take', async () => {
  const w = await workspace({ '.git/': null, 'script.yaml': '' });
  const file = await script(w, 'fish');
  const ask = (line: string): string[] => {
    const ran = spawnSync('fish', ['--no-config', '-c', `source ${file}; complete -C ${JSON.stringify(line)}`], {
      cwd: w.project,
      encoding: 'utf8',
    });
    expect({ line, stderr: ran.stderr }).toEqual({ line, stderr: '' });
    return ran.stdout.split('\n').flatMap((offer) => offer.split('\t')[0] || []);
  };
  const cases: [line: string, offered: string[]][] = [
    ['rein con', ['config', 'context']],
    ['rein config ', ['path', 'schema', 'show']],
    ['rein --harness ', ['kimi-cli', 'kli', 'polytoken', 'rein']],
    ['rein context --di', ['--diff']],
    ['rein demo --di', []],
    ['rein -p con', []],
    ['rein rehearsal serve scr', ['script.yaml']],
  ];
  expect(cases.map(([line]) => [line, ask(line)])).toEqual(cases);
});

test.skipIf(!has('zsh'))('zsh takes the script', async () => {
  const w = await workspace({ '.git/': null });
  const file = await script(w, 'zsh');
  const command = `autoload -Uz compinit && compinit -u -D && source ${file} && print -r -- $_comps[rein]`;
  const ran = spawnSync('zsh', ['-f', '-c', command], { encoding: 'utf8' });
  expect([ran.stdout, ran.stderr]).toEqual(['_rein\n', '']);
});
