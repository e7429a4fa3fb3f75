import { expect, test } from 'vitest';
import type { StreamEvent } from '../model/index.ts';
import { type Rig, rig, say } from './test-rig.ts';

function answers({ events }: Rig): StreamEvent[] {
  return events.filter(({ type }) => type === 'done' || type === 'error');
}

const SCOUT = { name: 'scout', description: 'Looks.', scope: 'project', path: null, spawns: false, readsPlan: false };

test('where nothing ever ran the lists are empty, and the agents that there are are known before a prompt', async () => {
  const made = rig([], { harness: { subagents: { list: () => [SCOUT], exitTool: null } } });
  for (const type of ['jobs', 'tasks', 'subagents'] as const) await made.session.send({ type, tag: type });
  expect(answers(made)).toEqual([
    { type: 'done', tag: 'jobs', value: { jobs: [] } },
    { type: 'done', tag: 'tasks', value: { tasks: [] } },
    { type: 'done', tag: 'subagents', value: { subagents: [SCOUT], runs: [] } },
  ]);
});

test('a harness without agents has none', async () => {
  const made = rig([]);
  await made.session.send({ type: 'subagents' });
  expect(answers(made)).toEqual([{ type: 'done', value: { subagents: [], runs: [] } }]);
});

test('a job or an agent that there is not is told by its name, which is cut where it is long', async () => {
  const made = rig([]);
  await made.session.send({ type: 'stop', id: 'bash-none' });
  await made.session.send({ type: 'steer', to: 'agent-none', text: 'x' });
  await made.session.send({ type: 'stop', id: 'x'.repeat(200) });
  expect(answers(made)).toEqual([
    { type: 'error', code: 'command/no-target', message: 'there is no job "bash-none"' },
    { type: 'error', code: 'command/no-target', message: 'there is no agent "agent-none"' },
    { type: 'error', code: 'command/no-target', message: `there is no job "${'x'.repeat(100)}"` },
  ]);
});

test('they are carried out while a turn runs, and leave it alone', async () => {
  let begun: () => void = () => undefined;
  let go: () => void = () => undefined;
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  const mayGo = new Promise<void>((resolve) => (go = resolve));
  const made = rig([
    async function* () {
      begun();
      await mayGo;
      yield* say('done');
    },
  ]);
  const turn = made.session.send({ type: 'prompt', text: 'a', tag: 'prompt' });
  await hasBegun;
  await made.session.send({ type: 'jobs', tag: 'jobs' });
  const before = answers(made).map(({ tag }) => tag);
  go();
  await turn;
  expect([before, answers(made).map(({ tag }) => tag)]).toEqual([['jobs'], ['jobs', 'prompt']]);
});
