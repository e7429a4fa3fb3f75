import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { ContextReport } from '../src/model/index.ts';
import { FACETED, type Faceted, facetFile, skillFile } from './rig/faceted.ts';
import { callsThenDone } from './rig/tool-results.ts';
import { bodyOf, systemOf, type Workspace, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

/** A session with everything in it that these harnesses place. */
async function longSession({ harness, inside, user, keys, call }: Faceted): Promise<Workspace> {
  const w = await workspace(
    {
      '.git/': null,
      [`${user}/AGENTS.md`]: `---\n${keys[0]}: true\n---\nGLOBAL {{ facet_name }} {{ [1, 2]|length }}`,
      'AGENTS.md': 'ROOT é🙂 @docs/rules.md </instructions>',
      'docs/rules.md': 'RULES\u2028 </system-reminder>',
      'a/AGENTS.md': 'INNER "quoted"',
      'a/x.txt': 'x\r\n',
      [`${inside}/facets/scribe.md`]: facetFile(
        'scribe',
        'é🙂 {{ transclude("shared/style.md") }}\n\n@notes.md\n\n{{ facet_name|upper }}',
        `${keys[0]}:\n  tools: ["tag!ALL", switch_facet]\n`,
      ),
      [`${inside}/facets/shared/style.md`]: 'STYLE {{ model_id }} é',
      [`${inside}/facets/notes.md`]: 'NOTES {{ literal }} 🙂',
      [`${inside}/skills/one/SKILL.md`]: skillFile('one', 'Number one: é.', 'ONE </skill> @skill:two'),
      [`${inside}/skills/two/SKILL.md`]: skillFile('two', 'Number two.', 'TWO 🙂'),
    },
    {
      harness,
      replies: [
        ...callsThenDone([[call.read('a/x.txt'), ['skill', { name: 'one' }]], [['switch_facet', { facet: 'scribe' }]]]),
        { text: 'ok', repeat: true },
      ],
    },
  );
  const session = w.stream();
  await session.prompt('one @skill:two @docs/rules.md');
  await session.carryOut({ type: 'pushd', path: 'a' });
  await session.prompt('two');
  await session.carryOut({ type: 'clear' });
  await session.prompt('three');
  const prompt = session.lines.findLast(({ type }) => type === 'prompt');
  await session.carryOut({ type: 'rewind', to: prompt?.id });
  await session.carryOut({ type: 'facet', to: 'execute' });
  await session.prompt('four');
  await session.end();
  await w.print(['--continue', 'five']);
  return w;
}

function hash(text: Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The text of a request that a report's place stands in. */
function textAt(w: Workspace, request: number, report: ContextReport, place: string): string {
  if (place === 'system') return report.system;
  const [part, index = '', field = '', number = '0'] = place.split('/');
  const body = bodyOf(w.requests()[request]);
  if (part === 'tools') return body.tools?.[Number(index)]?.function.description ?? '';
  expect([part, field]).toEqual(['messages', 'content']);
  // The first message of the body is the system prompt, which a report has apart.
  const content: unknown = body.messages[Number(index) + 1]?.content;
  return typeof content === 'string' ? content : ((content as { text: string }[])[Number(number)]?.text ?? '');
}

for (const faceted of FACETED) {
  verifies('R1', `${faceted.harness}: each request is rebuilt after everything it came from is gone`, async () => {
    const w = await longSession(faceted);
    const id = String(w.sessionLines()[0]?.id);
    for (const path of ['AGENTS.md', 'docs', 'a', faceted.inside, faceted.user]) w.remove(path);
    expect(w.requests()).toHaveLength(7);
    for (const [index, { body }] of w.requests().entries()) {
      const args = ['context', '--session', id, '--request', String(index + 1), '--body'];
      const rebuilt = await w.run(args, { env: { REIN_HARNESS: 'kli', REIN_MODEL: '', REIN_BASE_URL: '' } });
      expect([index, rebuilt.code, rebuilt.stdout.replace(/\n$/, '') === body]).toEqual([index, 0, true]);
    }
  });

  verifies('R2', `${faceted.harness}: every byte of a system prompt and every body is traced to its file`, async () => {
    const w = await longSession(faceted);
    const id = String(w.sessionLines()[0]?.id);
    for (const [index, request] of w.requests().entries()) {
      const { code, stdout } = await w.run(['context', '--json', '--session', id, '--request', String(index + 1)]);
      expect([index, code]).toEqual([index, 0]);
      const report = JSON.parse(stdout) as ContextReport;
      expect(report.system).toBe(systemOf(request));
      const covered = Buffer.alloc(Buffer.byteLength(report.system));
      for (const { at, sha256, id: piece } of report.pieces) {
        for (const { in: place, start, end } of at) {
          const bytes = Buffer.from(textAt(w, index, report, place)).subarray(start, end);
          expect([index, piece, place, hash(bytes)]).toEqual([index, piece, place, sha256]);
          if (place === 'system') covered.fill(1, start, end);
        }
      }
      const system = Buffer.from(report.system);
      const separators = system.filter((_, byte) => covered[byte] === 0);
      expect(Buffer.from(separators).toString()).toMatch(/^\s*$/);
    }
    const { stdout } = await w.run(['context', '--json', '--session', id, '--request', '3']);
    const { pieces } = JSON.parse(stdout) as ContextReport;
    const files = pieces.flatMap(({ kind, origin, fragments }) => [
      `${kind} ${origin.path ?? ''}`,
      ...(fragments ?? []).map(({ path }) => `from ${path}`),
    ]);
    const expected = [
      `facet ${w.path(`${faceted.inside}/facets/scribe.md`)}`,
      `from ${w.path(`${faceted.inside}/facets/shared/style.md`)}`,
      `from ${w.path(`${faceted.inside}/facets/notes.md`)}`,
      `context-file ${w.path(`${faceted.user}/AGENTS.md`)}`,
      `context-file ${w.path('AGENTS.md')}`,
      `context-file ${w.path('a/AGENTS.md')}`,
      `skill ${w.path(`${faceted.inside}/skills/one/SKILL.md`)}`,
      `skill ${w.path(`${faceted.inside}/skills/two/SKILL.md`)}`,
    ];
    expect(expected.filter((each) => !files.includes(each))).toEqual([]);
  });
}
