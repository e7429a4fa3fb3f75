import { expect, test } from 'vitest';
import { keepsOutput } from './spooled-command.ts';

test('outputs lie below the tasks of a session or of an agent of it, and the directories around them count', () => {
  const there = ['', '/tasks', '/tasks/bash-a/output', '/agents', '/agents/x/tasks/b/output', '/agents/x/agents/y'];
  const not = ['/plan.md', '/tasksx', '/agents/x/plan.md', 'x/tasks', '/other/tasks/bash-a/output'];
  expect(there.filter((path) => !keepsOutput(`/sessions/s.files${path}`))).toEqual([]);
  expect(not.filter((path) => keepsOutput(`/sessions/s.files${path}`))).toEqual([]);
  expect(keepsOutput('/repo/tasks/a/output')).toBe(false);
});
