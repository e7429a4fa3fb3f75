import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { StreamSession } from '../../conformance/rig/stream-session.ts';
import { type Workspace, workspace } from '../../conformance/rig.ts';
import type { RehearsalReply } from '../../src/testing/index.ts';

const touch = (name: string): RehearsalReply => ({
  calls: [{ name: 'shell', arguments: JSON.stringify({ command: `touch ${name}` }) }],
});
const DONE: RehearsalReply = { text: 'done' };

function rig(...replies: readonly RehearsalReply[]): Promise<Workspace> {
  return workspace({ '.git/': null }, { replies, harness: 'rein' });
}

/** Sends a prompt and waits for its question's id. */
async function asked(session: StreamSession): Promise<string> {
  session.send({ type: 'prompt', text: 'go' });
  return String((await session.until(({ type }) => type === 'permission-request')).id);
}

test('what was allowed for the session is not asked again, also after a resume; a copy asks', async () => {
  const w = await rig(touch('a'), DONE, touch('a'), DONE, touch('a'), DONE, touch('a'));
  const first = w.stream(['--permission-mode', 'ask']);
  const id = await asked(first);
  first.send({ type: 'answer', id, value: 'allow-session' });
  await first.until(({ type }) => type === 'turn-end');
  await first.prompt('again');
  await first.end();
  const questions = (session: StreamSession): number =>
    session.lines.filter(({ type }) => type === 'permission-request').length;
  expect([questions(first), existsSync(w.path('a'))]).toEqual([1, true]);
  const session = String(first.lines.find(({ type }) => type === 'session')?.id);
  const resumed = await w.run(['-p', '--permission-mode', 'ask', '--resume', session, 'again']);
  const copied = await w.run(['-p', '--permission-mode', 'ask', '--fork', session, 'again']);
  expect([resumed.code, copied.code]).toEqual([0, 3]);
});

test('an abort while it waits ends the turn, and the session goes on', async () => {
  const w = await rig(touch('a'), DONE);
  const session = w.stream(['--permission-mode', 'ask']);
  await asked(session);
  session.send({ type: 'abort' });
  expect(await session.until(({ type }) => type === 'turn-end')).toMatchObject({ stop: 'aborted' });
  expect(await session.prompt('go on')).toMatchObject({ stop: 'end' });
  await session.end();
  expect(existsSync(w.path('a'))).toBe(false);
});

test('the end of stdin while it waits means that nobody answers: exit code 3, and what would have allowed it', async () => {
  const w = await rig(touch('a'));
  const session = w.stream(['--permission-mode', 'ask']);
  await asked(session);
  const result = await session.end();
  const { code } = await session.ended;
  expect({ code, stop: result.stopReason, error: result.error, made: existsSync(w.path('a')) }).toEqual({
    code: 3,
    stop: 'permission',
    error: {
      kind: 'permission/needed',
      message: `stopped: shell (run touch a) needs a permission and nobody could be asked. Running "touch a" needs the user’s approval. To allow it beforehand: --permission-mode yolo, or -c 'permissions.allow=["shell(touch a)"]'.`,
    },
    made: false,
  });
});

test('an answer to nothing, or that is none, is refused', async () => {
  const w = await rig(touch('a'), DONE);
  const session = w.stream(['--permission-mode', 'ask']);
  expect(await session.command({ type: 'answer', id: 'x', value: 'allow' })).toMatchObject({
    code: 'command/no-target',
  });
  const id = await asked(session);
  expect(await session.command({ type: 'answer', id, value: 'yes' })).toMatchObject({ code: 'command/invalid' });
  expect(await session.command({ type: 'answer', id, value: 'allow' })).toMatchObject({ type: 'done' });
  await session.until(({ type }) => type === 'turn-end');
  await session.end();
  expect(existsSync(w.path('a'))).toBe(true);
});
