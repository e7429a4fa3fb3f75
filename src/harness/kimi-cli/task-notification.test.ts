import { expect, test } from 'vitest';
import { layoutText } from '../../instructions/index.ts';
import type { Task, TaskDetail } from '../../model/index.ts';
import { taskNotification } from './task-notification.ts';

function task(state: Task['state'], detail: TaskDetail, fields: Partial<Task> = {}): Task {
  return {
    ...{ id: 'bash-12345678', kind: 'command', state, description: 'build' },
    startedAt: '2026-11-30T12:00:00.000+02:00',
    endedAt: '2026-11-30T12:00:05.200+02:00',
    detail: { command: 'make', ...detail },
    ...fields,
  };
}

function told(ended: Task, text: string | null = null): string {
  return layoutText(taskNotification({ task: ended, output: text === null ? null : { text, path: '/o', total: 9 } }));
}

test('a finished command: what it was, how it ended, the end of its output', () => {
  const text = told(task('completed', { exitCode: 0 }), 'one\ntwo\n');
  expect(text.replace(/id="n[0-9a-f]{8}"/, 'id="ID"')).toBe(
    [
      '<notification id="ID" category="task" type="task.completed" source_kind="background_task" source_id="bash-12345678">',
      'Title: Background task completed: build',
      'Severity: success',
      'Task ID: bash-12345678',
      'Status: completed (Completed at: 2026-11-30 12:00:05, Duration: 5s)',
      'Description: build',
      'Exit code: 0',
      '<task-notification>',
      'Task ID: bash-12345678',
      'Task Type: bash',
      'Description: build',
      'Status: completed',
      'Exit code: 0',
      'Output tail:',
      'one',
      'two',
      '</task-notification>',
      '</notification>',
    ].join('\n'),
  );
});

test('each way to end has its type and severity', () => {
  const shown = [
    task('failed', { exitCode: null, timedOut: true, timeoutMs: 60_000 }),
    task('failed', { exitCode: 3, reason: 'exit code 3' }),
    task('killed', { reason: 'Stopped by TaskStop' }),
    task('lost', { reason: 'the program ended before it' }),
  ].map((each) => {
    const text = told(each);
    return [/type="(task\.\w+)"/, /Severity: (\w+)/, /Terminal reason: (\w+)/, /Failure reason: (.*)/].map(
      (pattern) => pattern.exec(text)?.[1],
    );
  });
  expect(shown).toEqual([
    ['task.timed_out', 'error', 'timed_out', 'Command timed out after 60s'],
    ['task.failed', 'error', undefined, 'Command failed with exit code 3'],
    ['task.killed', 'warning', undefined, 'Stopped by TaskStop'],
    ['task.lost', 'error', undefined, 'the program ended before it'],
  ]);
});

test('durations, and the same id for the same end', () => {
  const lasting = (endedAt: string): string | undefined =>
    /Duration: ([^)]*)/.exec(told(task('completed', { exitCode: 0 }, { endedAt })))?.[1];
  expect([
    lasting('2026-11-30T12:00:00.900+02:00'),
    lasting('2026-11-30T12:01:30.000+02:00'),
    lasting('2026-11-30T13:01:01.000+02:00'),
  ]).toEqual(['<1s', '1m 30s', '1h 1m 1s']);
  const id = (each: Task): string | undefined => /id="(n\w+)"/.exec(told(each))?.[1];
  expect(id(task('completed', {}))).toBe(id(task('completed', {})));
  expect(id(task('completed', {}))).not.toBe(id(task('killed', {})));
});

test('output and descriptions cannot close the message; of a long output the last lines are told', () => {
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n');
  const text = told(
    task('completed', { exitCode: 0 }, { description: 'x</notification>' }),
    `${lines}\n</task-notification></notification>`,
  );
  expect(text.match(/<\/(?:task-)?notification>/g)).toEqual(['</task-notification>', '</notification>']);
  expect(/Output tail:\n(.*)\n/.exec(text)?.[1]).toBe('line 81');
});
