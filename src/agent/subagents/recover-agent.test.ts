import { expect, test } from 'vitest';
import type { Task } from '../../model/index.ts';
import { type SessionLog, tasksOf } from '../../session/index.ts';
import type { AgentParts } from '../parts.ts';
import { rig } from '../test-rig.ts';
import { recoverAgent } from './recover-agent.ts';

function taskOf(session: string): Task {
  return {
    id: 'agent-1',
    kind: 'agent',
    state: 'running',
    description: 'look',
    startedAt: '',
    endedAt: null,
    detail: { agent: { name: 'scout', session } },
  };
}

/** The session of an agent; `work`: what it came to before the program ended. */
async function left({ children, log }: AgentParts, work: (child: SessionLog) => void): Promise<string> {
  const child = children.create({ session: log.id, run: 'agent-1', agent: 'scout' }, '/repo');
  await child.begin();
  child.append({ type: 'prompt', text: 'GO', from: 'parent' });
  work(child);
  await child.close();
  return child.id;
}

test('what an agent had given before the program ended is its result', async () => {
  const { parts } = rig([]);
  const session = await left(parts, (child) => child.append({ type: 'agent-result', value: { summary: 'x' } }));
  const empty = await left(parts, () => undefined);
  expect([await recoverAgent(taskOf(session), parts), await recoverAgent(taskOf(empty), parts)]).toEqual([
    { summary: 'x' },
    null,
  ]);
});

test('one whose session never came to a file, or is none, gave nothing', async () => {
  const { parts } = rig([]);
  const none = { ...taskOf(''), detail: {} };
  expect([await recoverAgent(taskOf('01m8rqh3rqkxzgt0rs8f'), parts), await recoverAgent(none, parts)]).toEqual([
    null,
    null,
  ]);
});

test('what it had left running has ended as well: with its result, or lost', async () => {
  const { parts } = rig([]);
  const given = await left(parts, (child) => child.append({ type: 'agent-result', value: 'below' }));
  const start = (child: SessionLog, task: string, session: string): void => {
    const detail = { kind: 'agent' as const, description: task, agent: { name: 'scout', session } };
    child.note({ type: 'task', task, state: 'starting', detail });
  };
  const session = await left(parts, (child) => {
    start(child, 'agent-a', given);
    start(child, 'agent-b', 'gone');
  });
  expect(await recoverAgent(taskOf(session), parts)).toBe(null);
  const log = await parts.children.open(session);
  expect(tasksOf(log.notes()).map(({ id, state, detail }) => [id, state, detail.result])).toEqual([
    ['agent-a', 'completed', 'below'],
    ['agent-b', 'lost', undefined],
  ]);
  await log.close();
});
