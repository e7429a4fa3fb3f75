import { expect, test } from 'vitest';
import type { EventType, NoteBody, TransientEvent } from '../../src/model/index.ts';

// What others read. A name may be added here; one that leaves or changes breaks stored sessions and scripts.

const EVENTS = [
  'prompt',
  'reminder',
  'chain',
  'tools',
  'plan-mode',
  'media-dropped',
  'pin',
  'request',
  'assistant',
  'tool-result',
  'facet',
  'model',
  'effort',
  'wire',
  'harness',
  'permission-mode',
  'plan',
  'todos',
  'directory',
  'context-patch',
  'clear',
  'compaction',
  'agent-result',
  'task-told',
  'rewind',
  'turn-end',
] as const;

const NOTES = ['task', 'subagent', 'grant', 'decision', 'notice', 'title', 'label'] as const;

const TRANSIENT = [
  'text-start',
  'text-delta',
  'text-end',
  'reasoning-start',
  'reasoning-delta',
  'reasoning-end',
  'tool-input-start',
  'tool-input-delta',
  'tool-input-end',
  'tool-output-delta',
  'retry-wait',
  'compaction-start',
  'compaction-end',
  'queue-change',
  'permission-request',
  'question-request',
  'handoff-request',
  'task-wait',
  'diagnostic',
  'done',
  'error',
] as const;

/** Compiles only where both unions have the same members. */
type Same<A, B> = [A, B] extends [B, A] ? true : never;

test('the types of events, notes and transient events are the pinned ones', () => {
  const same: [
    Same<EventType, (typeof EVENTS)[number]>,
    Same<NoteBody['type'], (typeof NOTES)[number]>,
    Same<TransientEvent['type'], (typeof TRANSIENT)[number]>,
  ] = [true, true, true];
  expect(same).toEqual([true, true, true]);
  const all: string[] = [...EVENTS, ...NOTES, ...TRANSIENT];
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
});
