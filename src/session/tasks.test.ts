import { expect, test } from 'vitest';
import type { Note, TaskDetail, TaskState } from '../model/index.ts';
import { tasksOf } from './tasks.ts';

let count = 0;
function note(task: string, state: TaskState, detail: TaskDetail = {}): Note {
  count += 1;
  return { id: `n${count}`, time: `time ${task} ${state}`, type: 'task', task, state, detail };
}

test('notes fold into tasks in the order of their beginning, with the newest word of each detail', () => {
  const notes: Note[] = [
    note('bash-1', 'starting', { kind: 'command', description: 'build', command: 'make', notify: 'always' }),
    { id: 't', time: 'now', type: 'title', text: 'a title' },
    note('agent-1', 'starting', { kind: 'agent', description: 'look' }),
    note('bash-1', 'running', { output: '/repo/output' }),
    note('bash-1', 'failed', { exitCode: 2, reason: 'exit code 2' }),
  ];
  expect(tasksOf(notes)).toEqual([
    {
      id: 'bash-1',
      kind: 'command',
      state: 'failed',
      description: 'build',
      startedAt: 'time bash-1 starting',
      endedAt: 'time bash-1 failed',
      detail: {
        kind: 'command',
        description: 'build',
        command: 'make',
        notify: 'always',
        output: '/repo/output',
        exitCode: 2,
        reason: 'exit code 2',
      },
    },
    {
      id: 'agent-1',
      kind: 'agent',
      state: 'starting',
      description: 'look',
      startedAt: 'time agent-1 starting',
      endedAt: null,
      detail: { kind: 'agent', description: 'look' },
    },
  ]);
});

test('a note without its beginning is a task all the same', () => {
  expect(tasksOf([note('bash-2', 'lost')])).toMatchObject([
    { id: 'bash-2', kind: 'command', state: 'lost', description: '', endedAt: 'time bash-2 lost' },
  ]);
});
