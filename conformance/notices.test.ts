import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type RehearsalReply, reply } from '../src/testing/index.ts';
import { FACETED } from './rig/faceted.ts';
import { history } from './rig/history.ts';
import { systemOf, type Workspace, workspace } from './rig.ts';

const TREE = { '.git/': null, 'x.txt': 'x', 'a/': null };

/** Everything else the program says is left out. */
function notices(w: Workspace, request: number = -1): string[] {
  return history(w, request).flatMap(([kind, text]) => (kind === 'notice' ? [text as string] : []));
}

/** The reasons that the log has for them, in order. */
function reasons(w: Workspace): string[] {
  return w.sessionFiles().flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"type":"reminder"'))
      .map((line) => (JSON.parse(line) as { reason: string }).reason),
  );
}

/** No request says in its system prompt what the program says in the conversation. */
function inNoSystemPrompt(w: Workspace, text: string): void {
  expect(w.requests().filter((request) => systemOf(request).includes(text))).toEqual([]);
}

const full = (input: number): RehearsalReply => ({
  text: 'ok',
  usage: { input, output: 0, cacheRead: 0, cacheWrite: 0 },
});

const WINDOW = [
  ...['-c', 'providers.custom.models.rehearsed.context_window=1000'],
  ...['-c', 'compaction.automatic=false'],
];

for (const { harness, call } of FACETED) {
  const [name, args] = call.read('x.txt');
  const reads = (count: number): RehearsalReply[] =>
    Array.from({ length: count }, () => reply.calls([{ name, arguments: { ...args } }]));

  test(`${harness}: a session that is taken up again says how long it rested, once a run`, async () => {
    const w = await workspace(TREE, { harness });
    await w.print(['one']);
    // What the log has the times of is the real clock.
    const later = new Date(Date.now() + 3 * 86_400_000).toISOString().replace('Z', '+00:00');
    const s = w.stream(['--continue'], { env: { REIN_NOW: later } });
    await s.prompt('two');
    await s.prompt('three');
    await s.end();
    const text = `This session was taken up again: its last message was 3 days ago. Today is ${later.slice(0, 10)}. Files may have changed since; read a file again before you edit it.`;
    expect(history(w)).toEqual([
      ['user', 'one'],
      ['assistant', 'ok'],
      ['notice', text],
      ['user', 'two'],
      ['assistant', 'ok'],
      ['user', 'three'],
    ]);
    expect(reasons(w)).toEqual(['session_resumed']);
    inNoSystemPrompt(w, 'taken up again');
  });

  test(`${harness}: a session whose model never answered is not taken up again, it begins`, async () => {
    const w = await workspace(TREE, {
      harness,
      replies: [{ fault: { kind: 'status', status: 400 } }, { text: 'ok', repeat: true }],
    });
    await w.run(['-p', 'one']);
    await w.print(['--continue', 'two']);
    expect(notices(w)).toEqual([]);
  });

  test(`${harness}: with notices.session_resumed off nothing is said of it`, async () => {
    const w = await workspace(TREE, { harness });
    await w.print(['one']);
    await w.print(['--continue', '-c', 'notices.session_resumed=false', 'two']);
    expect(notices(w)).toEqual([]);
  });

  test(`${harness}: a directory that a person enters or leaves is told, unless that is switched off`, async () => {
    const enter = async (more: readonly string[]): Promise<Workspace> => {
      const w = await workspace(TREE, { harness });
      const s = w.stream(more);
      await s.carryOut({ type: 'pushd', path: 'a' });
      await s.prompt('one');
      await s.carryOut({ type: 'popd' });
      await s.prompt('two');
      await s.end();
      return w;
    };
    const told = await enter([]);
    expect(reasons(told)).toEqual(['cwd_changed', 'cwd_changed']);
    expect(notices(told)).toEqual([
      expect.stringContaining(`${told.project}/a`),
      expect.stringContaining(told.project),
    ]);
    inNoSystemPrompt(told, 'The working directory is now');
    const silent = await enter(['-c', 'notices.directory_changed=false']);
    expect([reasons(silent), notices(silent)]).toEqual([[], []]);
  });

  test(`${harness}: eight answers with calls and no todos are remarked on once a prompt`, async () => {
    const w = await workspace(TREE, { harness, replies: [...reads(10), { text: 'ok', repeat: true }] });
    await w.print(['go']);
    expect(reasons(w)).toEqual(['task_tracking_nudge']);
    const todo = harness === 'rein' ? 'todo' : 'todo_create';
    expect(notices(w)).toEqual([
      `This has become work in several steps and there is no list of them. If more than one is left, write them down with ${todo}; otherwise go on.`,
    ]);
    expect(notices(w, 7)).toEqual([]);
    expect(notices(w, 8)).toHaveLength(1);
    inNoSystemPrompt(w, 'no list of them');
  });

  test(`${harness}: todos that rest through ten answers with calls are remarked on, unless that is switched off`, async () => {
    const write =
      harness === 'rein'
        ? reply.calls([{ name: 'todo', arguments: { todos: [{ title: 'parse', status: 'pending' }] } }])
        : reply.calls([{ name: 'todo_create', arguments: { title: 'parse' } }]);
    const run = async (more: readonly string[]): Promise<Workspace> => {
      const w = await workspace(TREE, { harness, replies: [write, ...reads(10), { text: 'ok', repeat: true }] });
      await w.print([...more, 'go']);
      return w;
    };
    const told = await run([]);
    expect(reasons(told)).toEqual(['todo_status_nudge']);
    expect(notices(told)).toEqual([
      'Of the todos, 1 of 1 are open, and none has changed for 10 steps or more. Bring the list up to date.',
    ]);
    expect(reasons(await run(['-c', 'notices.task_tracking=false']))).toEqual([]);
  });

  test(`${harness}: a window that fills is told once in a context, again after a clear`, async () => {
    const w = await workspace(TREE, {
      harness,
      replies: [...[800, 820, 840, 800].map(full), { text: 'ok', repeat: true }],
    });
    const s = w.stream(WINDOW);
    await s.prompt('one');
    await s.prompt('two');
    await s.prompt('three');
    const text =
      /^The conversation fills 80 % of your context window\. It is not made shorter by itself; when it is full, the work stops\. Record what must not be lost/;
    expect(notices(w)).toEqual([expect.stringMatching(text)]);
    await s.carryOut({ type: 'clear' });
    await s.prompt('four');
    expect(notices(w)).toEqual([]);
    await s.prompt('five');
    expect(notices(w)).toEqual([expect.stringMatching(text)]);
    await s.end();
    expect(reasons(w)).toEqual(['context_pressure', 'context_pressure']);
    inNoSystemPrompt(w, 'fills');
  });

  test(`${harness}: with notices.context_pressure off nothing is said of it`, async () => {
    const w = await workspace(TREE, { harness, replies: [full(800), { text: 'ok', repeat: true }] });
    const s = w.stream([...WINDOW, '-c', 'notices.context_pressure=false']);
    await s.prompt('one');
    await s.prompt('two');
    await s.end();
    expect(notices(w)).toEqual([]);
  });
}
