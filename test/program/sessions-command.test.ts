import { existsSync, readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Workspace, workspace } from '../../conformance/rig.ts';

const KEY = 'a-key-that-nobody-else-has';

type Listed = { id: string; cwd: string; firstPrompt: string | null; title: string | null };

async function listed(w: Workspace, args: readonly string[] = []): Promise<Listed[]> {
  const { code, stdout, stderr } = await w.run(['sessions', 'list', '--json', ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Listed[];
}

test('sessions are listed, found by words and by title, of this directory or of all', async () => {
  const w = await workspace({ '.git/': null, 'other/.git/': null });
  expect(await w.run(['sessions'])).toEqual({
    code: 0,
    signal: null,
    stdout: '',
    stderr: 'rein: no session of this directory (--all: of every one)\n',
  });
  await w.print(['Repair the pricing']);
  const session = w.stream();
  await session.prompt('Say hello');
  await session.command({ type: 'title', text: 'A greeting' });
  await session.end();
  await w.print(['Elsewhere'], { cwd: 'other' });
  expect((await listed(w)).map(({ title, firstPrompt }) => title ?? firstPrompt)).toEqual([
    'A greeting',
    'Repair the pricing',
  ]);
  expect((await listed(w, ['PRICING'])).map(({ firstPrompt }) => firstPrompt)).toEqual(['Repair the pricing']);
  expect((await listed(w, ['--all'])).map(({ cwd }) => cwd)).toEqual([w.path('other'), w.project, w.project]);
  const { stdout } = await w.run(['sessions', '--all']);
  expect(stdout.split('\n').map((line) => line.split('  ').at(-1))).toEqual([
    'Elsewhere',
    'A greeting',
    'Repair the pricing',
    '',
  ]);
});

test('a session is shown and exported with the origin of each piece, and no key in it', async () => {
  const w = await workspace({ '.git/': null, 'AGENTS.md': 'RULES <b>of the house</b>' });
  await w.print([`keep ${KEY} to yourself`]);
  const id = (await listed(w))[0]?.id ?? '';
  const env = { OPENAI_API_KEY: KEY };
  const run = (args: readonly string[]): ReturnType<Workspace['run']> => w.run(['sessions', ...args], { env });
  const shown = await run(['show', id.slice(0, 14)]);
  expect(shown.stdout).toMatch(new RegExp(`^ {2}· context-file:.*, 25 bytes, from ${w.path('AGENTS.md')} `, 'm'));
  const whole = JSON.parse((await run(['show', id, '--json'])).stdout) as { entries: { type: string }[] };
  expect(whole.entries.map(({ type }) => type).filter((type) => type !== 'change')).toEqual([
    'prompt',
    'instructions',
    'answer',
  ]);
  const markdown = await run(['export', id]);
  const page = await run(['export', id, '--out', 'page.html']);
  const html = readFileSync(w.path('page.html'), 'utf8');
  expect([page.code, page.stdout, statSync(w.path('page.html')).mode & 0o777]).toEqual([0, '', 0o600]);
  expect(html).toContain('RULES &lt;b&gt;of the house&lt;/b&gt;');
  expect(markdown.stdout).toContain('```text\nRULES <b>of the house</b>\n```');
  for (const text of [shown.stdout, JSON.stringify(whole), markdown.stdout, html]) {
    expect([text.includes(KEY), text.includes('keep [masked] to yourself')]).toEqual([false, true]);
  }
  expect((await run(['export', id, '--format', 'html'])).stdout).toBe(html);
});

test('a session is copied and deleted by its id or the beginning of it; one that is open is refused', async () => {
  const w = await workspace({ '.git/': null });
  await w.print(['one']);
  const [file = ''] = w.sessionFiles();
  const id = (await listed(w))[0]?.id ?? '';
  const copy = (await w.run(['sessions', 'fork', id.slice(0, 15)])).stdout.trim();
  expect((await listed(w)).map((session) => session.id).sort()).toEqual([id, copy].sort());

  const session = w.stream(['--resume', id]);
  await session.prompt('two');
  const refused = await w.run(['sessions', 'delete', copy, id]);
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringMatching(new RegExp(`^deleted ${copy} `))]);
  expect(refused.stderr).toMatch(new RegExp(`^rein: session ${id} is open in process ${session.pid}`));
  await session.end();

  const gone = await w.run(['sessions', 'delete', id]);
  expect([gone.code, gone.stdout, existsSync(file)]).toEqual([
    0,
    expect.stringMatching(/^deleted .* [0-9]+ kB one\n$/),
    false,
  ]);
  expect(await listed(w)).toEqual([]);
});

test.each<[args: string[], message: RegExp]>([
  [['show'], /^rein: usage: rein sessions show ID\n$/],
  [['show', 'a', 'b'], /^rein: .*takes one ID/],
  [['show', 'nosuch'], /^rein: there is no session "nosuch"\n$/],
  [['delete'], /^rein: usage: rein sessions delete ID/],
  [['delete', ''], /^rein: an empty id names no session\n$/],
  [['delete', '../x'], /^rein: there is no session/],
  [['export', '--out='], /^rein: --out is empty/],
  [['list', '--out', 'x'], /^rein: --out is not an option of "rein sessions list"\n$/],
  [['show', '--all'], /^rein: --all is not an option of "rein sessions show"\n$/],
  [['shwo'], /^rein: .*did you mean show\?\n$/],
  [['list', '-C', 'nosuch'], /^rein: cannot work in /],
])('%j is one line and exit code 2', async (args, message) => {
  const w = await workspace({ '.git/': null });
  const { code, stdout, stderr } = await w.run(['sessions', ...args]);
  expect({ code, stdout, lines: stderr.match(/\n/g)?.length }).toEqual({ code: 2, stdout: '', lines: 1 });
  expect(stderr).toMatch(message);
});

test('a reader that has seen enough ends an export quietly', async () => {
  const w = await workspace({ '.git/': null }, { replies: [{ text: 'x'.repeat(3_000_000) }] });
  await w.print(['one']);
  const id = (await listed(w))[0]?.id ?? '';
  const { spawnSync } = await import('node:child_process');
  const { PROGRAM } = await import('../../conformance/rig/program.ts');
  const script = `"$NODE" "$PROGRAM" sessions export ${id} | head -c 100; echo "\${PIPESTATUS[0]}" >&2`;
  const { stderr } = spawnSync('bash', ['-c', script], {
    cwd: w.project,
    env: w.environment({ NODE: process.execPath, PROGRAM }),
    encoding: 'utf8',
  });
  expect(stderr).toBe('0\n');
});
