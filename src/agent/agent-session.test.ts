import { describe, expect, test } from 'vitest';
import { UsageError } from '../base/index.ts';
import { ModelError, type ModelEvent, type RunResult } from '../model/index.ts';
import { call, conversation, rig, say } from './test-rig.ts';

function types(events: readonly { type: string }[]): string[] {
  return events.map(({ type }) => type);
}

/** Streams some text, then waits for the abort and throws as a wire does. */
async function* hang(signal: AbortSignal): AsyncIterable<ModelEvent> {
  yield { type: 'text-start' };
  yield { type: 'text-delta', text: 'Half an' };
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  throw new ModelError('aborted', 'stopped');
}

const ASK = {
  verdict: 'ask' as const,
  why: 'Notes need approval.',
  rules: ['write(/repo/a)'],
  beforehand: 'To allow it beforehand: --permission-mode yolo.',
  places: null,
};

/** What the first prompt writes before its request. */
const START = ['harness', 'model', 'permission-mode', 'prompt'];

/** What a run came to; nothing of what it cost. */
function outcome({ stopReason, result, turns, error }: RunResult): object {
  return { stopReason, result, turns, error: error === null ? null : error.kind };
}

describe('a turn', () => {
  test('writes its request before the answer and closes with a turn-end', async () => {
    const { session, events, parts } = rig([say('Hello.')]);
    await session.send({ type: 'prompt', text: 'hi' });
    const lines = types(parts.log.branch());
    expect(lines).toEqual(['harness', 'model', 'permission-mode', 'prompt', 'request', 'assistant', 'turn-end']);
    expect(types(events).at(-1)).toBe('done');
    expect(session.result()).toEqual({
      type: 'result',
      sessionId: parts.log.id,
      harness: 'plain',
      model: 'scripted/model',
      stopReason: 'end',
      result: 'Hello.',
      turns: 1,
      usage: { input: 10, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
      cost: null,
      error: null,
    });
  });

  test('sends the results of a batch in call order and goes on until the model makes no call', async () => {
    const batch = call(
      { id: 'a', name: 'note', args: { text: 'one' } },
      { id: 'b', name: 'note', args: { text: 'two' } },
    );
    const { session, model } = rig([batch, say('Done.')]);
    await session.send({ type: 'prompt', text: 'go' });
    expect(conversation(model, 1)).toEqual([
      'user: go',
      'assistant: call note {"text":"one"} | call note {"text":"two"}',
      'tool ok: one',
      'tool ok: two',
    ]);
  });

  test('a failing tool, unreadable arguments and an unknown tool are results that the model sees', async () => {
    const batch = call(
      { id: 'a', name: 'note', args: { text: 'broken', fail: true } },
      { id: 'b', name: 'note', args: '{"text":' },
      { id: 'c', name: 'paint', args: {} },
    );
    const { session, model } = rig([batch, say('I see.')]);
    await session.send({ type: 'prompt', text: 'go' });
    expect(conversation(model, 1).slice(2)).toEqual([
      'tool error: broken',
      'tool error: the arguments are not JSON',
      'tool error: There is no tool named "paint". Tools: note.',
    ]);
  });

  test('a denied call does not end the run', async () => {
    const judge = async () => ({ verdict: 'deny' as const, why: 'outside the directory' });
    const { session, model } = rig([call({ id: 'a', name: 'note', args: { text: 'x' } }), say('All right.')], {
      parts: { judge },
    });
    await session.send({ type: 'prompt', text: 'go' });
    expect(conversation(model, 1).at(-1)).toBe('tool denied: outside the directory');
    expect(session.result().stopReason).toBe('end');
  });

  test('a call that must be asked for where nobody can be asked ends the run', async () => {
    const judge = async () => ASK;
    const { session, parts } = rig([call({ id: 'a', name: 'note', args: { text: 'x' } })], { parts: { judge } });
    await session.send({ type: 'prompt', text: 'go' });
    const ends = parts.log.branch().flatMap((event) => (event.type === 'turn-end' ? [event.stop] : []));
    expect([outcome(session.result()), ends]).toEqual([
      { stopReason: 'permission', result: '', turns: 1, error: 'permission/needed' },
      ['permission'],
    ]);
  });

  test('stops after the allowed number of requests', async () => {
    const again = call({ id: 'a', name: 'note', args: { text: 'x' } });
    const { session } = rig([again, again, again], { parts: { maxRequests: 2 } });
    await session.send({ type: 'prompt', text: 'go' });
    expect(outcome(session.result())).toEqual({ stopReason: 'max_turns', result: '', turns: 2, error: null });
  });
});

describe('a broken answer', () => {
  test('whose call was cut by the output limit runs nothing and tells the model why', async () => {
    const cut: ModelEvent[] = [
      { type: 'tool-input-end', id: 'a', name: 'note', arguments: '{"text":"# lo' },
      { type: 'finish', stop: 'length', usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 } },
    ];
    const { session, model, parts } = rig([cut, say('Smaller.')]);
    await session.send({ type: 'prompt', text: 'go' });
    expect(conversation(model, 1)).toEqual([
      'user: go',
      'reminder: <note>Your last reply was cut off by the output limit before its tool calls (note) were complete. None of them was run. Do the same in smaller pieces: several shorter calls, each in a reply of its own.</note>',
    ]);
    expect(types(parts.log.branch()).slice(START.length)).toEqual([
      'request',
      'assistant',
      'reminder',
      'request',
      'assistant',
      'turn-end',
    ]);
  });

  test('cut three times in a row ends the run with an error', async () => {
    const cut: ModelEvent[] = [
      { type: 'tool-input-end', id: 'a', name: 'note', arguments: '{' },
      { type: 'finish', stop: 'length', usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 } },
    ];
    const { session } = rig([cut, cut, cut, cut]);
    await session.send({ type: 'prompt', text: 'go' });
    expect(outcome(session.result())).toEqual({ stopReason: 'error', result: '', turns: 3, error: 'model/truncated' });
  });

  test('a stream lost in the middle is asked for again and nothing of it is executed or kept', async () => {
    async function* lost(): AsyncIterable<ModelEvent> {
      yield { type: 'tool-input-end', id: 'a', name: 'note', arguments: '{"text":"never"}' };
      throw new ModelError('network', 'connection reset');
    }
    const { session, parts, events, model } = rig([lost, say('Whole.')]);
    await session.send({ type: 'prompt', text: 'go' });
    expect(session.result().result).toBe('Whole.');
    expect(types(parts.log.branch()).slice(START.length)).toEqual(['request', 'assistant', 'turn-end']);
    expect(events.filter(({ type }) => type === 'retry-wait')).toHaveLength(1);
    expect(model.requests).toHaveLength(1);
  });

  test('an error before any text leaves no assistant event', async () => {
    const refuse = async function* (): AsyncIterable<ModelEvent> {
      yield* [];
      throw new ModelError('auth', 'the key was refused');
    };
    const { session, parts, events } = rig([refuse]);
    await session.send({ type: 'prompt', text: 'go', tag: 't1' });
    expect(types(parts.log.branch())).toEqual([...START, 'request', 'turn-end']);
    expect(events.at(-1)).toEqual({ type: 'error', tag: 't1', code: 'model/auth', message: 'the key was refused' });
  });
});

describe('a log that cannot be written', () => {
  test('at the beginning fails the run before a request', async () => {
    const { session, host, model } = rig([say('Hello.')]);
    host.faults.freeBytes = 0;
    await session.send({ type: 'prompt', text: 'hi' });
    expect({ ...outcome(session.result()), requests: model.requests.length }).toEqual({
      stopReason: 'error',
      result: '',
      turns: 0,
      error: 'session/write-failed',
      requests: 0,
    });
  });

  test('later fails the run that met it, without the answer of the one before', async () => {
    const { session, host } = rig([say('Hello.'), say('Again.')]);
    await session.send({ type: 'prompt', text: 'hi' });
    host.faults.freeBytes = 0;
    await session.send({ type: 'prompt', text: 'again' });
    expect(outcome(session.result())).toEqual({
      stopReason: 'error',
      result: '',
      turns: 1,
      error: 'session/write-failed',
    });
    host.faults.freeBytes = null;
    await session.send({ type: 'prompt', text: 'once more' });
    expect(outcome(session.result())).toEqual({ stopReason: 'end', result: 'Again.', turns: 2, error: null });
  });

  test('in the middle of an answer fails the run', async () => {
    const { session, host } = rig([
      async function* () {
        host.faults.freeBytes = 0;
        yield* say('Lost.');
      },
    ]);
    await session.send({ type: 'prompt', text: 'hi' });
    expect(outcome(session.result())).toEqual({
      stopReason: 'error',
      result: '',
      turns: 1,
      error: 'session/write-failed',
    });
  });
});

describe('abort and steer', () => {
  test('an abort keeps the partial answer', async () => {
    const { session, parts } = rig([hang]);
    const turn = session.send({ type: 'prompt', text: 'go' });
    while (!types(parts.log.branch()).includes('request')) await new Promise((resolve) => setImmediate(resolve));
    session.abort();
    await turn;
    const assistant = parts.log.branch().find(({ type }) => type === 'assistant');
    expect(assistant).toMatchObject({ parts: [{ type: 'text', text: 'Half an' }], partial: true, stop: 'aborted' });
    expect(outcome(session.result())).toEqual({ stopReason: 'aborted', result: 'Half an', turns: 1, error: null });
  });

  test('an abort sent right behind a prompt ends that prompt before anything is asked', async () => {
    const { session, events, model, parts } = rig([say('Never.')]);
    const turn = session.send({ type: 'prompt', text: 'go', tag: 'p' });
    void session.send({ type: 'abort', tag: 'a' });
    await turn;
    expect(model.requests).toEqual([]);
    expect(types(parts.log.branch()).slice(-2)).toEqual(['prompt', 'turn-end']);
    expect(events.filter(({ type }) => type === 'done').map(({ tag }) => tag)).toEqual(['a', 'p']);
    expect(outcome(session.result())).toEqual({ stopReason: 'aborted', result: '', turns: 0, error: null });
  });

  test('an abort while an earlier command is carried out ends the first message that waits, and no other', async () => {
    const { session, model, parts } = rig([say('Second.')]);
    void session.send({ type: 'tools', deny: ['note'] });
    void session.send({ type: 'prompt', text: 'first' });
    const second = session.send({ type: 'prompt', text: 'second' });
    void session.send({ type: 'abort' });
    await second;
    expect(model.requests).toHaveLength(1);
    const ends = parts.log.branch().flatMap((event) => (event.type === 'turn-end' ? [event.stop] : []));
    expect(ends).toEqual(['aborted', 'end']);
    expect(outcome(session.result())).toEqual({ stopReason: 'end', result: 'Second.', turns: 1, error: null });
  });

  test('a steer reaches the model with the next request of the running turn', async () => {
    const { session, model } = rig([call({ id: 'a', name: 'note', args: { text: 'x' } }), say('Changed.')]);
    const turn = session.send({ type: 'prompt', text: 'go' });
    void session.send({ type: 'steer', text: 'rather this' });
    await turn;
    expect(conversation(model, 1).at(-1)).toBe('steer: rather this');
  });

  test('steers that an abort left over are prompts in their order, before what was queued', async () => {
    const { session, parts } = rig([hang, say('One.'), say('Two.'), say('Three.')]);
    const turn = session.send({ type: 'prompt', text: 'go' });
    while (!types(parts.log.branch()).includes('request')) await new Promise((resolve) => setImmediate(resolve));
    void session.send({ type: 'steer', text: 'first' });
    void session.send({ type: 'steer', text: 'second' });
    session.abort();
    await Promise.all([turn, session.send({ type: 'prompt', text: 'queued' })]);
    const prompts = parts.log.branch().flatMap((event) => (event.type === 'prompt' ? [event.text] : []));
    expect(prompts).toEqual(['go', 'first', 'second', 'queued']);
  });

  test('where the harness says so, a steer skips the rest of the batch', async () => {
    const schedule = { parallel: false, identicalCallsOnce: false, onSteer: 'skip-rest' as const };
    const batch = call(
      { id: 'a', name: 'note', args: { text: 'one' } },
      { id: 'b', name: 'note', args: { text: 'two' } },
    );
    const { session, model } = rig([batch, say('Changed.')], { harness: { schedule } });
    const turn = session.send({ type: 'prompt', text: 'go' });
    void session.send({ type: 'steer', text: 'rather this' });
    await turn;
    expect(conversation(model, 1).slice(2)).toEqual([
      'tool ok: one',
      'tool aborted: Not run: the user sent a new message first. Read it, then decide whether this call is still needed.',
      'steer: rather this',
    ]);
  });
});

describe('commands', () => {
  test('are taken in order, and their tags come back', async () => {
    const { session, events, model } = rig([say('One.'), say('Two.')]);
    void session.send({ type: 'prompt', text: 'first', tag: 'p1' });
    void session.send({ type: 'tools', deny: ['note'], tag: 't' });
    await session.send({ type: 'prompt', text: 'second', tag: 'p2' });
    expect(model.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([['note'], []]);
    expect(events.filter(({ type }) => type === 'done').map(({ tag }) => tag)).toEqual(['p1', 't', 'p2']);
    expect(events.filter(({ type }) => type === 'prompt').map(({ tag }) => tag)).toEqual(['p1', 'p2']);
  });

  test('a rewind returns the text of the prompt and takes the conversation back to before it', async () => {
    const { session, model, parts, events } = rig([say('One.'), say('Two.'), say('Three.')]);
    await session.send({ type: 'prompt', text: 'first' });
    await session.send({ type: 'prompt', text: 'second' });
    const second = parts.log
      .branch()
      .filter(({ type }) => type === 'prompt')
      .at(-1);
    await session.send({ type: 'rewind', to: second?.id ?? '' });
    expect(events.at(-1)).toEqual({ type: 'done', value: { text: 'second', files: 'unchanged' } });
    await session.send({ type: 'prompt', text: 'other' });
    expect(conversation(model, 2)).toEqual(['user: first', 'assistant: One.', 'user: other']);
  });

  test('a message without content is refused before anything is written', async () => {
    const { session, events, parts } = rig([]);
    await session.send({ type: 'prompt', text: ' \n', tag: 'p' });
    expect(events.at(-1)).toEqual({
      type: 'error',
      tag: 'p',
      code: 'command/invalid',
      message: 'prompt: there is nothing in it',
    });
    expect(parts.log.branch()).toEqual([]);
  });

  test('a tools command with an unknown name changes nothing', async () => {
    const { session, events, parts } = rig([]);
    parts.choose.tools = () => {
      throw new UsageError('tools/unknown', 'no tool "raed"');
    };
    await session.send({ type: 'tools', allow: ['raed'], tag: 't' });
    expect(events.at(-1)).toEqual({ type: 'error', tag: 't', code: 'tools/unknown', message: 'no tool "raed"' });
    expect(parts.log.branch()).toEqual([]);
  });

  test('a rewind does not take back what was spent', async () => {
    const { session, parts } = rig([say('One.'), say('Two.')]);
    await session.send({ type: 'prompt', text: 'first' });
    await session.send({ type: 'prompt', text: 'second' });
    const [first] = parts.log.branch().filter(({ type }) => type === 'prompt');
    await session.send({ type: 'rewind', to: first?.id ?? '' });
    expect(session.result().usage).toEqual({ input: 20, output: 4, cacheRead: 0, cacheWrite: 0, reasoning: 0 });
  });

  test('after end nothing more is taken', async () => {
    const { session, events } = rig([say('One.')]);
    await session.send({ type: 'end' });
    await session.send({ type: 'prompt', text: 'late', tag: 'l' });
    expect(events.at(-1)).toEqual({
      type: 'error',
      tag: 'l',
      code: 'command/ended',
      message: 'the session has ended; nothing more is taken',
    });
  });

  test('a listener that throws does not hurt the others', async () => {
    const { session, events } = rig([say('One.')]);
    session.subscribe(() => {
      throw new Error('a broken front end');
    });
    await session.send({ type: 'prompt', text: 'hi' });
    expect(types(events).at(-1)).toBe('done');
  });
});
