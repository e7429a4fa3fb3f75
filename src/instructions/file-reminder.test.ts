import { describe, expect, test } from 'vitest';
import { contextFile, foundFile } from '../../test/rig/found-file.ts';
import type { Reminder } from '../model/index.ts';
import type { ChainForm } from './chain-reminder.ts';
import { type FileReason, fileReminder, reloadReminder } from './file-reminder.ts';
import { checkLaid, layoutText } from './layout.ts';

const FORM: ChainForm = {
  tag: 'note',
  bodyTag: 'file',
  intro: 'Files.',
  supersedes: 'They replace others.',
  emptied: 'They are gone.',
  oversized: 'Too large:',
  rule: 'A chain.',
  discovery: { intro: 'Found.', rule: 'A discovery.', requirement: 'P23' },
  linked: { intro: 'Linked.', from: 'By', rule: 'A link.' },
  reloaded: { intro: 'Edited.', rule: 'A reload.' },
};

const file = contextFile('/repo/a/AGENTS.md', 'A\n');
const large = contextFile('/repo/b/AGENTS.md', '', { status: 'path-only', size: 70_000 });

function pieceRows({ layout }: Reminder): unknown[] {
  return layout.flatMap((item) =>
    'piece' in item ? [[item.piece.id, item.piece.kind, item.piece.rule, item.trigger]] : [],
  );
}

describe('fileReminder', () => {
  test('a file that was found goes out by itself, in the chain’s tags', () => {
    const { reminder, diagnostics } = fileReminder(file, file.text, FORM, 'tool-batch', 'discovery');
    expect([reminder.reason, layoutText(reminder.layout), diagnostics]).toEqual([
      'discovery',
      '<note>\nFound.\n\n<file path="/repo/a/AGENTS.md">\nA\n</file>\n</note>',
      [],
    ]);
    expect(checkLaid(reminder.layout)).toEqual([]);
    expect(pieceRows(reminder)).toEqual([
      [
        'discovery/intro',
        'guidance',
        'Says why the file in this message is sent, and what it holds for.',
        'tool-batch',
      ],
      ['context-file:/repo/a/AGENTS.md', 'context-file', 'A discovery.', 'tool-batch'],
    ]);
  });

  test.each<[FileReason, string]>([
    ['linked', 'Linked.'],
    [{ linkedFrom: '/repo/<x>/AGENTS.md' }, 'Linked. By /repo/&#x3c;x&#x3e;/AGENTS.md.'],
  ])('a linked file says which file links to it, where one does', (reason, intro) => {
    const linked = foundFile('linked-file', '/repo/x.md', '</note>');
    const { reminder, diagnostics } = fileReminder(linked, linked.text, FORM, 'chain-changed', reason);
    expect([reminder.reason, layoutText(reminder.layout)]).toEqual([
      'linked',
      `<note>\n${intro}\n\n<file path="/repo/x.md">\n&lt;/note>\n</file>\n</note>`,
    ]);
    expect(diagnostics.map(({ code }) => code)).toEqual(['instructions/closing-tag']);
  });

  test('a file too large is named by its path, as a piece that counts as given', () => {
    const { reminder } = fileReminder(large, '', FORM, 'tool-batch', 'discovery');
    expect(layoutText(reminder.layout)).toBe(
      '<note>\nFound.\n\nToo large:\n- /repo/b/AGENTS.md (70000 bytes)\n</note>',
    );
    expect(pieceRows(reminder).at(-1)).toEqual([
      'path-list:/repo/b/AGENTS.md',
      'path-list',
      'An instruction file too large to send: its path goes out instead of its text.',
      'tool-batch',
    ]);
  });

  test('a rendered text stands for the raw one, which the piece keeps the hash of', () => {
    const { reminder } = fileReminder(file, { text: 'B' }, FORM, 'tool-batch', 'discovery');
    const pieces = reminder.layout.flatMap((item) => ('piece' in item ? [item.piece] : []));
    expect(pieces.map(({ text, fileSha256 }) => [text, fileSha256])).toEqual([
      ['Found.', undefined],
      ['B', file.sha256],
    ]);
  });
});

test('a reload sends all edited files in one reminder', () => {
  const { reminder } = reloadReminder(
    [
      { file, text: 'A2' },
      { file: large, text: '' },
    ],
    FORM,
  );
  expect([reminder.reason, layoutText(reminder.layout)]).toEqual([
    'reload',
    '<note>\nEdited.\n\n<file path="/repo/a/AGENTS.md">\nA2\n</file>\n\nToo large:\n- /repo/b/AGENTS.md (70000 bytes)\n</note>',
  ]);
  expect(pieceRows(reminder).map((row) => (row as unknown[]).at(-1))).toEqual(['reload', 'reload', 'reload', 'reload']);
});
