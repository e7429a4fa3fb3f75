import { expect, test } from 'vitest';
import type { ContextDifference, ContextReport } from '../sdk/index.ts';
import { contextTable } from './context-table.ts';
import { differenceTable } from './difference-table.ts';

type Piece = ContextReport['pieces'][number];

const piece = (change: Partial<Piece>): Piece => ({
  id: 'base/tools',
  kind: 'base',
  origin: { type: 'shipped' },
  placement: 'system',
  trigger: 'every-submission',
  rule: 'The shipped prompt names the tools.',
  status: 'sent',
  reason: null,
  bytes: 1234,
  tokens: 309,
  tokenMethod: 'characters/4',
  sha256: 'f00',
  at: [],
  fragments: [],
  ...change,
});

const REPORT: ContextReport = {
  harness: 'rein',
  facet: null,
  model: null,
  wire: 'chat',
  cwd: '/repo',
  projectRoot: '/repo',
  system: 'é'.repeat(700),
  messages: [],
  tools: [
    { name: 'read', description: '', schema: {} },
    { name: 'edit', description: '', schema: {} },
  ],
  pieces: [
    piece({}),
    piece({
      id: 'context-file:/repo/AGENTS.md',
      kind: 'context-file',
      origin: { type: 'file', path: '/repo/AGENTS.md', scope: 'project' },
      placement: 'history',
      trigger: 'chain-changed',
      rule: 'Every AGENTS.md between the root and the working directory is sent, the outermost first, once in each context.',
      status: 'pending',
      bytes: 12,
      tokens: 3,
      at: [
        { in: 'messages/2/content/0', start: 0, end: 5 },
        { in: 'messages/2/content/1', start: 0, end: 7 },
      ],
      fragments: [{ start: 0, end: 4, path: '/repo/docs/style.md' }],
    }),
    piece({
      id: 'context-file:/etc/AGENTS.md',
      kind: 'context-file',
      origin: { type: 'file', path: '/etc/\u001b[2JAGENTS.md', scope: 'ancestor' },
      placement: 'history',
      trigger: null,
      rule: 'Over the cap only the path is told.',
      status: 'skipped',
      reason: 'over the 2 MiB cap',
      bytes: 0,
      tokens: 0,
    }),
    piece({ id: 'tool/read', placement: 'tools', rule: 'Says what the tool does.', bytes: 20, tokens: 5 }),
    piece({ id: 'tool/edit', placement: 'tools', rule: 'Says what the tool does.', bytes: 30, tokens: 8 }),
  ],
  searched: [
    ...['/', '/home'].map((directory) => ({
      kind: 'context-file' as const,
      directory,
      looked: ['AGENTS.md', 'CLAUDE.md'],
      took: null,
      why: 'none of the names is there',
    })),
    { kind: 'context-file', directory: '/repo', looked: ['AGENTS.md'], took: 'AGENTS.md', why: '' },
    { kind: 'append', directory: '/repo/.rein', looked: ['APPEND_SYSTEM.md'], took: null, why: '' },
  ],
  diagnostics: [{ severity: 'warning', code: 'a/b', message: 'odd', path: '/repo/AGENTS.md', line: 2 }],
  placeholders: [{ name: 'session', value: 'SESSION', why: 'a session gets its id when it begins' }],
  totals: { bytes: 20_000, tokens: 5000, systemBytes: 1400, historyBytes: 600, toolBytes: 18_000 },
};

test('the report shows each piece with place, size and file, a rule that neighbours share once, and what was looked for', () => {
  expect(contextTable(REPORT, 70)).toBe(`harness    rein
model      none configured (wire: chat)
directory  /repo
project    /repo
system     1,400 bytes, about 309 tokens
all        20,000 bytes, about 5,000 tokens (messages 600, tools 18,000 bytes)

System prompt
    1,234 B     309 t  base/tools  (shipped)
      The shipped prompt names the tools. (every-submission)

Messages
       12 B       3 t  context-file  AGENTS.md [project]  messages/2  pending
      Every AGENTS.md between the root and the working directory is
      sent, the outermost first, once in each context. (chain-changed)
      Holds text of docs/style.md.
        0 B       0 t  context-file  /etc/\\u001b[2JAGENTS.md [ancestor]  skipped: over the 2 MiB cap
      Over the cap only the path is told.

Tool descriptions
  read, edit
       20 B       5 t  tool/read  (shipped)
       30 B       8 t  tool/edit  (shipped)
      Says what the tool does. (every-submission)

Searched
  context-file
    /, /home: none of the names is there
    .: AGENTS.md taken
  append
    .rein: none of APPEND_SYSTEM.md

Diagnostics
  /repo/AGENTS.md:2: warning: odd

Not known before a real run
  session is shown as SESSION: a session gets its id when it begins
`);
});

test('the facet in force stands below the harness', () => {
  const [harness, facet] = contextTable({ ...REPORT, facet: 'plan\u001b' }, 70).split('\n');
  expect([harness, facet]).toEqual(['harness    rein', 'facet      plan\\u001b']);
});

test('a difference shows what is gone, added, moved and changed, and the bytes', () => {
  const difference: ContextDifference = {
    left: 'one',
    right: 'two',
    gone: [piece({ id: 'base/identity' })],
    added: [piece({ id: 'context-file:/repo/AGENTS.md', placement: 'history', bytes: 12, rule: 'Sent.' })],
    moved: [{ id: 'append', from: 'system', to: 'history', bytes: 7 }],
    changed: [{ id: 'environment', leftBytes: 100, rightBytes: 1200 }],
    unchanged: 3,
    bytes: { left: 9000, right: 8000 },
  };
  expect(differenceTable(difference, 80)).toBe(`one → two: 9,000 → 8,000 bytes (-1,000)
- base/identity  system, 1,234 B
    The shipped prompt names the tools.
+ context-file:/repo/AGENTS.md  history, 12 B
    Sent.
> append  system → history, 7 B
~ environment  100 → 1,200 B
= 3 unchanged
`);
});
