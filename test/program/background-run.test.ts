import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { messagesOf, toolNamesOf, type Workspace, workspace } from '../../conformance/rig.ts';
import { type RehearsalReply, reply } from '../../src/testing/index.ts';

const YOLO = ['--permission-mode', 'yolo'];

function beside(command: string): RehearsalReply {
  return reply.calls([{ name: 'shell', arguments: { command, background: true, description: 'build' } }]);
}

function rig(...replies: readonly RehearsalReply[]): Promise<Workspace> {
  return workspace({ '.git/': null }, { harness: 'rein', replies });
}

async function untilThere(w: Workspace, path: string): Promise<void> {
  for (let tries = 0; tries < 200 && !existsSync(w.path(path)); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(existsSync(w.path(path))).toBe(true);
}

test('the answer to the prompt is there with the answer to what ended after it, each once', async () => {
  const script = [beside('sleep 0.3'), reply.text('It builds; read the notes.'), reply.text('The build is done.')];
  const text = await (await rig(...script)).print([...YOLO, 'go']);
  expect(text.stdout).toBe('It builds; read the notes.\n\nThe build is done.\n');
  const json = await (await rig(...script)).print([...YOLO, '--output', 'json', 'go']);
  expect(JSON.parse(json.stdout)).toMatchObject({
    result: 'It builds; read the notes.\n\nThe build is done.',
    turns: 3,
  });
});

test('--max-turns counts what a prompt causes in the background too', async () => {
  const w = await rig(beside('sleep 0.2'), { text: 'ok', repeat: true });
  const { code, stdout } = await w.run(['-p', ...YOLO, '--max-turns', '2', '--output', 'json', 'go']);
  expect({ code, requests: w.requests().length }).toEqual({ code: 1, requests: 2 });
  expect(JSON.parse(stdout)).toMatchObject({ stopReason: 'max_turns', result: 'ok', turns: 2 });
});

test('what is kept is said to run on; deleting the session stops it and names it', async () => {
  const w = await rig(beside('until [ -e stop ]; do sleep 0.05; done; touch late'), { text: 'ok', repeat: true });
  const keep = ['-c', 'tasks.wait_ms=0', '-c', 'tasks.on_exit=keep'];
  const { stderr } = await w.print([...YOLO, ...keep, 'go']);
  expect(stderr).toMatch(
    /^warning: still running after 0 s of waiting \(tasks\.wait_ms\); running on, as tasks\.on_exit says: bash-\w{8}$/m,
  );
  const id = String(w.sessionLines()[0]?.id);
  const { stdout, code } = await w.run(['sessions', 'delete', id]);
  expect(code).toBe(0);
  expect(stdout.split('\n').at(-2)).toMatch(/^stopped bash-\w{8} {2}build: until \[ -e stop \]/);
  w.write('stop', '');
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(existsSync(w.path('late'))).toBe(false);
});

test('what is not kept is said to be stopped', async () => {
  const w = await rig(beside('sleep 30'), { text: 'ok', repeat: true });
  const { stderr } = await w.print([...YOLO, '-c', 'tasks.wait_ms=250', 'go']);
  expect(stderr).toMatch(
    /^warning: still running after 0\.25 s of waiting \(tasks\.wait_ms\); stopped now: bash-\w{8}$/m,
  );
});

test('an abort while a plan waits for approval is told as such', async () => {
  const w = await rig(
    reply.calls([{ name: 'write_plan', arguments: { plan: 'STEP ONE' } }]),
    reply.calls([{ name: 'handoff_plan', arguments: {} }]),
    { text: 'ok', repeat: true },
  );
  const s = w.stream(['--facet', 'plan']);
  s.send({ type: 'prompt', text: 'plan it' });
  await s.until(({ type }) => type === 'handoff-request');
  s.send({ type: 'abort' });
  await s.until(({ type }) => type === 'turn-end');
  await s.prompt('what now?');
  await s.end();
  const results = messagesOf(w.requests().at(-1)).filter(({ role }) => role === 'tool');
  expect(results.at(-1)?.content).toMatch(
    /^\[stopped by the user before the plan was decided on\] It stays as it is, in .*\/plan\.md\.$/,
  );
});

test('where no agent may be started, none is offered', async () => {
  const w = await rig({ text: 'ok', repeat: true });
  await w.print(['-c', 'subagents.max_depth=0', 'go']);
  await w.print(['go']);
  const offered = w.requests().map((request) => toolNamesOf(request).filter((name) => name.includes('subagent')));
  expect(offered).toEqual([[], ['message_subagent', 'subagent']]);
});

test('a session shows when what ran beside it began and ended, and an agent’s session by whom it was started', async () => {
  const agents = reply.calls([
    { name: 'subagent', arguments: { agent: 'researcher', prompt: 'look', description: 'look around' } },
  ]);
  const found: RehearsalReply = {
    ...reply.calls([{ name: 'exit_tool', arguments: { summary: 'nothing', findings: [] } }]),
    when: { agent: 'researcher' },
    repeat: true,
  };
  const w = await rig(found, { ...agents, when: { text: 'go' } }, { text: 'ok', repeat: true });
  await w.print([...YOLO, 'go']);
  const [id = ''] = (JSON.parse((await w.run(['sessions', 'list', '--json'])).stdout) as { id: string }[]).map(
    (session) => session.id,
  );
  const shown = (await w.run(['sessions', 'show', id])).stdout;
  const began = /^── (agent-\w{8}) \(researcher: look around\): began, in session (\w+)$/m.exec(shown);
  expect(began).not.toBeNull();
  const [, task = '', child = ''] = began ?? [];
  expect(shown).toMatch(new RegExp(`^── ${task} \\(researcher: look around\\): \\w+`, 'm'));
  const below = (await w.run(['sessions', 'show', child])).stdout;
  expect(below).toContain(`── subagent researcher, started as ${task} by session ${id}\n`);
});

test('a list in the same answer shows what was started before it', async () => {
  const w = await rig(
    reply.calls([
      { name: 'shell', arguments: { command: 'sleep 30', background: true, description: 'build' } },
      { name: 'job', arguments: { action: 'list' } },
    ]),
    { text: 'ok', repeat: true },
  );
  await w.print([...YOLO, '-c', 'tasks.wait_ms=0', 'go']);
  const results = messagesOf(w.requests()[1]).filter(({ role }) => role === 'tool');
  expect(results.at(-1)?.content).toMatch(/^bash-\w{8} .*build/);
});

test('what the program asks of itself answers no command', async () => {
  const w = await rig(beside('until [ -e go ]; do sleep 0.05; done'), { text: 'ok', repeat: true });
  const s = w.stream(YOLO);
  await s.prompt('go');
  w.write('go', '');
  await s.until(({ type }) => type === 'turn-end');
  await s.end();
  // The prompt's, and that of the end.
  expect(s.lines.filter(({ type }) => type === 'done')).toHaveLength(2);
});

test('a command keeps running where a keep was asked for, and is found by the next run', async () => {
  const w = await rig(beside('until [ -e go ]; do sleep 0.05; done; touch made'), { text: 'ok', repeat: true });
  const keep = ['-c', 'tasks.wait_ms=0', '-c', 'tasks.on_exit=keep'];
  await w.print([...YOLO, ...keep, 'go']);
  w.write('go', '');
  await untilThere(w, 'made');
  await w.print(['--continue', 'and now?']);
  const told = messagesOf(w.requests().at(-1)).filter(({ content }) => content?.includes('(command: build) has ended'));
  expect(told).toHaveLength(1);
});
