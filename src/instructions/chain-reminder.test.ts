import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contextFile } from '../../test/rig/found-file.ts';
import type { Delivery, FoundFile, SessionState } from '../model/index.ts';
import { type ChainForm, chainDue, chainReminder, editedSince } from './chain-reminder.ts';
import { NOTHING_DELIVERED } from './delivery.ts';
import { checkLaid, layoutText } from './layout.ts';

function plain(file: FoundFile): { file: FoundFile; text: string } {
  return { file, text: file.text };
}

const FORM: ChainForm = {
  tag: 'note',
  bodyTag: 'file',
  intro: 'Files.',
  supersedes: 'They replace others.',
  emptied: 'They are gone.',
  oversized: 'Too large:',
  rule: 'A test.',
  discovery: { intro: 'Found.', rule: 'A test.' },
  linked: { intro: 'Linked.', from: 'In', rule: 'A test.' },
  reloaded: { intro: 'Edited.', rule: 'A test.' },
};

const NOTHING: Delivery = NOTHING_DELIVERED;

function sessionWith(delivery: Partial<Delivery>, requests = 0): SessionState {
  return { delivery: { ...NOTHING, ...delivery }, usage: { requests } } as SessionState;
}

function textOf(files: readonly FoundFile[], delivered: Delivery = NOTHING): string | null {
  const { reminder } = chainReminder(files.map(plain), delivered, 'chain-changed', FORM);
  return reminder === null ? null : layoutText(reminder.layout);
}

describe('chainDue', () => {
  const a = contextFile('/a/AGENTS.md', 'A');
  const b = contextFile('/a/b/AGENTS.md', 'B');

  test('at the start of a session and of every later context it is due, an empty chain included', () => {
    expect(chainDue(sessionWith({}), [a])).toEqual({ paths: [a.realPath], due: true, trigger: 'chain-changed' });
    expect(chainDue(sessionWith({}, 3), [])).toEqual({ paths: [], due: true, trigger: 'context-reset' });
  });

  test('a file that joins or leaves makes it due', () => {
    expect(chainDue(sessionWith({ chain: [a.realPath] }, 1), [a, b]).due).toBe(true);
    expect(chainDue(sessionWith({ chain: [a.realPath, b.realPath] }, 1), [b]).due).toBe(true);
    expect(chainDue(sessionWith({ chain: [a.realPath] }, 1), [b])).toEqual({
      paths: [b.realPath],
      due: true,
      trigger: 'chain-changed',
    });
    expect(chainDue(sessionWith({ chain: [] }, 1), [a]).due).toBe(true);
  });

  test('neither an edit nor another order makes it due', () => {
    const edited = contextFile('/a/AGENTS.md', 'A, edited');
    expect(chainDue(sessionWith({ chain: [a.realPath, b.realPath] }, 1), [b, edited]).due).toBe(false);
    expect(chainDue(sessionWith({ chain: [] }, 1), []).due).toBe(false);
  });

  test('it is due exactly when the set of paths differs', () => {
    const paths = fc.uniqueArray(fc.constantFrom('/1', '/2', '/3', '/4'));
    fc.assert(
      fc.property(paths, paths, (before, now) => {
        const { due } = chainDue(
          sessionWith({ chain: before }, 1),
          now.map((path) => contextFile(path, '')),
        );
        expect(due).toBe([...before].sort().join() !== [...now].sort().join());
      }),
    );
  });
});

describe('chainReminder', () => {
  test('one reminder carries every body in order, as it was read', () => {
    const files = [contextFile('/AGENTS.md', 'Outer.\n'), contextFile('/a/CLAUDE.md', '\nInner')];
    expect(textOf(files)).toBe(
      [
        '<note>',
        'Files.',
        '',
        '<file path="/AGENTS.md">',
        'Outer.',
        '</file>',
        '',
        '<file path="/a/CLAUDE.md">',
        '',
        'Inner',
        '</file>',
        '</note>',
      ].join('\n'),
    );
  });

  test('an oversized member is named by its path after the bodies', () => {
    const files = [
      contextFile('/big/AGENTS.md', '', { status: 'path-only', size: 70_000 }),
      contextFile('/big/a/AGENTS.md', 'Small.'),
    ];
    expect(textOf(files)).toBe(
      '<note>\nFiles.\n\n<file path="/big/a/AGENTS.md">\nSmall.\n</file>\n\nToo large:\n- /big/AGENTS.md (70000 bytes)\n</note>',
    );
  });

  test('a chain that replaces another says so; one that became empty takes it back', () => {
    const delivered = { ...NOTHING, chain: ['/AGENTS.md'] };
    expect(textOf([contextFile('/a/AGENTS.md', 'A')], delivered)).toBe(
      '<note>\nFiles. They replace others.\n\n<file path="/a/AGENTS.md">\nA\n</file>\n</note>',
    );
    expect(textOf([], delivered)).toBe('<note>\nThey are gone.\n</note>');
    expect([textOf([]), textOf([], { ...NOTHING, chain: [] })]).toEqual([null, null]);
  });

  test('its own closing tags in a body are neutralised, and the file and lines are told', () => {
    const file = contextFile('/AGENTS.md', 'x\n</note> </file>\n');
    const { reminder, diagnostics } = chainReminder([plain(file)], NOTHING, 'chain-changed', FORM);
    expect(layoutText(reminder?.layout ?? [])).toBe(
      '<note>\nFiles.\n\n<file path="/AGENTS.md">\nx\n&lt;/note> &lt;/file>\n</file>\n</note>',
    );
    expect(diagnostics).toEqual([
      {
        severity: 'warning',
        code: 'instructions/closing-tag',
        message: 'the file holds a closing tag of the message that carries it; it was sent as plain text (&lt;/…>)',
        path: '/AGENTS.md',
        line: 2,
        data: { lines: [2] },
      },
    ]);
  });

  test('a text that stands for the file as read is what goes out, with its fragments where they are then', () => {
    const file = contextFile('/AGENTS.md', 'raw');
    const body = {
      file,
      text: '</note>é</file>in',
      fragments: [{ at: [16, 18] as [number, number], from: { path: '/in.md' } }],
    };
    const { reminder } = chainReminder([body], NOTHING, 'chain-changed', FORM);
    const pieces = reminder?.layout.flatMap((item) => ('piece' in item ? [item.piece] : [])) ?? [];
    expect(pieces.slice(1).map(({ text, fileSha256, fragments }) => ({ text, fileSha256, fragments }))).toEqual([
      {
        text: '&lt;/note>é&lt;/file>in',
        fileSha256: file.sha256,
        fragments: [{ at: [22, 24], from: { path: '/in.md' } }],
      },
    ]);
  });

  test('a path cannot leave its attribute or its line', () => {
    const path = '/a"><b>\n</note>/AGENTS.md';
    expect(textOf([contextFile(path, '')])).toBe(
      '<note>\nFiles.\n\n<file path="/a&#x22;&#x3e;&#x3c;b&#x3e;&#xa;&#x3c;/note&#x3e;/AGENTS.md">\n\n</file>\n</note>',
    );
  });

  test('a piece keeps the hash of the file as read, beside that of what was sent', () => {
    const file = contextFile('/AGENTS.md', '</note>');
    const { reminder } = chainReminder([plain(file)], NOTHING, 'chain-changed', FORM);
    const pieces = reminder?.layout.flatMap((item) => ('piece' in item ? [item] : [])) ?? [];
    expect(pieces.map(({ piece, trigger }) => [piece.id, piece.text, piece.fileSha256 ?? null, trigger])).toEqual([
      ['chain/intro', 'Files.', null, 'chain-changed'],
      ['context-file:/AGENTS.md', '&lt;/note>', file.sha256, 'chain-changed'],
    ]);
  });

  test('whatever the files hold, the tags close once each, at their ends', () => {
    const text = fc
      .array(fc.constantFrom('</note>', '</file>', '< / NOTE >', 'x', '\n', '"', '>'))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), (files) => {
        const found = files.map(([path, body], index) => contextFile(`/${index}${path}/AGENTS.md`, body));
        const { reminder } = chainReminder(found.map(plain), NOTHING, 'chain-changed', FORM);
        if (reminder === null) return;
        const sent = layoutText(reminder.layout);
        expect(checkLaid(reminder.layout)).toEqual([]);
        expect(sent.match(/<\s*\/\s*note\s*>/gi)).toEqual(['</note>']);
        expect(sent.endsWith('\n</note>')).toBe(true);
        expect(sent.match(/<\s*\/\s*file\s*>/gi) ?? []).toEqual(found.map(() => '</file>'));
      }),
    );
  });
});

describe('editedSince', () => {
  test('a delivered file with other contents on disk is told; one not delivered is not', () => {
    const sent = contextFile('/AGENTS.md', 'one');
    const now = contextFile('/AGENTS.md', 'two');
    const delivered = { ...NOTHING, files: { '/AGENTS.md': { event: 'e', sha256: sent.sha256 } } };
    expect(editedSince(delivered, [sent, contextFile('/a/AGENTS.md', 'x')])).toEqual([]);
    expect(editedSince(delivered, [now])).toEqual([
      {
        severity: 'info',
        code: 'instructions/edited-since',
        message: 'changed on disk since it was sent; the conversation keeps what it was sent',
        path: '/AGENTS.md',
        data: { sent: sent.sha256, found: now.sha256 },
      },
    ]);
  });
});
