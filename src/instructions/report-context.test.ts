import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contextFile } from '../../test/rig/found-file.ts';
import type { ContextReport, Laid, Message, Piece, TextPart, Trigger } from '../model/index.ts';
import { compareReports } from './compare-reports.ts';
import { TOKEN_METHOD } from './estimate-tokens.ts';
import { joinLaid, lay, layoutText, spansOf } from './layout.ts';
import { filePiece, makePiece } from './piece.ts';
import { type ReportInput, reportContext } from './report-context.ts';

const BASE = makePiece({
  id: 'base/x',
  kind: 'base',
  origin: { type: 'shipped' },
  placement: 'system',
  rule: 'The base.',
  requirement: 'K2',
  text: 'Bäse',
});
const TOOL = makePiece({
  id: 'tool/read',
  kind: 'tool-description',
  origin: { type: 'shipped' },
  placement: 'tools',
  rule: 'A tool.',
  text: 'Reads.',
});
const SCHEMA = { type: 'object' };

const pieces = new Map<string, Piece>();

/** A reminder as the log folds it. */
function reminder(event: string, laid: Laid): Message {
  const spans: NonNullable<TextPart['pieces']> = spansOf(laid).flatMap(({ start, end, item }) => {
    if ('separator' in item) return [];
    const ref = `${item.piece.id}@${item.piece.sha256}`;
    pieces.set(ref, item.piece);
    return [{ at: [start, end] as [number, number], piece: ref, trigger: item.trigger }];
  });
  return {
    role: 'user',
    event,
    from: 'reminder',
    parts: [{ type: 'text', text: layoutText(laid), pieces: spans }],
    alone: false,
  };
}

function prompt(event: string, text: string): Message {
  return { role: 'user', event, from: 'user', parts: [{ type: 'text', text }], alone: false };
}

function encode(message: Message): unknown {
  return { role: message.role, content: message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') };
}

function input(fields: Partial<ReportInput> = {}): ReportInput {
  const messages = fields.messages ?? [];
  return {
    harness: 'h',
    facet: null,
    model: null,
    wire: 'chat',
    cwd: '/repo',
    projectRoot: null,
    system: joinLaid(lay(BASE, 'every-request'), '\n'),
    tools: [{ name: 'read', description: lay(TOOL, 'every-request'), schema: SCHEMA }],
    encoded: messages.map(encode),
    pending: () => false,
    pieceOf: (ref) => pieces.get(ref),
    omitted: [],
    world: null,
    diagnostics: [],
    placeholders: [],
    ...fields,
    messages,
  };
}

const AGENTS = contextFile('/repo/AGENTS.md', 'Use tabs – always.');

function bodyOf(file: typeof AGENTS, trigger: Trigger = 'session-start'): Laid {
  const piece = filePiece(file, { kind: 'context-file', placement: 'history', rule: 'The chain.' });
  return joinLaid('<é>\n', lay(piece, trigger), '\n</é>');
}

function row(report: ContextReport, id: string): object {
  const { status, reason, placement, at } = report.pieces.find((piece) => piece.id === id) ?? {};
  return { status, reason, placement, at };
}

describe('reportContext', () => {
  test('every text is there as sent, each piece with its place in bytes', () => {
    expect(reportContext(input({ messages: [prompt('p', 'hi')] }))).toEqual({
      harness: 'h',
      facet: null,
      model: null,
      wire: 'chat',
      cwd: '/repo',
      projectRoot: null,
      system: 'Bäse\n',
      messages: [{ role: 'user', content: 'hi' }],
      tools: [{ name: 'read', description: 'Reads.', schema: SCHEMA }],
      pieces: [
        {
          id: 'base/x',
          kind: 'base',
          origin: { type: 'shipped' },
          placement: 'system',
          trigger: 'every-request',
          rule: 'The base.',
          requirement: 'K2',
          status: 'sent',
          reason: null,
          bytes: 5,
          tokens: 2,
          tokenMethod: TOKEN_METHOD,
          sha256: BASE.sha256,
          at: [{ in: 'system', start: 0, end: 5 }],
          fragments: [],
        },
        {
          id: 'tool/read',
          kind: 'tool-description',
          origin: { type: 'shipped' },
          placement: 'tools',
          trigger: 'every-request',
          rule: 'A tool.',
          status: 'sent',
          reason: null,
          bytes: 6,
          tokens: 2,
          tokenMethod: TOKEN_METHOD,
          sha256: TOOL.sha256,
          at: [{ in: 'tools/0/description', start: 0, end: 6 }],
          fragments: [],
        },
      ],
      searched: [],
      diagnostics: [],
      placeholders: [],
      totals: { bytes: 105, tokens: 27, systemBytes: 6, historyBytes: 32, toolBytes: 67 },
    });
  });

  test('a reminder that goes out with the next prompt is pending; one in the history was sent', () => {
    const messages = [reminder('r', bodyOf(AGENTS)), prompt('p', 'hi')];
    const at = [{ in: 'messages/0/content/0', start: 5, end: 25 }];
    const pending = reportContext(input({ messages, pending: ({ event }) => event === 'r' }));
    expect(row(pending, 'context-file:/repo/AGENTS.md')).toEqual({
      status: 'pending',
      reason: 'goes out with the next prompt',
      placement: 'history',
      at,
    });
    expect(row(reportContext(input({ messages })), 'context-file:/repo/AGENTS.md')).toEqual({
      status: 'sent',
      reason: null,
      placement: 'history',
      at,
    });
  });

  test('a text sent twice is one row with two places; another version of the file is another row', () => {
    const edited = contextFile('/repo/AGENTS.md', 'Use spaces.');
    const messages = [reminder('1', bodyOf(AGENTS)), reminder('2', bodyOf(AGENTS)), reminder('3', bodyOf(edited))];
    const rows = reportContext(input({ messages })).pieces.filter(({ kind }) => kind === 'context-file');
    expect(rows.map(({ bytes, at }) => [bytes, at.map((span) => span.in)])).toEqual([
      [20, ['messages/0/content/0', 'messages/1/content/0']],
      [11, ['messages/2/content/0']],
    ]);
  });

  test('a message that quotes a reminder is not taken for it', () => {
    const messages = [prompt('p', `see: ${layoutText(bodyOf(AGENTS))}`), reminder('r', bodyOf(AGENTS))];
    expect(row(reportContext(input({ messages })), 'context-file:/repo/AGENTS.md')).toMatchObject({
      at: [{ in: 'messages/1/content/0', start: 5, end: 25 }],
    });
  });

  test('messages that the wire leaves out, or writes as blocks, do not shift the places', () => {
    const empty: Message = { role: 'assistant', event: 'a', parts: [], source: { provider: 'p', model: 'm' } };
    const messages = [prompt('p', 'hi'), empty, reminder('r', bodyOf(AGENTS))];
    const encoded = [
      { role: 'user', content: 'hi' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'other' },
          { type: 'text', text: layoutText(bodyOf(AGENTS)) },
        ],
      },
    ];
    expect(row(reportContext(input({ messages, encoded })), 'context-file:/repo/AGENTS.md')).toMatchObject({
      at: [{ in: 'messages/1/content/1', start: 5, end: 25 }],
    });
  });

  test('a cut piece is truncated, with the bytes kept and dropped', () => {
    const cut = { ...BASE, cut: { keptBytes: 5, droppedBytes: 7, why: 'the budget was used up' } };
    expect(row(reportContext(input({ system: lay(cut, 'every-request') })), 'base/x')).toEqual({
      status: 'truncated',
      reason: '5 bytes kept, 7 dropped: the budget was used up',
      placement: 'system',
      at: [{ in: 'system', start: 0, end: 5 }],
    });
  });

  test('a piece whose record is lost is told, not invented', () => {
    const messages: Message[] = [
      {
        ...prompt('r', 'x'),
        parts: [{ type: 'text', text: 'x', pieces: [{ at: [0, 1], piece: 'gone@1', trigger: 'reload' }] }],
      } as Message,
    ];
    expect(reportContext(input({ messages })).diagnostics).toEqual([
      {
        severity: 'warning',
        code: 'instructions/piece-lost',
        message: 'the log no longer says what the piece gone@1 was',
        data: { ref: 'gone@1' },
      },
    ]);
  });

  test('what was found or passed over and is not in the request is skipped, with the reason', () => {
    const diagnostic = (code: string, path: string, message: string) => ({
      severity: 'warning' as const,
      code,
      message,
      path,
      data: { size: 2_097_153 },
    });
    const world: ReportInput['world'] = {
      files: [
        AGENTS,
        contextFile('/repo/.x/SYSTEM.md', 'Mine.', { kind: 'override' }),
        contextFile('/repo/big/AGENTS.md', '', { status: 'path-only', size: 70_000 }),
      ],
      searched: [
        {
          kind: 'append',
          directory: '/repo/.x',
          scope: 'project',
          looked: ['APPEND_SYSTEM.md'],
          took: null,
          why: 'too large',
        },
      ],
      diagnostics: [
        diagnostic('discovery/over-cap', '/repo/.x/APPEND_SYSTEM.md', 'over the cap'),
        diagnostic('discovery/over-cap', '/repo/big/AGENTS.md', 'only its path is given'),
        diagnostic('discovery/near-miss', '/repo/agents.md', 'near'),
      ],
      projectRoot: '/repo',
      cwd: '/repo',
      stack: [],
      platform: { os: 'linux', shell: 'bash', home: '/home' },
      git: null,
    };
    const flag = makePiece({ ...BASE, id: 'override:flag', kind: 'override', origin: { type: 'flag' } });
    const report = reportContext(
      input({ world, system: lay(flag, 'every-request'), messages: [reminder('r', bodyOf(AGENTS))] }),
    );
    const skipped = report.pieces.filter(({ status }) => status === 'skipped');
    expect(
      skipped.map(({ id, kind, reason, bytes, placement, at }) => ({ id, kind, reason, bytes, placement, at })),
    ).toEqual([
      {
        id: 'override:/repo/.x/SYSTEM.md',
        kind: 'override',
        reason: 'a text given for this run stands in its place',
        bytes: 5,
        placement: 'system',
        at: [],
      },
      {
        id: 'context-file:/repo/big/AGENTS.md',
        kind: 'context-file',
        reason: '70000 bytes, over the limit for a body',
        bytes: 70_000,
        placement: 'history',
        at: [],
      },
      {
        id: 'append:/repo/.x/APPEND_SYSTEM.md',
        kind: 'append',
        reason: 'over the cap',
        bytes: 2_097_153,
        placement: 'system',
        at: [],
      },
    ]);
    expect([report.searched.length, report.diagnostics.length]).toEqual([1, 3]);
  });

  test('whatever the conversation, each place holds exactly the bytes of its piece', () => {
    const text = fc.array(fc.constantFrom('a', 'é', '😀', '\n', '<x>', 'A\nB')).map((parts) => `${parts.join('')}.`);
    const message = fc.oneof(
      text.map((body) => (event: string) => prompt(event, body)),
      text.map((body) => (event: string) => reminder(event, bodyOf(contextFile(`/${body.length}/AGENTS.md`, body)))),
    );
    fc.assert(
      fc.property(fc.array(message), (makers) => {
        const messages = makers.map((make, index) => make(`e${index}`));
        const report = reportContext(input({ messages }));
        const reminders = messages.filter((each) => each.role === 'user' && each.from === 'reminder').length;
        const places = report.pieces.flatMap((piece) =>
          piece.placement === 'history' ? piece.at.map((at) => ({ piece, at })) : [],
        );
        expect(places.length).toBe(reminders);
        for (const { piece, at } of places) {
          const sent = report.messages[Number(at.in.split('/')[1])] as { content: string };
          const bytes = Buffer.from(sent.content).subarray(at.start, at.end).toString();
          expect(
            makePiece({
              id: '',
              kind: 'base',
              origin: { type: 'session' },
              placement: 'history',
              rule: '',
              text: bytes,
            }).sha256,
          ).toBe(piece.sha256);
        }
      }),
    );
  });
});

describe('compareReports', () => {
  test('added, gone, moved and changed pieces are told apart', () => {
    const inSystem = filePiece(AGENTS, { kind: 'context-file', placement: 'system', rule: 'The section.' });
    const left = reportContext(
      input({ harness: 'left', system: joinLaid(lay(BASE, 'every-request'), '\n', lay(inSystem, 'every-request')) }),
    );
    const changed = makePiece({ ...BASE, text: 'Base, changed' });
    const right = reportContext(
      input({
        harness: 'right',
        system: lay(changed, 'every-request'),
        tools: [],
        messages: [reminder('r', bodyOf(AGENTS))],
      }),
    );
    const difference = compareReports(left, right);
    expect({
      ...difference,
      added: difference.added.map(({ id }) => id),
      gone: difference.gone.map(({ id }) => id),
    }).toEqual({
      left: 'left',
      right: 'right',
      added: [],
      gone: ['tool/read'],
      moved: [{ id: 'context-file:/repo/AGENTS.md', from: 'system', to: 'history', bytes: 20 }],
      changed: [{ id: 'base/x', leftBytes: 5, rightBytes: 13 }],
      unchanged: 0,
      bytes: { left: left.totals.bytes, right: right.totals.bytes },
    });
  });

  test('a report against itself has no difference', () => {
    const report = reportContext(input({ messages: [reminder('r', bodyOf(AGENTS))] }));
    const { totals } = report;
    expect(compareReports(report, report, { left: '1', right: '2' })).toEqual({
      left: '1',
      right: '2',
      added: [],
      gone: [],
      moved: [],
      changed: [],
      unchanged: 3,
      bytes: { left: totals.bytes, right: totals.bytes },
    });
  });
});
