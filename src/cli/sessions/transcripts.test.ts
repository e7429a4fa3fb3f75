import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SessionSummary, TranscriptEntry } from '../../sdk/index.ts';
import { transcriptHtml } from './transcript-html.ts';
import { transcriptMarkdown } from './transcript-markdown.ts';
import { transcriptText } from './transcript-text.ts';

const SESSION: SessionSummary = {
  id: '0123456789abcdefghjk',
  path: '/s/0123456789abcdefghjk.jsonl',
  cwd: '/p',
  projectRoot: '/p',
  program: 'rein/0',
  kind: 'main',
  forkedFrom: null,
  time: '2026-11-30T21:04:05.000+02:00',
  modifiedMs: 0,
  size: 1,
  title: 'The title',
  firstPrompt: 'hello',
};
const AT = { event: 'e', time: '2026-11-30T21:04:06.000+02:00' };

const PIECE = {
  id: 'context-file:/p/AGENTS.md',
  kind: 'context-file',
  origin: { type: 'file', path: '/p/AGENTS.md', scope: 'project' },
  placement: 'history',
  rule: 'Once.',
  trigger: 'chain-changed',
  bytes: 5,
  text: 'RULES',
  change: 'new',
} as const;

const ENTRIES: readonly TranscriptEntry[] = [
  { ...AT, type: 'change', text: 'model: a/b (flag)' },
  { ...AT, type: 'reminder', reason: 'chain', text: '<r>\nRULES\n</r>', pieces: [PIECE] },
  { ...AT, type: 'prompt', from: 'user', text: 'hello', media: ['image/png'] },
  {
    ...AT,
    type: 'instructions',
    harness: 'kli',
    model: 'a/b',
    bytes: 9,
    pieces: [
      {
        ...PIECE,
        id: 'base/x',
        origin: { type: 'shipped' },
        placement: 'system',
        change: 'changed',
        text: 'BASE',
        bytes: 4,
      },
      { ...PIECE, change: 'gone' },
    ],
  },
  {
    ...AT,
    type: 'answer',
    model: 'a/b',
    text: 'done',
    reasoning: 'hm',
    calls: [{ id: 'c', name: 'read', arguments: '{"path":"a"}' }],
    partial: true,
  },
  { ...AT, type: 'result', tool: 'read', call: 'c', status: 'ok', text: 'one\ntwo\n', media: [] },
  { ...AT, type: 'summary', text: 'all before', pieces: [] },
];

test('the transcript for a terminal names where each injected piece came from', () => {
  expect([...transcriptText(SESSION, ENTRIES)].join('')).toBe(`session    0123456789abcdefghjk
directory  /p
begun      2026-11-30T21:04:05.000+02:00
title      The title

── model: a/b (flag)

── reminder: chain
  · context-file:/p/AGENTS.md, 5 bytes, from /p/AGENTS.md [project] (chain-changed): Once.
  <r>
  RULES
  </r>

── you 21:04:06
  hello
  [image/png]

── system prompt (kli, a/b, 9 bytes)
  · changed: base/x, 4 bytes, from shipped (chain-changed): Once.
  · gone: context-file:/p/AGENTS.md, 5 bytes, from /p/AGENTS.md [project] (chain-changed): Once.

── a/b (cut) 21:04:06
  (reasoning) hm
  done
  → read {"path":"a"}

── result of read (ok)
  one
  two

── what was before, summarised
  all before
`);
});

test('the Markdown has a heading for each entry and the texts in fences', () => {
  expect([...transcriptMarkdown(SESSION, ENTRIES)].join('')).toBe(`# The title

- session: \`0123456789abcdefghjk\`
- directory: /p
- begun: 2026-11-30T21:04:05.000+02:00

*model: a/b (flag)*

## Reminder: chain

- context-file:/p/AGENTS.md, 5 bytes, from /p/AGENTS.md \\[project\\] (chain-changed): Once.

\`\`\`text
<r>
RULES
</r>
\`\`\`

## User

\`\`\`text
hello
\`\`\`

\\[image/png\\]

## System prompt (kli, a/b, 9 bytes)

- changed: base/x, 4 bytes, from shipped (chain-changed): Once.
- gone: context-file:/p/AGENTS.md, 5 bytes, from /p/AGENTS.md \\[project\\] (chain-changed): Once.

base/x:

\`\`\`text
BASE
\`\`\`

## Answer (a/b, cut)

Reasoning:

\`\`\`text
hm
\`\`\`

\`\`\`text
done
\`\`\`

Call of read:

\`\`\`text
{"path":"a"}
\`\`\`

## Result of read (ok)

\`\`\`text
one
two
\`\`\`

## What was before, summarised

\`\`\`text
all before
\`\`\`
`);
});

test('the page is whole in itself: its policy forbids scripts and anything from elsewhere', () => {
  const page = [...transcriptHtml(SESSION, ENTRIES)].join('');
  expect(page.replace(/<style>[\s\S]*?<\/style>\n/, '').split('</head>\n')[0]).toBe(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>The title</title>
`);
  expect(page.match(/<section class="[a-z]+">\n<h2>.*<\/h2>/g)).toEqual([
    '<section class="reminder">\n<h2>Reminder: chain</h2>',
    '<section class="prompt">\n<h2>User</h2>',
    '<section class="instructions">\n<h2>System prompt (kli, a/b, 9 bytes)</h2>',
    '<section class="answer">\n<h2>Answer (a/b, cut)</h2>',
    '<section class="result">\n<h2>Result of read (ok)</h2>',
    '<section class="summary">\n<h2>What was before, summarised</h2>',
  ]);
  expect(page.match(/\b(?:src|href|on[a-z]+)=|url\(|@import|<script/g)).toBeNull();
});

const hostile = fc.oneof(
  fc.constantFrom(
    '</pre><script>x()</script>',
    '"><img src=x onerror=x()>',
    '```\n# out',
    '````',
    '\u001b]0;x\u0007',
    '-->',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc
    .array(fc.constantFrom('`', '\n', '<', '&', '"', "'", '\u001b[2J', '#'), { maxLength: 12 })
    .map((all) => all.join('')),
);

/** The fixture with this text wherever a text can stand. */
function filled(text: string): { session: SessionSummary; entries: TranscriptEntry[] } {
  const fill = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') return ['type', 'change', 'from', 'time'].includes(key) ? value : text;
    if (Array.isArray(value)) return value.map((item) => fill(item, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fill(item, name)]));
  };
  const entries = ENTRIES.map((entry) => fill(entry, '') as TranscriptEntry);
  return { session: { ...SESSION, title: text, firstPrompt: text, cwd: text }, entries };
}

/** Each tag of a page, attributes and all, in order. */
function tagsOf(page: string): string[] {
  return page.match(/<[\s\S]*?>/g) ?? [];
}

test('no text of a session becomes markup of the page', () => {
  const plain = filled('x');
  const expected = tagsOf([...transcriptHtml(plain.session, plain.entries)].join(''));
  fc.assert(
    fc.property(
      hostile.filter((text) => text !== ''),
      (text) => {
        const { session, entries } = filled(`x${text}`);
        const page = [...transcriptHtml(session, entries)].join('');
        expect(tagsOf(page)).toEqual(expected);
        expect(page).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
      },
    ),
  );
});

test('no text of a session closes its fence in Markdown, nor becomes a heading', () => {
  const headings = (markdown: string): number => {
    let fence = '';
    let count = 0;
    for (const line of markdown.split('\n')) {
      const run = /^`{3,}/.exec(line)?.[0] ?? '';
      if (fence === '' && run !== '') fence = run;
      else if (fence !== '' && line.trimEnd() === fence) fence = '';
      else if (fence === '' && /^(?:#|>|<|\||\t| {4})/.test(line)) count += 1;
    }
    expect(fence).toBe('');
    return count;
  };
  const plain = filled('x');
  const expected = headings([...transcriptMarkdown(plain.session, plain.entries)].join(''));
  fc.assert(
    fc.property(hostile, (text) => {
      const { session, entries } = filled(`x${text}`);
      expect(headings([...transcriptMarkdown(session, entries)].join(''))).toBe(expected);
    }),
  );
});

test('no text of a session steers the terminal that shows it', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const { session, entries } = filled(text);
      expect([...transcriptText(session, entries)].join('')).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    }),
  );
});
