import { expect, test } from 'vitest';
import { createMemoryHost } from '../../src/host/memory/index.ts';
import type { Event, EventOf, EventType, Header, Note, NoteBody } from '../../src/model/index.ts';
import { createSessionStore } from '../../src/session/index.ts';
import { EVENT_TYPES, NOTE_TYPES } from '../../src/session/line-kinds.ts';
import { blocksOf, readPage } from '../rig/doc-page.ts';
import { FOLDS } from '../rig/session-rig.ts';

const PAGE = readPage('docs/log-format.md');

type Own<T, Common> = Exclude<T extends unknown ? keyof T : never, keyof Common | 'type'>;
type NoteOf<T extends NoteBody['type']> = Extract<Note, { type: T }>;
type Common = { id: string; parentId: string | null; time: string };

/** Compiles only where each type has exactly its fields. `?`: may be absent. */
const EVENT_FIELDS: { readonly [T in EventType]: Readonly<Record<Own<EventOf<T>, Common>, '' | '?'>> } = {
  prompt: { text: '', typed: '?', parts: '?', from: '' },
  reminder: { reason: '', key: '?', alone: '?', layout: '', omitted: '?' },
  chain: { paths: '' },
  tools: { allow: '?', deny: '?' },
  'plan-mode': { on: '', file: '', by: '' },
  'media-dropped': { sha256: '', why: '' },
  pin: { name: '', value: '' },
  request: {
    purpose: '',
    harness: '',
    wire: '',
    provider: '',
    model: '',
    effort: '?',
    system: '',
    tools: '',
    body: '',
    sha256: '',
  },
  assistant: { request: '', parts: '', stop: '', usage: '', partial: '?', opaque: '?' },
  'tool-result': { call: '', tool: '', parts: '', status: '', observed: '', spill: '?' },
  facet: { from: '', to: '', by: '' },
  model: { from: '', to: '', by: '' },
  effort: { from: '', to: '', by: '' },
  wire: { from: '', to: '', by: '' },
  harness: { from: '', to: '', by: '' },
  'permission-mode': { from: '', to: '', by: '' },
  plan: { op: '', path: '', text: '', edits: '?' },
  todos: { items: '' },
  directory: { stack: '' },
  'context-patch': { patches: '' },
  clear: { facet: '', plan: '', checkpoint: '' },
  compaction: {
    kind: '',
    why: '',
    summary: '?',
    opaque: '?',
    keptFrom: '',
    todos: '',
    skills: '',
    files: '',
    checkpoint: '',
  },
  'agent-result': { value: '' },
  'task-told': { tasks: '' },
  rewind: { to: '' },
  'turn-end': { stop: '' },
};

const NOTE_FIELDS: { readonly [T in NoteBody['type']]: Readonly<Record<Own<NoteOf<T>, Common>, '' | '?'>> } = {
  task: { task: '', state: '', detail: '' },
  subagent: { run: '', session: '', agent: '', state: '' },
  grant: { rule: '', for: '' },
  decision: { call: '', decision: '', feedback: '?' },
  notice: { diagnostic: '' },
  title: { text: '', at: '?' },
  label: { text: '', at: '?' },
};

const HEADER_FIELDS: Readonly<Record<keyof Header, ''>> = {
  type: '',
  version: '',
  program: '',
  id: '',
  time: '',
  cwd: '',
  projectRoot: '',
  kind: '',
  spawnedBy: '',
  forkedFrom: '',
};

/** The rows of the table behind `<!-- fields: NAME -->`. */
function rows(name: string): string[][] {
  const table = PAGE.split(`<!-- fields: ${name} -->\n`)[1]?.split('\n\n')[0] ?? '';
  return table
    .split('\n')
    .slice(2)
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| /, '')));
}

function codes(cell = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
}

function fieldsOf(fields: Readonly<Record<string, string>>): string[] {
  return Object.entries(fields).map(([name, mark]) => `${name}${mark}`);
}

test.each([
  ['events', EVENT_FIELDS, EVENT_TYPES],
  ['notes', NOTE_FIELDS, NOTE_TYPES],
] as const)('the table of %s has each type that a reader knows, with its fields', (name, fields, types) => {
  const documented = Object.fromEntries(rows(name).map(([type, cell]) => [codes(type)[0], codes(cell)]));
  expect(Object.keys(documented)).toEqual(types);
  expect(documented).toEqual(Object.fromEntries(Object.entries(fields).map(([type, own]) => [type, fieldsOf(own)])));
});

test('the table of the header has each of its fields', () => {
  expect(rows('session').flatMap(([cell]) => codes(cell))).toEqual(Object.keys(HEADER_FIELDS));
});

test('the whole log on the page is read without a word, and its request is rebuilt byte for byte', async () => {
  const [block] = blocksOf(PAGE).filter(({ marker }) => marker === 'log');
  const text = `${block?.text ?? ''}\n`;
  const { id } = JSON.parse(text.split('\n')[0] ?? '') as Header;
  const host = createMemoryHost({ files: { [`/s/shop-0/${id}.jsonl`]: text, '/home/ann/shop': { directory: true } } });
  const log = await createSessionStore({ host, directory: '/s', folds: FOLDS }).open(id);
  expect(log.diagnostics).toEqual([]);
  const lines = text.split('\n').slice(0, -1);
  const kinds = lines.map((line) => (JSON.parse(line) as Event).type as string);
  expect(new Set(kinds)).toEqual(
    new Set(['session', 'blob', 'piece', 'prompt', 'request', 'assistant', 'turn-end', 'title']),
  );
  expect(log.state().history.map(({ role, parts }) => [role, parts])).toEqual([
    ['user', [{ type: 'text', text: 'Say hello' }]],
    ['assistant', [{ type: 'text', text: 'Hello.' }]],
  ]);
  const [request] = log.requests();
  expect(request && JSON.parse(log.requestBody(request))).toEqual({
    model: 'm',
    stream: true,
    messages: [
      { role: 'system', content: 'You are rein.' },
      { role: 'user', content: 'Say hello' },
    ],
  });
});
