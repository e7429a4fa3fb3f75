import { describe, expect, test } from 'vitest';
import type { StreamEvent } from '../model/index.ts';
import { call, conversation, rig, say } from './test-rig.ts';

function answers(events: readonly StreamEvent[]): object[] {
  return events.flatMap((event) => (event.type === 'done' || event.type === 'error' ? [event] : []));
}

function where(cwd: string): string {
  return `reminder: <note>The working directory is now ${cwd}; relative paths start there.</note>`;
}

describe('clear', () => {
  test('begins a new conversation in the same session; what was chosen holds', async () => {
    const { session, parts, model } = rig([say('A.'), say('B.')]);
    await parts.log.begin();
    parts.log.append({ type: 'facet', from: null, to: 'plan', by: 'user' });
    parts.log.append({ type: 'plan', op: 'write', path: '/repo/plan.md', text: 'first' });
    await session.send({ type: 'prompt', text: 'one' });
    const { directories, choices } = parts.log.state();
    await session.send({ type: 'clear' });
    const after = parts.log.state();
    await session.send({ type: 'prompt', text: 'two' });
    expect(conversation(model, 1)).toEqual(['user: two']);
    expect([after.history, after.plan, after.directories, after.choices]).toEqual([[], null, directories, choices]);
  });

  test('can be gone back to: the clear itself is then the end of the conversation', async () => {
    const { session, parts, model, events } = rig([say('A.'), say('B.'), say('C.')]);
    await session.send({ type: 'prompt', text: 'one' });
    await session.send({ type: 'clear' });
    const boundary = parts.log.state().leaf ?? '';
    await session.send({ type: 'prompt', text: 'two' });
    await session.send({ type: 'rewind', to: boundary, tag: 'r' });
    expect(parts.log.state().leaf).toBe(boundary);
    await session.send({ type: 'prompt', text: 'three' });
    expect(conversation(model, 2)).toEqual(['user: three']);
    expect(answers(events)).toContainEqual({ type: 'done', tag: 'r', value: { text: null, files: 'unchanged' } });
  });

  test('is no end of the way back: a prompt before it can still be gone back to', async () => {
    const { session, parts, model } = rig([say('A.'), say('B.'), say('C.')]);
    await session.send({ type: 'prompt', text: 'one' });
    await session.send({ type: 'prompt', text: 'two' });
    const second = parts.log.branch().findLast(({ type }) => type === 'prompt');
    await session.send({ type: 'clear' });
    await session.send({ type: 'rewind', to: second?.id ?? '' });
    await session.send({ type: 'prompt', text: 'three' });
    expect(conversation(model, 2)).toEqual(['user: one', 'assistant: A.', 'user: three']);
  });
});

describe('pushd and popd', () => {
  test('enter and leave a directory, and the model is told', async () => {
    const { session, parts, model, host, events } = rig([say('A.')]);
    host.files.put('/repo/sub', { directory: true });
    await session.send({ type: 'pushd', path: 'sub' });
    const inside = parts.settings('plain');
    await session.send({ type: 'popd' });
    await session.send({ type: 'prompt', text: 'one' });
    expect(conversation(model, 0)).toEqual([where('/repo/sub'), where('/repo'), 'user: one']);
    expect(answers(events).slice(0, 2)).toEqual([
      { type: 'done', value: { stack: ['/repo', '/repo/sub'], cwd: '/repo/sub' } },
      { type: 'done', value: { stack: ['/repo'], cwd: '/repo' } },
    ]);
    expect(inside.home).toBe('/home');
  });

  test('take ~ for the home directory, and the place that a link leads to', async () => {
    const { session, parts, host } = rig([]);
    host.files.put('/home/notes', { directory: true });
    host.files.put('/repo/link', { link: '/home/notes' });
    await session.send({ type: 'pushd', path: '~' });
    await session.send({ type: 'pushd', path: '~/notes' });
    await session.send({ type: 'pushd', path: '/repo/link' });
    expect(parts.log.state().directories).toEqual(['/repo', '/home', '/home/notes', '/home/notes']);
  });

  test('refuse what is no directory, and to leave the first one', async () => {
    const { session, parts, host, events } = rig([]);
    host.files.put('/repo/file', 'text');
    await session.send({ type: 'pushd', path: 'file' });
    await session.send({ type: 'pushd', path: 'nowhere' });
    await session.send({ type: 'popd' });
    expect(answers(events)).toEqual([
      { type: 'error', code: 'directory/none', message: 'cannot enter /repo/file: it is not a directory' },
      { type: 'error', code: 'directory/none', message: 'cannot enter /repo/nowhere: there is no such directory' },
      { type: 'error', code: 'directory/bottom', message: 'popd: no directory was entered that could be left' },
    ]);
    expect(parts.log.branch()).toEqual([]);
  });

  test('bound the directories that are entered at a time', async () => {
    const { session, parts, host, events } = rig([]);
    host.files.put('/repo/sub', { directory: true });
    for (let count = 0; count < 64; count += 1) await session.send({ type: 'pushd', path: '/repo/sub' });
    expect([parts.log.state().directories.length, answers(events).at(-1)]).toEqual([
      64,
      {
        type: 'error',
        code: 'directory/too-many',
        message: 'no more than 64 directories can be entered at a time: leave one with popd',
      },
    ]);
  });
});

test('a directory that a call entered is where the next request of the same turn looks', async () => {
  const looked: string[] = [];
  const NOTE = { id: 'a', name: 'note', args: { text: 'x' } };
  const { session, parts } = rig([call(NOTE), say('B.')], {
    harness: {
      afterBatch: () => {
        parts.log.append({ type: 'directory', stack: ['/repo', '/repo/sub'] });
        return { reminders: [] };
      },
    },
  });
  const { world } = parts;
  parts.world = {
    look: (request) => {
      looked.push(request.cwd);
      return world.look(request);
    },
    reload: () => undefined,
  };
  await session.send({ type: 'prompt', text: 'one' });
  expect(looked).toEqual(['/repo', '/repo/sub']);
});

test('what a session or a harness lacks is said', async () => {
  const { session, events } = rig([]);
  await session.send({ type: 'fork' });
  await session.send({ type: 'compact' });
  expect(answers(events).map((answer) => ('code' in answer ? answer.code : null))).toEqual([
    'command/not-stored',
    'compaction/none',
  ]);
});

test('a steer becomes what a prompt of the same text would, and what its expansion has to say is told', async () => {
  const { session, model, events } = rig(
    [
      async function* (signal) {
        void session.send({ type: 'steer', text: '/skill' });
        yield* say(signal.aborted ? '' : 'A.');
      },
      say('B.'),
    ],
    {
      harness: {
        expand: (typed) => ({
          parts: [{ type: 'text', text: typed.replace('/skill', 'the skill') }],
          reminders: typed === '/skill' ? [{ reason: 'skill', layout: [{ separator: 'its body' }] }] : [],
          diagnostics: [{ severity: 'warning', code: 'test/expanded', message: typed }],
        }),
      },
    },
  );
  await session.send({ type: 'prompt', text: 'one' });
  expect(conversation(model, 1)).toEqual(['user: one', 'assistant: A.', 'steer: the skill', 'reminder: its body']);
  const told = events.flatMap((event) => (event.type === 'diagnostic' ? [event.diagnostic.message] : []));
  expect(told).toEqual(['one', '/skill']);
});
