import { expect, test } from 'vitest';
import { memoryLog } from '../../../test/rig/session-rig.ts';
import type { SessionLog } from '../session-log.ts';

function remind(log: SessionLog, key: string): void {
  log.append({ type: 'reminder', reason: 'test', layout: [], key });
}

test('an end is told by a reminder of its task, or by a result; once', () => {
  const log = memoryLog();
  remind(log, 'task/bash-1');
  remind(log, 'other/bash-9');
  log.append({ type: 'task-told', tasks: ['bash-2', 'bash-1'] });
  remind(log, 'task/bash-2');
  expect(log.state().told).toEqual(['bash-1', 'bash-2']);
});

test('an end that was told on a branch that was left is to be told again', () => {
  const log = memoryLog();
  log.append({ type: 'task-told', tasks: ['bash-1'] });
  log.append({ type: 'rewind', to: null });
  expect(log.state().told).toEqual([]);
});

test('a result stands until the caller asks again', () => {
  const log = memoryLog();
  log.append({ type: 'agent-result', value: { summary: 'x' } });
  log.append({ type: 'prompt', text: 'and?', from: 'user' });
  expect(log.state().given).toEqual({ summary: 'x' });
  log.append({ type: 'prompt', text: 'more', from: 'parent' });
  expect(log.state().given).toBeNull();
});
