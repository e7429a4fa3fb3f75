import { expect, test } from 'vitest';
import { emptySession } from '../../../test/rig/session-state.ts';
import { type Message, NO_USAGE, type SessionState, type Turn } from '../../model/index.ts';
import { layoutText } from '../layout.ts';
import { programNotices } from './program-notices.ts';

const NOW = { epochMs: Date.UTC(2026, 10, 30, 12), micros: 0, offsetMinutes: 0 };
const TODO_TOOL = { name: 'todo', description: '', parameters: {} };

const PROMPT: Message = { role: 'user', event: 'p1', from: 'user', parts: [], alone: false };

function batches(count: number, tool = 'read'): Message[] {
  return Array.from({ length: count }, (_, index) => ({
    role: 'tool' as const,
    event: `${tool}-${index}`,
    call: { assistant: `${tool}-a${index}`, id: 'c' },
    tool,
    parts: [],
    status: 'ok' as const,
  }));
}

function answer(event: string): Message {
  return { role: 'assistant', event, parts: [], source: { provider: 'p', model: 'm' } };
}

function texts(session: Partial<SessionState>, turn: Partial<Turn> = {}, settings: Partial<Turn['settings']> = {}) {
  const whole = {
    session: emptySession('s', '/repo', session),
    model: { provider: 'p', id: 'm', wire: 'chat', contextWindow: 1000, outputLimit: null },
    tools: [TODO_TOOL],
    settings,
    now: NOW,
    ...turn,
  } as unknown as Turn;
  const form = { tag: 'note', todoTools: ['todo'] };
  return programNotices(whole, form).map(({ reason, key, layout }) => ({ reason, key, text: layoutText(layout) }));
}

test('a session taken up again says how long it rested, once, and only where something was said', () => {
  const resumed = { since: '2026-11-30T09:00:00+00:00' };
  const key = `notice/session-resumed/${resumed.since}`;
  const history = [PROMPT, answer('a1')];
  expect(texts({ history }, { resumed })).toEqual([
    {
      reason: 'session_resumed',
      key,
      text: '<note>\nThis session was taken up again: its last message was 3 hours ago. Today is 2026-11-30. Files may have changed since; read a file again before you edit it.\n</note>',
    },
  ]);
  expect(texts({ history: [PROMPT] }, { resumed })).toEqual([]);
  const { delivery } = emptySession('s', '/repo');
  expect(texts({ history, delivery: { ...delivery, keys: [key] } }, { resumed })).toEqual([]);
});

test('eight batches without todos are remarked on where there is a tool for them', () => {
  const history = [PROMPT, ...batches(8)];
  expect(texts({ history })).toEqual([
    {
      reason: 'task_tracking_nudge',
      key: 'notice/task-tracking/p1',
      text: '<note>\nThis has become work in several steps and there is no list of them. If more than one is left, write them down with todo; otherwise go on.\n</note>',
    },
  ]);
  expect(texts({ history }, { tools: [] })).toEqual([]);
  expect(texts({ history: [PROMPT, ...batches(7)] })).toEqual([]);
});

test('open todos that rest for ten batches are remarked on', () => {
  const todos = [
    { id: '1', title: 'A', status: 'pending' as const },
    { id: '2', title: 'B', status: 'done' as const },
  ];
  expect(texts({ todos, history: [PROMPT, ...batches(1, 'todo'), ...batches(10)] })).toEqual([
    {
      reason: 'todo_status_nudge',
      key: 'notice/todo-status/todo-0/1',
      text: '<note>\nOf the todos, 1 of 2 are open, and none has changed for 10 steps or more. Bring the list up to date.\n</note>',
    },
  ]);
  expect(texts({ todos, history: [PROMPT, ...batches(1, 'todo'), ...batches(9)] })).toEqual([]);
});

test('a window that fills is told once, ahead of the automatic compaction', () => {
  const usage = { last: { ...NO_USAGE, input: 760 }, total: NO_USAGE, requests: 1 };
  const compaction = { automatic: true, threshold: 0.85, keepTokens: null };
  const notice = { reason: 'context_pressure', key: 'notice/context-pressure' };
  const record = 'Record what must not be lost with todo, or in your next answer.';
  expect(texts({ usage }, {}, { compaction })).toEqual([
    {
      ...notice,
      text: `<note>\nThe conversation fills 76 % of your context window. At 85 % it is replaced by a summary. ${record}\n</note>`,
    },
  ]);
  expect(texts({ usage })).toEqual([
    {
      ...notice,
      text: `<note>\nThe conversation fills 76 % of your context window. It is not made shorter by itself; when it is full, the work stops. ${record}\n</note>`,
    },
  ]);
  const off = { sessionResumed: true, directoryChanged: true, taskTracking: true, contextPressure: false };
  expect(texts({ usage }, {}, { notices: off })).toEqual([]);
});
