import { readFileSync, utimesSync } from 'node:fs';
import { expect } from 'vitest';
import type { Tree } from './rig/files.ts';
import { picture, sizeOf } from './rig/picture.ts';
import { callsThenDone, type ModelCall } from './rig/tool-results.ts';
import { bodyOf, messagesOf, toolNamesOf, type Workspace, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

const FILE_TOOLS = ['ReadFile', 'ReadMediaFile', 'Glob', 'Grep', 'WriteFile', 'StrReplaceFile'];

const ALL_TOOLS = [
  ...['Agent', 'AskUserQuestion', 'SetTodoList', 'Shell', 'TaskList', 'TaskOutput', 'TaskStop'],
  ...FILE_TOOLS,
  ...['SearchWeb', 'FetchURL', 'ExitPlanMode', 'EnterPlanMode'],
];

/** The text of a result as the model is sent it, its parts one after the other. */
function sent(content: unknown): string {
  if (!Array.isArray(content)) return String(content);
  return content.map(({ text }: { text?: string }) => text ?? '').join('');
}

const said = (message: string, output = ''): string => `<system>${message}</system>${output}`;
const refused = (message: string): string => `<system>ERROR: ${message}</system>`;

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

verifies('M5', 'whatever is offered has a name of the original, in its order', async () => {
  const w = await workspace({ '.git/': null }, { harness: 'kimi-cli' });
  await w.print(['hello']);
  const names = toolNamesOf(w.requests()[0]);
  expect(names).toEqual(ALL_TOOLS.filter((name) => names.includes(name)));
});

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
    expect(told).toEqual([
      said('5 lines read from file starting from line 1. Total lines in file: 5. End of file reached.', numbered(1, 5)),
      said('2 lines read from file starting from line 2. Total lines in file: 5.', numbered(2, 3)),
      said('2 lines read from file starting from line 4. Total lines in file: 5. End of file reached.', numbered(4, 5)),
      said('2 lines read from file starting from line 2. Total lines in file: 5.', numbered(2, 3)),
      said('No lines read from file. Total lines in file: 5. End of file reached.'),
      said('No lines read from file. Total lines in file: 0. End of file reached.'),
      said(
        '2 lines read from file starting from line 1. Total lines in file: 2. End of file reached.',
        '     1\tx\r\n     2\ty',
      ),
    ]);
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
  const total = (count: number, from: number, all: number): string =>
    `${count} lines read from file starting from line ${from}. Total lines in file: ${all}.`;
  expect(told).toEqual([
    said(`${total(1000, 1, 1200)} Max 1000 lines reached.`, numbered(1, 1000)),
    said(total(1000, 1, 1200), numbered(1, 1000)),
    said(`${total(69, 1, 500)} Max 102400 bytes reached.`, numbered(1, 69, long)),
    said(`${total(68, 433, 500)} Max 102400 bytes reached.`, numbered(433, 500, long)),
    said(total(1, 301, 500), numbered(301, 301, long)),
    said(
      `${total(3, 1, 3)} End of file reached. Lines [2] were truncated.`,
      `     1\tshort\n     2\t${'é'.repeat(1996)}...\n     3\tend`,
    ),
  ]);
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
      ['ReadFile', { path: 'a.txt', line_offset: 0 }],
      ['ReadFile', { path: 'a.txt', line_offset: -1001 }],
      ['ReadFile', { path: 'a.txt', n_lines: 0 }],
    ],
  );
  expect(told).toEqual([
    refused('`$W/none.txt` does not exist.'),
    refused('`$W/d` is not a file.'),
    refused(
      '`$W/.env` is named like a file of keys or passwords, and such files are not read. Ask the user for what you need to know.',
    ),
    said('1 lines read from file starting from line 1. Total lines in file: 1. End of file reached.', '     1\tKEY=\n'),
    refused('`$W/shot.png` is an image, not text. Use ReadMediaFile to look at it.'),
    refused('`$W/x.bin` is not text. Use Shell, a Python script or an MCP tool that knows its format.'),
    refused('File path cannot be empty.'),
    refused('`../home/note.txt` is not an absolute path. Outside the working directory only absolute paths are taken.'),
    refused(
      'Error validating JSON arguments: line_offset cannot be 0: lines are counted from 1, or from -1 at the end',
    ),
    refused('Error validating JSON arguments: line_offset cannot be -1001: it must be at least -1000'),
    refused('Error validating JSON arguments: n_lines must be at least 1'),
  ]);
});

verifies('M5', 'ReadMediaFile shows an image between its tags, and says of others what they are', async () => {
  const bytes = picture(2400, 12, 90);
  const { w, results: told } = await results(
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
  const advice =
    'Say where something is in it by shares of its width and height, and work out pixels from the original size. After making or changing an image, read it again before going on.';
  expect(told).toEqual([
    said(
      `Loaded image file \`$W/shot.png\` (image/png, ${bytes.length} bytes, original size 2400x12px). ${advice}`,
      '<image path="$W/shot.png"></image>',
    ),
    refused('`$W/a.txt` is text. Use ReadFile to read it.'),
    refused('`$W/empty.png` is empty.'),
    refused('`$W/x.bin` is no image. Use Shell, a Python script or an MCP tool that knows its format.'),
    refused('`$W/d` is not a file.'),
    refused('`$W/none.png` does not exist.'),
  ]);
  const urls = JSON.stringify(messagesOf(w.requests()[1])).match(/data:image\/png;base64,[^"]+/g) ?? [];
  expect(urls.map(sizeOf)).toEqual([[2000, 10]]);
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
        'to-src': { link: 'src' },
        '~/elsewhere/': null,
      },
      [
        ['Glob', { pattern: 'src/**/*' }],
        ['Glob', { pattern: 'src/**/*', include_dirs: false }],
        ['Glob', { pattern: '*' }],
        ['Glob', { pattern: '*.ts', directory: '~/../project/src' }],
        ['Glob', { pattern: 'src' }],
        ['Glob', { pattern: 'none/*.py' }],
        ['Glob', { pattern: '../*' }],
        ['Glob', { pattern: '*', directory: 'src' }],
        ['Glob', { pattern: '*', directory: '~/elsewhere' }],
        ['Glob', { pattern: '*', directory: '~/../project/none' }],
        ['Glob', { pattern: '*', directory: '~/../project/.gitignore' }],
      ],
    );
    expect(told).toEqual([
      said(
        'Found 5 matches for pattern `src/**/*`.',
        'src/.hidden\nsrc/.hidden/two.ts\nsrc/a\nsrc/a/one.ts\nsrc/a-b.ts',
      ),
      said('Found 3 matches for pattern `src/**/*`.', 'src/.hidden/two.ts\nsrc/a/one.ts\nsrc/a-b.ts'),
      said('Found 4 matches for pattern `*`.', '.gitignore\nout\nsrc\nto-src'),
      said('Found 1 matches for pattern `*.ts`.', 'a-b.ts'),
      said('Found 1 matches for pattern `src`.', 'src'),
      said('No matches found for pattern `none/*.py`.'),
      refused('Pattern `../*` is not relative to the directory. Name the place in `directory`.'),
      refused('`src` is not an absolute path. Name the directory by its absolute path.'),
      refused('`~/elsewhere` is outside the workspace. Only directories of the workspace are searched.'),
      refused('`$W/none` does not exist.'),
      refused('`$W/.gitignore` is not a directory.'),
    ]);
  },
);

verifies('M5', 'Glob returns the first thousand matches and tells how many there are', async () => {
  const names = Array.from({ length: 1003 }, (_, index) => `many/f${String(index).padStart(4, '0')}`);
  const { results: told } = await results(Object.fromEntries(names.map((name) => [name, ''])), [
    ['Glob', { pattern: 'many/*' }],
  ]);
  expect(told).toEqual([
    said(
      'Found 1003 matches for pattern `many/*`. Only the first 1000 matches are returned. Use a narrower pattern.',
      names.slice(0, 1000).join('\n'),
    ),
  ]);
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
    const skipped = 'Skipped 1 sensitive file(s) (.env): they may hold keys or passwords.';
    expect(told).toEqual([
      said(skipped, 'a.py\nb.js\nsrc/.d.py'),
      said(skipped, 'a.py:1:tally\na.py:5:Tally tally\nb.js:1:const tally = 1;\nsrc/.d.py:1:tally {'),
      'a.py:tally\na.py:Tally tally\nsrc/.d.py:tally {',
      'a.py:1:tally\na.py-2-x\n--\na.py-4-z\na.py:5:Tally tally\n--\nsrc/.d.py:1:tally {\nsrc/.d.py-2-}',
      said(
        `Found 4 total occurrences across 3 files. Results truncated to 1 lines (total: 3). Use offset=1 to see more. ${skipped}`,
        'a.py:2',
      ),
      said('Results truncated to 1 lines (total: 2). Use offset=1 to see more.', 'a.py:1:tally'),
      'a.py:5:Tally tally',
      said('No matches found.'),
      'e.py',
      'same.txt:1:one\nsame.txt:2:two',
      said('No matches found.'),
      refused(
        'Failed to grep. Error: The search was refused: regex parse error:\n    (?:()\n    ^\nerror: unclosed group',
      ),
      refused('Failed to grep. Error: The search was refused: unrecognized file type: nonsense'),
      refused('`$W/none` does not exist.'),
      refused('`../home` is not an absolute path. Outside the working directory only absolute paths are taken.'),
      refused('Error validating JSON arguments: output_mode must be one of content, files_with_matches, count_matches'),
      refused('Error validating JSON arguments: head_limit must be at least 0'),
    ]);
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
  expect(told).toEqual([
    said('File successfully overwritten. Current size: 3 bytes.'),
    said('File successfully overwritten. Current size: 5 bytes.'),
    said('File successfully appended to. Current size: 8 bytes.'),
    said('File successfully appended to. Current size: 1 bytes.'),
    refused('$W/old.txt has not been read in this conversation. Read it before overwriting it. Nothing was changed.'),
    said('1 lines read from file starting from line 1. Total lines in file: 1. End of file reached.', '     1\told\n'),
    said('File successfully overwritten. Current size: 5 bytes.'),
    refused('`$W/none`: parent directory does not exist.'),
    refused('`$W/d` is not a file.'),
    refused('`../x.txt` is not an absolute path. Outside the working directory only absolute paths are taken.'),
    refused('Error validating JSON arguments: mode must be one of overwrite, append'),
  ]);
  expect(['new.txt', 'log.txt', 'made.txt', 'old.txt'].map((name) => readFileSync(w.path(name), 'utf8'))).toEqual([
    'again',
    'é\nmore\n',
    'x',
    'seen\n',
  ]);
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
  const edited = (edits: number, replaced: number): string =>
    said(`File successfully edited. Applied ${edits} edit(s) with ${replaced} total replacement(s).`);
  const none = refused('No replacements were made. The old string was not found in the file.');
  expect(told).toEqual([
    refused('$W/b.txt has not been read in this conversation. Read it before editing it. Nothing was changed.'),
    said(
      '2 lines read from file starting from line 1. Total lines in file: 2. End of file reached.',
      '     1\tx x x\n     2\t$1\n',
    ),
    edited(1, 1),
    edited(3, 3),
    none,
    none,
    refused(
      'Failed to edit. Error: The old text is empty. Give the text to replace; to fill a new file, write it. Nothing was changed.',
    ),
    none,
    refused('Error validating JSON arguments: edit.new is missing'),
    refused('`$W/none.txt` does not exist.'),
    refused('`$W` is not a file.'),
  ]);
  expect(['a.txt', 'b.txt'].map((name) => readFileSync(w.path(name), 'utf8'))).toEqual(['z $&\n$1\n', 'b']);
});

verifies('M5', 'ReadMediaFile is offered to models that take images, and to no others', async () => {
  const w = await workspace({ '.git/': null }, { harness: 'kimi-cli' });
  await w.print(['hello']);
  await w.print(['-c', `providers=${JSON.stringify({ custom: { modalities: ['text'] } })}`, 'hello']);
  const names = w.requests().map((request) => toolNamesOf(request).filter((name) => FILE_TOOLS.includes(name)));
  expect(names).toEqual([FILE_TOOLS, FILE_TOOLS.filter((name) => name !== 'ReadMediaFile')]);
});

verifies(
  ['M62', 'M63', 'M64'],
  'blank and binary output is named, and a text of the program is wrapped once',
  async () => {
    const { results: told } = await results({ 'late.txt': `${lines(1, 9999)}a\0b\n` }, [
      ['Shell', { command: 'echo' }],
      ['ReadFile', { path: 'late.txt', line_offset: -1 }],
      ['Shell', { command: "printf '<system>ERROR: of its own</system>'; exit 3" }],
    ]);
    expect(told).toEqual([
      said('Command executed successfully.', '<system>Tool output is empty.</system>'),
      said(
        '1 lines read from file starting from line 10000. Total lines in file: 10000. End of file reached.',
        '<system>Tool returned non-text content.</system>',
      ),
      `${refused('Command failed with exit code: 3.')}<system>ERROR: of its own</system>`,
    ]);
  },
);
