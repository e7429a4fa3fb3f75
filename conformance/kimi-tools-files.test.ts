import { readFileSync, utimesSync } from 'node:fs';
import { expect } from 'vitest';
import type { Tree } from './rig/files.ts';
import { picture } from './rig/picture.ts';
import { callsThenDone, type ModelCall } from './rig/tool-results.ts';
import { bodyOf, messagesOf, type Workspace, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

const FILE_TOOLS = ['ReadFile', 'ReadMediaFile', 'Glob', 'Grep', 'WriteFile', 'StrReplaceFile'];

/** The text of a result, its parts one after the other, as the model is sent it. */
function sent(content: unknown): string {
  if (!Array.isArray(content)) return String(content);
  return content.map(({ type, text }: { type: string; text?: string }) => text ?? `[${type}]`).join('');
}

/** What came back of the calls, one after the other; `$W` stands for the project, which is `~/../project`. */
async function results(
  tree: Tree,
  calls: readonly ModelCall[],
  prepare: (w: Workspace) => void = () => undefined,
): Promise<{ w: Workspace; results: string[] }> {
  const w = await workspace(
    { '.git/': null, ...tree },
    { harness: 'kimi-cli', replies: callsThenDone(calls.map((call) => [call])) },
  );
  prepare(w);
  await w.print(['--permission-mode', 'yolo', 'go']);
  const tools = messagesOf(w.requests().at(-1)).filter(({ role }) => role === 'tool');
  return { w, results: tools.map(({ content }) => sent(content).replaceAll(w.project, '$W')) };
}

verifies('M5', 'the tools of files are offered in their order with exactly these schemas', async () => {
  const w = await workspace({ '.git/': null }, { harness: 'kimi-cli' });
  await w.print(['hello']);
  const tools = bodyOf(w.requests()[0]).tools ?? [];
  const files = tools.filter(({ function: { name } }) => FILE_TOOLS.includes(name));
  await expect(`${JSON.stringify(files, null, 2)}\n`).toMatchFileSnapshot('./goldens/kimi-tools-files.txt');
});

const lines = (from: number, to: number, text = (line: number): string => `line ${line}`): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `${text(from + index)}\n`).join('');
const numbered = (from: number, to: number, text?: (line: number) => string): string =>
  lines(from, to, (line) => `${String(line).padStart(6)}\t${text?.(line) ?? `line ${line}`}`);

verifies(
  'M5',
  'ReadFile numbers lines, from either end, and says how much was read and how much there is',
  async () => {
    const { results: told } = await results({ 'a.txt': lines(1, 5), 'empty.txt': '', 'open.txt': 'x\r\ny' }, [
      ['ReadFile', { path: 'a.txt' }],
      ['ReadFile', { path: '~/../project/a.txt', line_offset: 2, n_lines: 2 }],
      ['ReadFile', { path: 'a.txt', line_offset: -2 }],
      ['ReadFile', { path: 'a.txt', line_offset: -4, n_lines: 2 }],
      ['ReadFile', { path: 'a.txt', line_offset: 9 }],
      ['ReadFile', { path: 'empty.txt', line_offset: -3 }],
      ['ReadFile', { path: 'open.txt' }],
    ]);
    expect(told).toEqual([]);
  },
);

verifies('M5', 'ReadFile ends at 1000 lines or 102400 bytes, and cuts lines at 2000 characters', async () => {
  const long = (line: number): string => `${line}${'x'.repeat(1499 - String(line).length)}`;
  const { results: told } = await results(
    { 'many.txt': lines(1, 1200), 'long.txt': lines(1, 500, long), 'wide.txt': `short\n${'é'.repeat(2000)}\nend` },
    [
      ['ReadFile', { path: 'many.txt', n_lines: 2000 }],
      ['ReadFile', { path: 'many.txt' }],
      ['ReadFile', { path: 'long.txt' }],
      ['ReadFile', { path: 'long.txt', line_offset: -200 }],
      ['ReadFile', { path: 'long.txt', line_offset: -200, n_lines: 1 }],
      ['ReadFile', { path: 'wide.txt' }],
    ],
  );
  expect(told).toEqual([]);
});

verifies(['M5', 'M61'], 'ReadFile says why it reads no such file', async () => {
  const { results: told } = await results(
    {
      'a.txt': 'a\n',
      '.env': 'KEY=1\n',
      '.env.example': 'KEY=\n',
      'shot.png': picture(4, 2, 90),
      'x.bin': 'a\0b',
      'd/': null,
      '~/note.txt': 'home\n',
    },
    [
      ['ReadFile', { path: 'none.txt' }],
      ['ReadFile', { path: 'd' }],
      ['ReadFile', { path: '.env' }],
      ['ReadFile', { path: '.env.example' }],
      ['ReadFile', { path: 'shot.png' }],
      ['ReadFile', { path: 'x.bin' }],
      ['ReadFile', { path: '' }],
      ['ReadFile', { path: '../home/note.txt' }],
      ['ReadFile', { path: '~/note.txt' }],
      ['ReadFile', { path: 'a.txt', line_offset: 0 }],
      ['ReadFile', { path: 'a.txt', line_offset: -1001 }],
      ['ReadFile', { path: 'a.txt', n_lines: 0 }],
    ],
  );
  expect(told).toEqual([]);
});

verifies('M5', 'ReadMediaFile shows an image between its tags, and says of others what they are', async () => {
  const bytes = picture(2400, 12, 90);
  const { results: told } = await results(
    { 'a.txt': 'a\n', 'shot.png': bytes, 'empty.png': '', 'x.bin': 'a\0b', 'd/': null },
    [
      ['ReadMediaFile', { path: 'shot.png' }],
      ['ReadMediaFile', { path: 'a.txt' }],
      ['ReadMediaFile', { path: 'empty.png' }],
      ['ReadMediaFile', { path: 'x.bin' }],
      ['ReadMediaFile', { path: 'd' }],
      ['ReadMediaFile', { path: 'none.png' }],
    ],
  );
  expect(told).toEqual([]);
});

verifies(
  'M5',
  'Glob gives files and directories in the order of their paths, hidden and ignored ones too',
  async () => {
    const { results: told } = await results(
      {
        '.gitignore': 'out/\n',
        'src/a/one.ts': '',
        'src/a-b.ts': '',
        'src/.hidden/two.ts': '',
        'out/three.ts': '',
        '~/elsewhere/': null,
      },
      [
        ['Glob', { pattern: 'src/**/*' }],
        ['Glob', { pattern: 'src/**/*', include_dirs: false }],
        ['Glob', { pattern: '*' }],
        ['Glob', { pattern: '*.ts', directory: '~/../project/src' }],
        ['Glob', { pattern: 'src' }],
        ['Glob', { pattern: 'none/*.py' }],
        ['Glob', { pattern: '**/*.ts' }],
        ['Glob', { pattern: '../*' }],
        ['Glob', { pattern: '*', directory: 'src' }],
        ['Glob', { pattern: '*', directory: '~/elsewhere' }],
        ['Glob', { pattern: '*', directory: '~/../project/none' }],
        ['Glob', { pattern: '*', directory: '~/../project/.gitignore' }],
      ],
    );
    expect(told).toEqual([]);
  },
);

verifies('M5', 'Glob returns the first thousand matches and tells how many there are', async () => {
  const names = Array.from({ length: 1003 }, (_, index) => `many/f${String(index).padStart(4, '0')}`);
  const { results: told } = await results(Object.fromEntries(names.map((name) => [name, ''])), [
    ['Glob', { pattern: 'many/*' }],
  ]);
  expect(told).toEqual([]);
});

const SEARCHED: Tree = {
  '.gitignore': 'out/\n',
  'a.py': 'tally\nx\ny\nz\nTally tally\n',
  'b.js': 'const tally = 1;\n',
  'src/c.py': 'no\n',
  'src/.d.py': 'tally {\n}\n',
  'out/e.py': 'tally\n',
  '.env': 'tally\n',
  '.svn/f.py': 'tally\n',
  'same.txt': 'one\ntwo\n',
};

verifies(
  'M5',
  'Grep names files last changed first, shows lines and counts, and narrows by name, type and letter case',
  async () => {
    const { results: told } = await results(
      SEARCHED,
      [
        ['Grep', { pattern: 'tally' }],
        ['Grep', { pattern: 'tally', output_mode: 'content' }],
        ['Grep', { pattern: 'tally', output_mode: 'content', '-n': false, '-i': true, glob: '*.py' }],
        ['Grep', { pattern: 'tally', output_mode: 'content', '-C': 1, type: 'py' }],
        ['Grep', { pattern: 'tally', output_mode: 'count_matches', head_limit: 1 }],
        ['Grep', { pattern: 'tally', path: 'a.py', output_mode: 'content', head_limit: 1 }],
        ['Grep', { pattern: 'tally', path: 'a.py', output_mode: 'content', offset: 1, head_limit: null }],
        ['Grep', { pattern: 'tally', path: 'a.py', output_mode: 'content', offset: 9 }],
        ['Grep', { pattern: 'tally', include_ignored: true, path: '~/../project/out' }],
        ['Grep', { pattern: 'one.two', multiline: true, output_mode: 'content' }],
        ['Grep', { pattern: 'absent' }],
        ['Grep', { pattern: '(' }],
        ['Grep', { pattern: 'x', type: 'nonsense' }],
        ['Grep', { pattern: 'x', path: 'none' }],
        ['Grep', { pattern: 'x', path: '../home' }],
        ['Grep', { pattern: 'x', output_mode: 'lines' }],
        ['Grep', { pattern: 'x', head_limit: -1 }],
      ],
      (w) => {
        for (const [index, name] of ['src/.d.py', 'b.js', 'a.py'].entries())
          utimesSync(w.path(name), 1000 + index, 1000 + index);
      },
    );
    expect(told).toEqual([]);
  },
);

verifies('M5', 'WriteFile writes and appends, and replaces nothing that was not read', async () => {
  const { w, results: told } = await results({ 'old.txt': 'old\n', 'log.txt': 'é\n', 'd/': null }, [
    ['WriteFile', { path: 'new.txt', content: 'é\n' }],
    ['WriteFile', { path: 'new.txt', content: 'again' }],
    ['WriteFile', { path: 'log.txt', content: 'more\n', mode: 'append' }],
    ['WriteFile', { path: 'made.txt', content: 'x', mode: 'append' }],
    ['WriteFile', { path: 'old.txt', content: 'gone' }],
    ['ReadFile', { path: 'old.txt' }],
    ['WriteFile', { path: 'old.txt', content: 'seen\n' }],
    ['WriteFile', { path: 'none/x.txt', content: 'x' }],
    ['WriteFile', { path: 'd', content: 'x' }],
    ['WriteFile', { path: '../x.txt', content: 'x' }],
    ['WriteFile', { path: 'x.txt', content: 'x', mode: 'insert' }],
  ]);
  expect(told).toEqual([]);
  expect(['new.txt', 'log.txt', 'made.txt', 'old.txt'].map((name) => readFileSync(w.path(name), 'utf8'))).toEqual([]);
});

verifies('M5', 'StrReplaceFile replaces the first or every occurrence, one edit after the other', async () => {
  const { w, results: told } = await results({ 'a.txt': 'x x x\n$1\n', 'b.txt': 'b' }, [
    ['StrReplaceFile', { path: 'b.txt', edit: { old: 'b', new: 'c' } }],
    ['ReadFile', { path: 'a.txt' }],
    ['StrReplaceFile', { path: 'a.txt', edit: { old: 'x', new: 'y' } }],
    [
      'StrReplaceFile',
      {
        path: 'a.txt',
        edit: [
          { old: 'x', new: '$&', replace_all: true },
          { old: 'absent', new: '!' },
          { old: 'y $&', new: 'z' },
        ],
      },
    ],
    ['StrReplaceFile', { path: 'a.txt', edit: { old: 'absent', new: '!' } }],
    ['StrReplaceFile', { path: 'a.txt', edit: { old: 'z', new: 'z' } }],
    ['StrReplaceFile', { path: 'a.txt', edit: { old: '', new: 'z' } }],
    ['StrReplaceFile', { path: 'a.txt', edit: [] }],
    ['StrReplaceFile', { path: 'a.txt', edit: { old: 'z' } }],
    ['StrReplaceFile', { path: 'none.txt', edit: { old: 'z', new: 'a' } }],
    ['StrReplaceFile', { path: '.', edit: { old: 'z', new: 'a' } }],
  ]);
  expect(told).toEqual([]);
  expect(['a.txt', 'b.txt'].map((name) => readFileSync(w.path(name), 'utf8'))).toEqual([]);
});
