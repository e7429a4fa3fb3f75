import { expect, test } from 'vitest';
import type { Command, Note } from '../model/index.ts';
import type { Verdict } from '../permissions/index.ts';
import { OpenQuestions } from './open-questions.ts';
import type { Judge } from './parts.ts';
import { call, conversation, type Rig, rig, say } from './test-rig.ts';

const ASK: Verdict = {
  verdict: 'ask',
  why: 'Notes need approval.',
  rules: ['write(/repo/a)'],
  beforehand: 'To allow it beforehand: --permission-mode yolo.',
  places: null,
};
const judge: Judge = async () => ASK;
const note = (id: string) => ({ id, name: 'note', args: { text: id, path: `/repo/${id}` } });

/** What a client answers to the n-th question, once it is shown. */
function answering(
  { session, events }: Rig,
  ...answers: readonly Omit<Extract<Command, { type: 'answer' }>, 'type' | 'id'>[]
): void {
  const left = [...answers];
  session.subscribe((event) => {
    if (event.type !== 'permission-request') return;
    const answer = left.shift();
    if (answer !== undefined) queueMicrotask(() => void session.send({ type: 'answer', id: event.id, ...answer }));
  });
  events.length = 0;
}

function notes({ parts }: Rig): unknown[] {
  return parts.log.notes().map(({ id: _id, time: _time, ...body }: Note) => body);
}

function asked(script: Parameters<typeof rig>[0], harness: Parameters<typeof rig>[1] = {}): Rig {
  const questions = new OpenQuestions(true);
  return rig(script, { ...harness, parts: { judge, questions, ...harness.parts } });
}

test('a call that is allowed runs, and the log says who decided', async () => {
  const r = asked([call(note('a')), say('Done.')]);
  answering(r, { value: 'allow' });
  await r.session.send({ type: 'prompt', text: 'go' });
  expect(r.events.filter(({ type }) => type === 'permission-request')).toEqual([
    {
      type: 'permission-request',
      id: 'question-1',
      tool: 'note',
      subjects: ['write /repo/a'],
      why: 'Notes need approval.',
      rules: ['write(/repo/a)'],
    },
  ]);
  const assistant = r.parts.log.branch().find(({ type }) => type === 'assistant')?.id;
  expect(notes(r)).toEqual([{ type: 'decision', call: { assistant, id: 'a' }, decision: 'allow' }]);
  expect(conversation(r.model, 1).at(-1)).toBe('tool ok: a');
  expect(r.session.result().stopReason).toBe('end');
});

test('names are shown as they are read, commands with their lines', async () => {
  const executor = {
    name: 'note',
    effect: 'execute' as const,
    subjects: () => [
      { type: 'path' as const, path: '/a\nb\u202e', access: 'write' as const },
      { type: 'command' as const, command: 'a\n\tb\u001b[8m' },
    ],
    run: async () => ({ value: 'output', observed: [] }),
  };
  const executors = async () => new Map([['note', executor as never]]);
  const r = asked([call(note('a')), say('Done.')], { parts: { executors } });
  answering(r, { value: 'deny' });
  await r.session.send({ type: 'prompt', text: 'go' });
  expect(r.events.flatMap((event) => (event.type === 'permission-request' ? [event.subjects] : []))).toEqual([
    ['write /a\\u000ab\\u202e', 'run a\n\tb\\u001b[8m'],
  ]);
});

test('allowing it for the session grants the rules that were shown', async () => {
  const r = asked([call(note('a')), say('Done.')]);
  answering(r, { value: 'allow-session' });
  await r.session.send({ type: 'prompt', text: 'go' });
  expect(notes(r).map((body) => (body as { type: string }).type)).toEqual(['grant', 'decision']);
  expect(notes(r)[0]).toEqual({ type: 'grant', rule: 'write(/repo/a)', for: 'session' });
});

test('a call that is denied is an error with what the user said, and the run goes on', async () => {
  const r = asked([call(note('a')), say('I see.')]);
  answering(r, { value: 'deny', feedback: 'use b' });
  await r.session.send({ type: 'prompt', text: 'go' });
  expect(conversation(r.model, 1).at(-1)).toBe(
    'tool denied: The user denied this call. Do not try the same in another way. They said: use b',
  );
  expect(r.session.result()).toMatchObject({ stopReason: 'end', error: null });
});

test('questions of one batch come one after the other, while what is allowed runs', async () => {
  const ids = ['a', 'b', 'c'];
  const r = asked([call(...ids.map(note)), say('Done.')]);
  const seen: string[] = [];
  r.session.subscribe((event) => {
    if (event.type === 'permission-request') seen.push(`${event.id} ${event.subjects[0]}`);
    if (event.type === 'tool-result') seen.push(`ran ${event.call.id}`);
  });
  answering(r, { value: 'allow' }, { value: 'deny' }, { value: 'allow' });
  await r.session.send({ type: 'prompt', text: 'go' });
  expect(seen.filter((line) => line.startsWith('question'))).toEqual([
    'question-1 write /repo/a',
    'question-2 write /repo/b',
    'question-3 write /repo/c',
  ]);
  expect(seen.filter((line) => line.startsWith('ran'))).toEqual(['ran a', 'ran b', 'ran c']);
  expect(
    conversation(r.model, 1)
      .slice(-3)
      .map((line) => line.slice(0, 12)),
  ).toEqual(['tool ok: a', 'tool denied:', 'tool ok: c']);
});

test('an answer of another kind is refused and the question stays open', async () => {
  const r = asked([call(note('a')), say('Done.')]);
  answering(r, { value: true }, { value: 'allow' });
  const running = r.session.send({ type: 'prompt', text: 'go' });
  await new Promise((resolve) => setImmediate(resolve));
  expect(r.events.filter(({ type }) => type === 'error')).toEqual([
    {
      type: 'error',
      code: 'command/invalid',
      message: 'the value of this answer must be "allow", "allow-session" or "deny"',
    },
  ]);
  await r.session.send({ type: 'answer', id: 'question-1', value: 'allow' });
  await running;
  expect(r.session.result().stopReason).toBe('end');
});

for (const parallel of [true, false]) {
  test(`an abort while it waits ends the turn (${parallel ? 'parallel' : 'one by one'})`, async () => {
    const harness = { schedule: { parallel, identicalCallsOnce: false, onSteer: 'after-batch' as const } };
    const r = asked([call(note('a'), note('b'))], { harness });
    r.session.subscribe((event) => {
      if (event.type === 'permission-request') queueMicrotask(() => r.session.abort());
    });
    await r.session.send({ type: 'prompt', text: 'go' });
    const statuses = r.parts.log.branch().flatMap((event) => (event.type === 'tool-result' ? [event.status] : []));
    expect({ stop: r.session.result().stopReason, statuses }).toEqual({
      stop: 'aborted',
      statuses: ['aborted', 'aborted'],
    });
  });

  test(`where nobody answers any more, the batch and the run end (${parallel ? 'parallel' : 'one by one'})`, async () => {
    const harness = { schedule: { parallel, identicalCallsOnce: false, onSteer: 'after-batch' as const } };
    const free: Judge = async ({ call: { id } }) => (id === 'b' ? ASK : { verdict: 'allow', places: null });
    const r = asked([call(note('a'), note('b'), note('c'))], { harness, parts: { judge: free } });
    r.session.subscribe((event) => {
      if (event.type === 'permission-request') queueMicrotask(() => r.session.stopAnswering());
    });
    await r.session.send({ type: 'prompt', text: 'go' });
    const results = r.parts.log
      .branch()
      .flatMap((event) => (event.type === 'tool-result' ? [`${event.call.id} ${event.status}`] : []));
    expect(results).toEqual(['a ok', 'b denied', 'c aborted']);
    expect(r.session.result()).toMatchObject({
      stopReason: 'permission',
      error: {
        kind: 'permission/needed',
        message:
          'stopped: note (write /repo/b) needs a permission and nobody could be asked. Notes need approval. To allow it beforehand: --permission-mode yolo.',
      },
    });
  });
}

test('a command is followed by what it changed of the protected files', async () => {
  const diagnostic = {
    severity: 'warning' as const,
    code: 'permissions/protected-changed',
    message: 'm',
    path: '/repo/.npmrc',
  };
  const executor = {
    name: 'note',
    effect: 'execute' as const,
    subjects: () => [],
    run: async () => ({ value: 'output', observed: [] }),
  };
  const r = asked([call(note('a')), say('Done.')], {
    parts: {
      judge: async () => ({ verdict: 'allow', places: null }),
      executors: async () => new Map([['note', executor as never]]),
      protectedFiles: {
        watch: async () => async () => [diagnostic],
        since: async () => [],
        accept: async () => undefined,
      },
    },
  });
  await r.session.send({ type: 'prompt', text: 'go' });
  expect(notes(r)).toEqual([{ type: 'notice', diagnostic }]);
  expect(conversation(r.model, 1).at(-1)).toBe(
    'tool ok: output | \nWhile this command ran or since the one before, protected files changed: /repo/.npmrc. The user has been told. This session keeps the rules it began with.',
  );
});
