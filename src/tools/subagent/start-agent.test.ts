import { expect, test } from 'vitest';
import { createMemoryHost } from '../../host/memory/index.ts';
import type { Task } from '../../model/index.ts';
import type { AgentArgs, AgentPort, AgentSpec } from '../contract/index.ts';
import { testContext } from '../test-context.ts';
import { messageAgent, startAgent } from './start-agent.ts';

const ARGS: AgentArgs = { agent: 'scout', prompt: 'Look.', description: 'look', background: false, timeoutMs: null };

function task(state: Task['state'], detail: Task['detail'] = {}): Task {
  return { id: 'agent-1', kind: 'agent', state, description: 'look', startedAt: '', endedAt: null, detail };
}

function port(answer: Awaited<ReturnType<AgentPort['start']>>): { agents: AgentPort; specs: AgentSpec[] } {
  const specs: AgentSpec[] = [];
  return {
    specs,
    agents: {
      start: async (spec) => {
        specs.push(spec);
        return answer;
      },
      message: async () => answer,
    },
  };
}

const HOST = createMemoryHost({ files: { '/w/sub': { directory: true }, '/w/file': 'x' } });

async function started(args: Partial<AgentArgs>, state: Task, host = HOST) {
  const { agents, specs } = port({ task: state });
  const outcome = await startAgent({ ...ARGS, ...args }, testContext(host, { agents }));
  return { outcome, specs };
}

test('an agent starts in the directory of its caller, or in one that is named from there', async () => {
  const running = task('running');
  const seen = [];
  for (const cwd of [undefined, 'sub', '/w/sub', '.']) {
    const { specs } = await started(cwd === undefined ? {} : { cwd }, running);
    seen.push(specs.map((spec) => spec.cwd));
  }
  expect(seen).toEqual([['/w'], ['/w/sub'], ['/w/sub'], ['/w']]);
});

test('what cannot be started is told, and none is', async () => {
  const refused = [];
  for (const args of [
    { prompt: ' \n' },
    { prompt: 'é'.repeat(128 * 1024 + 1) },
    { cwd: 'file' },
    { cwd: 'gone' },
    { cwd: 'sub', resumeFrom: 'agent-0' },
  ]) {
    const { outcome, specs } = await started(args, task('running'));
    refused.push(['error' in outcome ? outcome.error.message : null, specs.length]);
  }
  expect(refused).toEqual([
    ['prompt is empty: say what the agent is to do.', 0],
    ['prompt is longer than 256 KiB: put what is long into a file and name it.', 0],
    ['cwd: /w/file is no directory.', 0],
    ['cwd: /w/gone is no directory.', 0],
    ['A run that is gone on with keeps its directory: leave cwd out.', 0],
  ]);
});

test('no agent runs longer than an hour at the word of a model', async () => {
  const times = [];
  for (const timeoutMs of [null, 30_000, 1e12])
    times.push((await started({ timeoutMs }, task('running'))).specs[0]?.timeoutMs);
  expect(times).toEqual([null, 30_000, 3_600_000]);
});

test('one that was waited for has been told of with the result; one in the background will be', async () => {
  const done = task('completed', { result: { summary: 'x' } });
  const running = task('running');
  expect([(await started({}, done)).outcome, (await started({ background: true }, running)).outcome]).toEqual([
    { value: { task: done, background: false }, observed: [], events: [{ type: 'task-told', tasks: ['agent-1'] }] },
    { value: { task: running, background: true }, observed: [], events: [] },
  ]);
});

test('one that gave nothing is an error that says why, and how to go on with it', async () => {
  const { outcome } = await started(
    {},
    task('failed', { reason: 'its model failed', agent: { name: 'scout', session: 's' } }),
  );
  expect(outcome).toEqual({
    error: {
      code: 'subagent/no-result',
      message: 'agent-1 (scout) gave no result: its model failed. It can be gone on with by resume_from.',
      data: { id: 'agent-1', reason: 'its model failed', timedOut: false },
    },
    observed: [],
    events: [{ type: 'task-told', tasks: ['agent-1'] }],
  });
});

test('a refusal of the engine, to start one or to send a word, is the result as it is', async () => {
  const error = { code: 'subagent/unknown', message: 'There is none.' };
  const context = testContext(HOST, { agents: port({ error }).agents });
  expect([await startAgent(ARGS, context), await messageAgent({ id: 'agent-2', text: 'x' }, context)]).toEqual([
    { error, observed: [] },
    { error, observed: [] },
  ]);
});

test('a word that was sent names whom it was sent to', async () => {
  const context = testContext(HOST, { agents: port({ task: task('running') }).agents });
  expect(await messageAgent({ id: 'agent-1', text: 'x' }, context)).toEqual({
    value: { task: task('running') },
    observed: [],
  });
});
