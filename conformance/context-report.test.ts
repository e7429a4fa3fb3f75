import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import type { ContextReport } from '../src/model/index.ts';
import { type RehearsalReply, reply } from '../src/testing/index.ts';
import { messagesOf, systemOf, type Workspace, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

const CAP = 2_097_152;

async function preview(w: Workspace, args: readonly string[] = [], cwd: string = '.'): Promise<ContextReport> {
  const { code, stdout, stderr } = await w.run(['context', '--json', ...args], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as ContextReport;
}

/** The row of one directory and kind. */
function row(report: ContextReport, kind: string, directory: string): { took: string | null; why: string } | undefined {
  const found = report.searched.find((each) => each.kind === kind && each.directory === directory);
  return found === undefined ? undefined : { took: found.took, why: found.why };
}

verifies('R3a', 'the preview is what is then sent, and writes and calls nothing', async () => {
  for (const harness of ['kli', 'rein']) {
    const w = await workspace({ '.git/': null, 'AGENTS.md': 'RULES' }, { harness });
    const report = await preview(w);
    const body = await w.run(['context', '--body', '--prompt', 'hello there']);
    expect(w.requests()).toEqual([]);
    expect(existsSync(w.path('~/.local'))).toBe(false);
    await w.print(['hello there']);
    const [sent] = w.requests();
    expect(report.system).toBe(systemOf(sent));
    expect(body.stdout.replace(/\n$/, '')).toBe(sent?.body);
  }
});

verifies(
  'R3a',
  'the preview of a session tells of what has ended in the background, as its next prompt then does',
  async () => {
    const replies: RehearsalReply[] = [
      reply.calls([
        {
          name: 'shell',
          arguments: {
            command: 'until [ -e go ]; do sleep 0.05; done; echo built',
            background: true,
            description: 'build',
          },
        },
      ]),
      { text: 'ok', repeat: true },
    ];
    const w = await workspace({ '.git/': null }, { harness: 'rein', replies });
    // It ends after the turn, and is not told in this run.
    const run = ['--permission-mode', 'yolo', '-c', 'tasks.wake=false', '-c', 'notices.session_resumed=false'];
    const s = w.stream(run);
    await s.prompt('go');
    w.write('go', '');
    await s.until(({ type, state }) => type === 'task' && state === 'completed');
    await s.end();
    const id = String(w.sessionLines()[0]?.id);
    const options = ['--permission-mode', 'yolo', '-c', 'notices.session_resumed=false'];
    const before = w.sessionLines();
    const body = await w.run(['context', '--session', id, '--body', '--prompt', 'next', ...options]);
    expect(body.stderr).toBe('');
    expect(w.sessionLines()).toEqual(before);
    await w.print(['--resume', id, ...options, 'next']);
    const told = messagesOf(w.requests().at(-1)).filter(({ content }) => content?.includes('build) has ended'));
    expect(told).toHaveLength(1);
    expect(body.stdout.replace(/\n$/, '')).toBe(w.requests().at(-1)?.body);
  },
);

verifies('R3a', 'no model need be configured', async () => {
  const w = await workspace({ '.git/': null });
  const { code, stdout } = await w.run(['context', '--json'], { env: { REIN_MODEL: '', REIN_BASE_URL: '' } });
  expect({ code, model: (JSON.parse(stdout) as ContextReport).model }).toEqual({ code: 0, model: null });
});

verifies('R3a', 'each directory says what was looked for, what was taken, and why not the rest', async () => {
  const w = await workspace({
    '.git/': null,
    'AGENTS.md': 'taken',
    'CLAUDE.md': 'shadowed',
    'a/AGENTS.md': 'x'.repeat(CAP + 1),
    'a/CLAUDE.md': 'second choice',
    'a/b/': null,
    '.kli/SYSTEM.md': ' \n',
    'a/.kli/APPEND_SYSTEM.md': 'nearer',
  });
  const report = await preview(w, [], 'a/b');
  const root = row(report, 'context-file', w.project);
  expect(root?.took).toBe('AGENTS.md');
  expect(root?.why).toMatch(/CLAUDE\.md/);
  const inner = row(report, 'context-file', w.path('a'));
  expect(inner?.took).toBe('CLAUDE.md');
  expect(inner?.why).toMatch(/AGENTS\.md.*2,?097,?153.*2,?097,?152/);
  expect(row(report, 'context-file', w.path('a/b'))?.took).toBe(null);
  expect(row(report, 'context-file', w.path('~/.config/kli'))?.took).toBe(null);
  const blank = row(report, 'override', w.path('.kli'));
  expect(blank?.took).toBe(null);
  expect(blank?.why).toMatch(/blank/);
  const named = report.diagnostics.filter(({ message, path }) => `${path} ${message}`.includes(w.path('a/.kli')));
  expect(named).toHaveLength(1);
});

verifies('R3a', 'what was found and is not sent is a skipped piece with its reason', async () => {
  const w = await workspace({ '.git/': null, 'AGENTS.md': 'x'.repeat(CAP + 1) });
  const { pieces } = await preview(w);
  const skipped = pieces.filter(({ status }) => status === 'skipped');
  expect(skipped.map(({ origin, at }) => ({ path: origin.path, at }))).toEqual([{ path: w.path('AGENTS.md'), at: [] }]);
  expect(skipped[0]?.reason).toMatch(/2,?097,?152/);
});

verifies(
  'R3a',
  'before the first prompt a chain is pending, and belongs to the message it will be sent in',
  async () => {
    const w = await workspace({ '.git/': null, 'AGENTS.md': 'RULES' }, { harness: 'rein' });
    const { pieces } = await preview(w);
    const chain = pieces.filter(({ kind }) => kind === 'context-file');
    expect(
      chain.map(({ origin, placement, status, trigger }) => ({ path: origin.path, placement, status, trigger })),
    ).toEqual([{ path: w.path('AGENTS.md'), placement: 'history', status: 'pending', trigger: 'chain-changed' }]);
  },
);

verifies(
  'R3a',
  'the printed form names every file that was taken, and every one that was passed over with its reason',
  async () => {
    const w = await workspace({
      '.git/': null,
      'AGENTS.md': 'taken',
      'CLAUDE.md': 'shadowed',
      '.kli/SYSTEM.md': ' \n',
    });
    const { code, stdout } = await w.run(['context'], { env: { COLUMNS: '200' } });
    expect(code).toBe(0);
    for (const words of [/AGENTS\.md/, /CLAUDE\.md.*not read/, /SYSTEM\.md.*blank/]) expect(stdout).toMatch(words);
  },
);
