import { describe, expect, test } from 'vitest';
import type { EventType, NoteBody } from '../model/index.ts';
import { kindOf } from './line-kinds.ts';

const EVENT = { id: 'e', parentId: null, time: 't' };
const NOTE = { id: 'n', time: 't' };
const CHOICE = { from: null, to: 'x', by: 'user' };
const CHECKPOINT = { folds: {} };
const USAGE = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

/** For each type a line as it is written, and what makes it damaged. */
const EVENTS: Record<EventType, { good: object; bad: object[] }> = {
  prompt: { good: { text: 'x', from: 'user' }, bad: [{ text: 1 }, { parts: 'x' }, { parts: [{ type: 'text' }] }] },
  reminder: {
    good: { reason: 'x', layout: [{ separator: 'a' }, { piece: 'p@1', trigger: 'reload' }] },
    bad: [{ layout: null }, { layout: [{}] }, { layout: [{ separator: 1, piece: 'p' }] }, { omitted: [1] }],
  },
  chain: { good: { paths: ['/a'] }, bad: [{ paths: [1] }, { paths: '/a' }] },
  tools: { good: { allow: ['read'] }, bad: [{ allow: 'read' }, { deny: [1] }] },
  'plan-mode': { good: { on: true, file: '/p', by: 'user' }, bad: [{ on: 1 }, { file: null }] },
  'media-dropped': { good: { sha256: ['a'], why: 'x' }, bad: [{ sha256: 'a' }, { why: 1 }] },
  pin: { good: { name: 'a', value: 'b' }, bad: [{ name: 1 }, { value: null }] },
  request: {
    good: {
      purpose: 'turn',
      harness: 'rein',
      wire: 'chat',
      provider: 'p',
      model: 'm',
      system: [],
      tools: [{ name: 'read', description: [] }],
      body: ['a', { of: 'r', at: [0, 1] }],
      sha256: 'x',
    },
    bad: [
      { purpose: 1 },
      { system: {} },
      { tools: [{}] },
      { body: [1] },
      { body: [{ of: 'r', at: [0] }] },
      { body: [{ of: 'r', at: [-1, 2] }] },
      { body: [{ of: 'r', at: [0.5, 2] }] },
      { sha256: 1 },
    ],
  },
  assistant: {
    good: { request: 'r', parts: [{ type: 'call', id: 'a', name: 'b', arguments: '' }], stop: 'end', usage: USAGE },
    bad: [{ request: 1 }, { parts: [{ type: 'call', id: 'a' }] }, { usage: { input: 1 } }, { usage: null }],
  },
  'tool-result': {
    good: { call: { assistant: 'a', id: 'b' }, tool: 'read', parts: [], status: 'ok', observed: [{ path: '/a' }] },
    bad: [{ call: { id: 'b' } }, { tool: 1 }, { parts: {} }, { observed: [{}] }, { status: null }],
  },
  facet: { good: CHOICE, bad: [{ to: null }] },
  model: { good: CHOICE, bad: [{ to: null }] },
  effort: { good: CHOICE, bad: [{ to: null }] },
  wire: { good: CHOICE, bad: [{ to: null }] },
  harness: { good: CHOICE, bad: [{ to: null }] },
  'permission-mode': { good: CHOICE, bad: [{ to: null }] },
  plan: { good: { op: 'write', path: '/p', text: 'x' }, bad: [{ path: 1 }, { text: null }] },
  todos: { good: { items: [{ id: '1', title: 'x', status: 'done' }] }, bad: [{ items: [1] }, { items: {} }] },
  directory: { good: { stack: ['/a'] }, bad: [{ stack: [null] }] },
  'context-patch': { good: { patches: [] }, bad: [] },
  clear: { good: { facet: null, plan: null, checkpoint: CHECKPOINT }, bad: [{ checkpoint: {} }, { plan: 1 }] },
  compaction: {
    good: { kind: 'text', why: 'manual', keptFrom: 'e', todos: [], skills: [], files: [], checkpoint: CHECKPOINT },
    bad: [{ keptFrom: null }, { checkpoint: null }, { summary: 'x' }],
  },
  'agent-result': { good: { value: { summary: 'x' } }, bad: [{ value: undefined }] },
  'task-told': { good: { tasks: ['t'] }, bad: [{ tasks: 't' }, { tasks: [1] }] },
  rewind: { good: { to: null }, bad: [{ to: 1 }] },
  'turn-end': { good: { stop: 'end' }, bad: [] },
};

const NOTES: Record<NoteBody['type'], { good: object; bad: object[] }> = {
  task: { good: { task: 't', state: 'running', detail: {} }, bad: [{ task: 1 }, { detail: null }] },
  subagent: { good: { run: 'r', session: 's', agent: 'a', state: 'running' }, bad: [{ session: null }] },
  grant: { good: { rule: 'x', for: 'session' }, bad: [{ rule: null }] },
  decision: { good: { call: { assistant: 'a', id: 'b' }, decision: 'allow' }, bad: [{ call: null }] },
  notice: {
    good: { diagnostic: { severity: 'info', code: 'a/b', message: 'x' } },
    bad: [{ diagnostic: null }, { diagnostic: {} }],
  },
  title: { good: { text: 'x' }, bad: [{ text: 1 }] },
  label: { good: { text: 'x', at: 'e' }, bad: [{ text: null }] },
};

describe('the kind of a line', () => {
  test.each(Object.entries(EVENTS))(
    'of type %s is an event, and damaged where its readers could not use it',
    (type, { good, bad }) => {
      const line = { ...EVENT, type, ...good };
      expect(kindOf(line)).toBe('event');
      expect(kindOf({ ...line, parentId: 'other', more: 1 })).toBe('event');
      for (const wrong of [...bad, { parentId: undefined }, { parentId: 1 }, { id: '' }, { time: 1 }]) {
        expect([wrong, kindOf({ ...line, ...wrong })]).toEqual([wrong, null]);
      }
    },
  );

  test.each(Object.entries(NOTES))(
    'of type %s is a note, and damaged where its readers could not use it',
    (type, { good, bad }) => {
      const line = { ...NOTE, type, ...good };
      expect(kindOf(line)).toBe('note');
      for (const wrong of [...bad, { id: 1 }, { time: undefined }]) {
        expect([wrong, kindOf({ ...line, ...wrong })]).toEqual([wrong, null]);
      }
    },
  );

  test('of an unknown type is an event where it has a parent, else a note', () => {
    expect(kindOf({ ...EVENT, type: 'new' })).toBe('event');
    expect(kindOf({ ...NOTE, type: 'new' })).toBe('note');
    expect(kindOf({ ...NOTE, type: 'toString' })).toBe('note');
    expect(kindOf({ ...NOTE, type: 1 })).toBeNull();
  });
});
