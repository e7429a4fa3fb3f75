import { expect, test } from 'vitest';
import { UsageError } from '../../base/index.ts';
import type { SubagentSummary } from '../../harness/contract/index.ts';
import { NO_USAGE, type StreamEvent, type Turn } from '../../model/index.ts';
import type { AgentPort, AgentSpec } from '../../tools/contract/index.ts';
import type { ActiveModel, AgentParts } from '../parts.ts';
import type { TurnEnd } from '../run-turn.ts';
import { TaskService } from '../tasks/task-service.ts';
import { type Rig, rig } from '../test-rig.ts';
import type { ChildSession } from './child-session.ts';
import { SubagentRuns } from './subagent-runs.ts';

const SCOUT: SubagentSummary = {
  name: 'scout',
  description: 'Looks.',
  scope: 'project',
  path: null,
  spawns: false,
  readsPlan: false,
};

const SPEC: AgentSpec = { agent: 'scout', prompt: 'GO', description: 'look', background: true, timeoutMs: null };

type Runs = {
  runs: SubagentRuns;
  port: AgentPort;
  parts: AgentParts;
  tasks: TaskService;
  told: StreamEvent[];
  opened: AgentParts[];
  steered: string[];
  /** Has every agent that runs give that result; null: come to no turn. */
  finish(value: string | null): void;
  /** Has each of them say something. */
  say(event: StreamEvent): void;
};

async function runsOf(given: Partial<AgentParts> = {}): Promise<Runs> {
  const made: Rig = rig([], { harness: { subagents: { list: () => [SCOUT], exitTool: 'exit' } }, parts: given });
  const { parts, host } = made;
  await parts.log.begin();
  const tasks = new TaskService({ host, log: parts.log, spillDirectory: null, mostCommands: 0, mask: (text) => text });
  const told: StreamEvent[] = [];
  const opened: AgentParts[] = [];
  const steered: string[] = [];
  const waiting: ((value: string | null) => void)[] = [];
  const listeners: ((event: StreamEvent) => void)[] = [];
  const end = (value: string | null): void => {
    for (const finish of waiting.splice(0)) finish(value);
  };
  const open = (child: AgentParts): ChildSession => {
    opened.push(child);
    return {
      parts: child,
      subscribe(listener) {
        listeners.push(listener);
        return () => undefined;
      },
      send: async (command) => void steered.push(JSON.stringify(command)),
      ask: () =>
        new Promise<TurnEnd | null>((resolve) =>
          waiting.push((value) => {
            if (value !== null) child.log.append({ type: 'agent-result', value });
            resolve(null);
          }),
        ),
      tell: async () => null,
      settle: async () => undefined,
      last: null,
      abort: () => end(null),
      close: () => child.log.close(),
    };
  };
  const runs = new SubagentRuns({ parts, tasks, open, emit: (event) => told.push(event) });
  const turn = { world: { cwd: '/repo' }, tools: [{ name: 'read' }, { name: 'note' }] } as unknown as Turn;
  const port = runs.port({ turn, signal: new AbortController().signal, needsPerson: () => undefined });
  return {
    ...{ runs, port, parts, tasks, told, opened, steered },
    finish: end,
    say(event) {
      for (const listener of listeners) listener(event);
    },
  };
}

async function start({ port }: Runs, spec: Partial<AgentSpec> = {}): Promise<string> {
  const started = await port.start({ ...SPEC, ...spec });
  return 'error' in started ? `${started.error.code}: ${started.error.message}` : started.task.state;
}

test('one has the tools that its caller was offered, and the one for its result', async () => {
  const made = await runsOf();
  await start(made);
  expect(made.opened.map(({ onlyTools, depth, modelGiven }) => [onlyTools, depth, modelGiven])).toEqual([
    [['read', 'note', 'exit'], 1, false],
  ]);
  made.finish('x');
  await made.runs.close();
});

test('the caller’s mode is its mode at every moment', async () => {
  const made = await runsOf();
  await start(made);
  const before = made.opened[0]?.permissionMode;
  made.parts.permissionMode = 'read-only';
  expect([before, made.opened[0]?.permissionMode]).toEqual(['yolo', 'read-only']);
  made.finish('x');
  await made.runs.close();
});

test('no more run at once than may, also where each takes its time to find its model', async () => {
  const release: (() => void)[] = [];
  const model = async (): Promise<ActiveModel> => {
    await new Promise<void>((resolve) => release.push(resolve));
    return base.model;
  };
  const { parts: base } = rig([]);
  const made = await runsOf({
    crew: { running: 0, most: 2, deepest: 2, grant: () => undefined },
    choose: { ...base.choose, model },
    model: base.model,
  });
  const all = ['a', 'b', 'c'].map((name) => start(made, { model: name }));
  while (release.length < 3) await Promise.resolve();
  for (const go of release) go();
  expect(await Promise.all(all)).toEqual([
    'running',
    'running',
    'subagent/too-many: 2 agents are running, as many as may at once. Wait for one to end, or do the work yourself.',
  ]);
  made.finish('x');
  await made.runs.close();
  expect(made.parts.crew.running).toBe(0);
});

test('at the last level none is started, and where there are none at all that is told', async () => {
  const refused = async (depth: number, deepest: number): Promise<string> =>
    start(await runsOf({ depth, crew: { running: 0, most: 4, deepest, grant: () => undefined } }));
  expect([await refused(0, 0), await refused(1, 1), await refused(3, 3)]).toEqual([
    'subagent/too-deep: Agents are turned off (subagents.max_depth). Do the work yourself.',
    'subagent/too-deep: Agents may be 1 level deep; this one may start no more. Do the work yourself.',
    'subagent/too-deep: Agents may be 3 levels deep; this one may start no more. Do the work yourself.',
  ]);
});

test('a name, a run or a model that there is not is told with what there is', async () => {
  const { parts: base } = rig([]);
  const { info } = base.model;
  const elsewhere = { port: { ...base.model.port, info: { ...base.model.port.info, provider: 'other' } }, info };
  const model = async (name: string): Promise<ActiveModel> => {
    if (name === 'other/x') return elsewhere;
    throw new UsageError('model/unknown', 'there is no such model');
  };
  const made = await runsOf({ choose: { ...base.choose, model }, model: base.model });
  expect([
    await start(made, { agent: 'scuot' }),
    await start(made, { agent: 'zebra' }),
    await start(made, { resumeFrom: 'agent-none' }),
    await start(made, { model: 'other/x' }),
    await start(made, { model: 'gone' }),
  ]).toEqual([
    'subagent/unknown: There is no agent "scuot"; did you mean "scout"?',
    'subagent/unknown: There is no agent "zebra"; there are: scout',
    'subagent/unknown-run: resume_from: there is no agent "agent-none".',
    'subagent/model: The model "other/x" is of another provider than the session\'s; leave model out.',
    'subagent/model: The model "gone" cannot be had: there is no such model',
  ]);
  expect([made.tasks.list(), made.parts.crew.running]).toEqual([[], 0]);
});

test('a word reaches a running one, and neither a blank one, nor one that has ended', async () => {
  const made = await runsOf();
  await start(made);
  const id = made.tasks.list()[0]?.id ?? '';
  const said = async (to: string, text: string): Promise<string> => {
    const sent = await made.port.message(to, text);
    return 'error' in sent ? sent.error.message : sent.task.state;
  };
  expect([await said(id, 'LEFT'), await said(id, ' '), await said('agent-none', 'x')]).toEqual([
    'running',
    'There is nothing in the message.',
    `There is no agent "agent-none"; running: ${id}.`,
  ]);
  expect(made.steered).toEqual(['{"type":"steer","text":"LEFT"}']);
  made.finish('x');
  await made.runs.close();
  expect(await said(id, 'LATE')).toBe(`${id} has ended (completed). To go on with it, start one with resume_from.`);
});

test('what happens in it is told with its id, what answers the program’s own commands is not', async () => {
  const made = await runsOf();
  await start(made);
  const id = made.tasks.list()[0]?.id;
  made.say({ type: 'text-delta', text: 'a', tag: 'own' } as StreamEvent);
  made.say({ type: 'done' });
  made.say({ type: 'text-delta', text: 'b', subagent: 'agent-below' } as StreamEvent);
  expect(made.told).toEqual([
    { type: 'text-delta', text: 'a', subagent: id },
    { type: 'text-delta', text: 'b', subagent: 'agent-below' },
  ]);
  made.finish('x');
  await made.runs.close();
});

test('its job has what it gave and what was spent, also by those that it started', async () => {
  const made = await runsOf();
  await start(made);
  const usage = { ...NO_USAGE, input: 3, output: 1 };
  const assistant = { type: 'assistant', usage } as StreamEvent;
  made.say(assistant);
  made.say({ ...assistant, subagent: 'agent-below' } as StreamEvent);
  made.finish('GIVEN');
  await made.runs.close();
  const [task] = made.tasks.list();
  expect([task?.state, task?.detail.result, task?.detail.usage]).toEqual([
    'completed',
    'GIVEN',
    { ...NO_USAGE, input: 6, output: 2 },
  ]);
});

test('one that is waited for is not told of again; one that could not begin has failed', async () => {
  const made = await runsOf();
  const waited = start(made, { background: false });
  while (made.opened.length === 0) await Promise.resolve();
  await Promise.resolve();
  made.finish(null);
  expect(await waited).toBe('failed');
  expect(made.tasks.list().map(({ detail }) => [detail.notify, detail.reason])).toEqual([
    ['never', 'it could not be started'],
  ]);
  expect(made.tasks.pending()).toEqual([]);
});
