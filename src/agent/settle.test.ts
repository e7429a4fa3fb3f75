import { expect, test } from 'vitest';
import type { Task, TransientEvent } from '../model/index.ts';
import { type SettleScope, settle } from './settle.ts';
import type { TaskService } from './tasks/task-service.ts';
import { rig } from './test-rig.ts';

const TASK = { id: 'bash-1', description: 'run the tests' } as Task;

type Board = { awaited: Task[]; pending: Task[]; wait(): void };

function scope(board: Board, more: Partial<SettleScope> = {}): { scope: SettleScope; seen: string[] } {
  const seen: string[] = [];
  const { parts } = rig([]);
  const tasks = {
    pending: () => board.pending,
    awaited: () => board.awaited,
    wait: async (ids: string[], until: string, ms: number) => {
      seen.push(`wait ${ids.join()} ${until} ${ms}`);
      board.wait();
    },
  } as unknown as TaskService;
  return {
    seen,
    scope: {
      parts,
      signal: new AbortController().signal,
      emit: (event: TransientEvent) =>
        seen.push(event.type === 'diagnostic' ? event.diagnostic.message : JSON.stringify(event)),
      idle: async () => undefined,
      tasks: () => tasks,
      mayGoOn: () => true,
      tell: async () => {
        seen.push('tell');
        board.pending = [];
      },
      ...more,
    },
  };
}

test('it waits for what will tell of its end, says so once, and has each end told', async () => {
  const other = { id: 'bash-2', description: 'build' } as Task;
  const board: Board = {
    awaited: [TASK, other],
    pending: [],
    wait() {
      board.pending = board.awaited.splice(0, 1);
    },
  };
  const made = scope(board);
  await settle(5000, made.scope);
  expect(made.seen).toEqual([
    '{"type":"task-wait","tasks":[{"id":"bash-1","description":"run the tests"},{"id":"bash-2","description":"build"}],"limitMs":5000}',
    'wait bash-1,bash-2 any 5000',
    'tell',
    'wait bash-2 any 5000',
    'tell',
  ]);
});

test('what has ended meanwhile is told without a wait', async () => {
  const made = scope({ awaited: [], pending: [TASK], wait: () => undefined });
  await settle(5000, made.scope);
  expect(made.seen).toEqual(['tell']);
});

test('at the end of the wait what still runs is named, with the setting', async () => {
  const made = scope({ awaited: [TASK], pending: [], wait: () => undefined });
  await settle(0, made.scope);
  expect(made.seen).toEqual(['still running after 0 s of waiting (tasks.wait_ms); stopped now: bash-1']);
});

test('nothing is waited for after an abort, after a turn that did not end well, or where nothing ever ran', async () => {
  const board = (): Board => ({ awaited: [TASK], pending: [TASK], wait: () => undefined });
  const all = [
    scope(board(), { signal: AbortSignal.abort() }),
    scope(board(), { mayGoOn: () => false }),
    scope(board(), { tasks: () => null }),
  ];
  for (const made of all) await settle(5000, made.scope);
  expect(all.map(({ seen }) => seen)).toEqual([[], [], []]);
});
