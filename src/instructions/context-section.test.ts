import { expect, test } from 'vitest';
import { contextFile } from '../../test/rig/found-file.ts';
import { contextSection } from './context-section.ts';
import { layoutText } from './layout.ts';

const FORM = {
  header: '\n\n# H\n\n',
  fileHeading: (file: { path: string }) => `## ${file.path}\n\n`,
  afterFile: '\n\n',
  trigger: 'every-submission',
  rule: 'A test.',
} as const;

test('no file is no section at all', () => {
  expect(contextSection([], FORM)).toEqual([]);
});

test('headings and blank lines are separators; a piece is the text as read', () => {
  const laid = contextSection([contextFile('/a/AGENTS.md', 'One.\n'), contextFile('/b/CLAUDE.md', '')], FORM);
  expect(layoutText(laid)).toBe('\n\n# H\n\n## /a/AGENTS.md\n\nOne.\n\n\n## /b/CLAUDE.md\n\n\n\n');
  expect(laid.map((item) => ('piece' in item ? { id: item.piece.id, text: item.piece.text } : item.separator))).toEqual(
    [
      '\n\n# H\n\n## /a/AGENTS.md\n\n',
      { id: 'context-file:/a/AGENTS.md', text: 'One.\n' },
      '\n\n## /b/CLAUDE.md\n\n',
      { id: 'context-file:/b/CLAUDE.md', text: '' },
      '\n\n',
    ],
  );
});
