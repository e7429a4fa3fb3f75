import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { ContextReport } from '../src/model/index.ts';
import { messagesOf, systemOf, type Workspace, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

const TOOL_TURN = [
  { text: 'I look.', calls: [{ name: 'read', arguments: '{ "path": "notes.txt" }' }] },
  { text: 'ok', repeat: true },
];

/** The stored session's id. */
function sessionId(w: Workspace): string {
  return String(w.sessionLines()[0]?.id);
}

async function report(w: Workspace, args: readonly string[]): Promise<ContextReport> {
  const { code, stdout, stderr } = await w.run(['context', '--json', ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as ContextReport;
}

function hash(text: Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The bytes of one stretch of a request. */
function stretch(text: string, start: number, end: number): Buffer {
  return Buffer.from(text, 'utf8').subarray(start, end);
}

/** What of the system prompt no piece covers; fails where pieces overlap or do not hold what their hash says. */
function separatorsOf({ system, pieces }: ContextReport): string[] {
  const spans = pieces
    .flatMap((piece) => piece.at.map((at) => ({ ...at, sha256: piece.sha256 })))
    .filter((span) => span.in === 'system')
    .sort((left, right) => left.start - right.start);
  const separators: string[] = [];
  let at = 0;
  for (const span of spans) {
    expect(span.start).toBeGreaterThanOrEqual(at);
    expect(hash(stretch(system, span.start, span.end))).toBe(span.sha256);
    separators.push(stretch(system, at, span.start).toString());
    at = span.end;
  }
  separators.push(stretch(system, at, Buffer.byteLength(system)).toString());
  return separators.filter((text) => text !== '');
}

for (const harness of ['kli', 'rein']) {
  verifies(
    'R1',
    `${harness}: each request is rebuilt byte for byte after everything it came from is gone`,
    async () => {
      const w = await workspace(
        {
          '.git/': null,
          'AGENTS.md': 'RULES é🙂',
          'notes.txt': 'a\r\nb\u2028c',
          [`.${harness}/APPEND_SYSTEM.md`]: 'ALSO',
        },
        { harness, replies: TOOL_TURN },
      );
      const session = w.stream(['--append-system-prompt', 'FLAG']);
      await session.prompt('one "quoted" \u0085 \ud83d\ude42');
      w.write('AGENTS.md', 'OTHER RULES');
      await session.command({ type: 'tools', allow: ['read'] });
      await session.prompt('two');
      await session.end();
      await w.print(['--continue', 'three']);
      const id = sessionId(w);
      for (const path of ['AGENTS.md', 'notes.txt', '.git', `.${harness}`]) w.remove(path);
      expect(w.requests().map(({ number }) => number)).toEqual([1, 2, 3, 4]);
      for (const { number, body } of w.requests()) {
        const args = ['context', '--session', id, '--request', String(number), '--body'];
        const rebuilt = await w.run(args, { env: { REIN_HARNESS: 'rein', REIN_MODEL: '', REIN_BASE_URL: '' } });
        expect({ code: rebuilt.code, same: rebuilt.stdout.replace(/\n$/, '') === body }).toEqual({
          code: 0,
          same: true,
        });
      }
    },
  );
}

verifies('R1', 'a damaged body is refused, never rebuilt wrongly', async () => {
  const w = await workspace({ '.git/': null });
  await w.print(['find me']);
  const [file = ''] = w.sessionFiles();
  const text = w
    .sessionLines()
    .map((line) => JSON.stringify(line))
    .join('\n');
  w.write(`~/${file.slice(w.home.length + 1)}`, `${text.replaceAll('find me', 'find you')}\n`);
  const rebuilt = await w.run(['context', '--session', sessionId(w), '--request', '1', '--body']);
  expect({ code: rebuilt.code, stdout: rebuilt.stdout }).toEqual({ code: 1, stdout: '' });
  expect(rebuilt.stderr.trim().split('\n')).toHaveLength(1);
});

verifies(
  'R2',
  'kli: every byte of the system prompt is a piece with its file, or a heading or blank line',
  async () => {
    const w = await workspace({ '.git/': null, '.kli/APPEND_SYSTEM.md': 'ALSO é', 'AGENTS.md': 'RULES 🙂' });
    await w.print(['hello']);
    const sent = await report(w, ['--session', sessionId(w), '--request', '1']);
    expect(sent.system).toBe(systemOf(w.requests()[0]));
    const header = '# Project Context\n\nProject-specific instructions and guidelines:';
    expect(separatorsOf(sent)).toEqual([
      ...Array(5).fill('\n\n'),
      `\n\n${header}\n\n## ${w.path('AGENTS.md')}\n\n`,
      '\n\n',
    ]);
    const files = sent.pieces.filter(({ origin }) => origin.type === 'file');
    expect(
      files.map(({ kind, origin, status, sha256 }) => ({
        kind,
        path: origin.path,
        scope: origin.scope,
        status,
        sha256,
      })),
    ).toEqual([
      {
        kind: 'append',
        path: w.path('.kli/APPEND_SYSTEM.md'),
        scope: 'project',
        status: 'sent',
        sha256: hash(Buffer.from('ALSO é')),
      },
      {
        kind: 'context-file',
        path: w.path('AGENTS.md'),
        scope: 'project',
        status: 'sent',
        sha256: hash(Buffer.from('RULES 🙂')),
      },
    ]);
  },
);

verifies('R2', 'rein: an injected message is traced to its files by bytes of that message', async () => {
  const w = await workspace({ '.git/': null, 'AGENTS.md': 'RULES é', 'a/CLAUDE.md': 'INNER' }, { harness: 'rein' });
  await w.print(['hello'], { cwd: 'a' });
  const sent = await report(w, ['--session', sessionId(w), '--request', '1']);
  separatorsOf(sent);
  const traced = sent.pieces
    .filter(({ kind }) => kind === 'context-file')
    .map(({ origin, placement, at }) => ({
      path: origin.path,
      placement,
      text: at.map((span) => {
        const [, index = '', ...rest] = span.in.split('/');
        expect(rest[0]).toBe('content');
        const content = messagesOf(w.requests()[0])[Number(index)]?.content as string | { text: string }[];
        const text = typeof content === 'string' ? content : (content[Number(rest[1])]?.text ?? '');
        return stretch(text, span.start, span.end).toString();
      }),
    }));
  expect(traced).toEqual([
    { path: w.path('AGENTS.md'), placement: 'history', text: ['RULES é'] },
    { path: w.path('a/CLAUDE.md'), placement: 'history', text: ['INNER'] },
  ]);
});

verifies('R2', 'origins stay as they were when the files have changed or gone', async () => {
  const w = await workspace({ '.git/': null, 'AGENTS.md': 'RULES', '.kli/SYSTEM.md': 'MINE' });
  await w.print(['hello']);
  const args = ['--session', sessionId(w), '--request', '1'];
  const before = await report(w, args);
  w.write('AGENTS.md', 'CHANGED');
  w.remove('.kli/SYSTEM.md');
  expect(await report(w, args)).toEqual(before);
});
