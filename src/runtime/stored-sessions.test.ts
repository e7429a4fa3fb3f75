import { expect, test } from 'vitest';
import { createMemoryHost, type MemoryHost } from '../host/memory/index.ts';
import { assemble } from './assemble.ts';
import { type RemovedSession, storedSessions } from './stored-sessions.ts';
import type { TranscriptEntry } from './transcript.ts';

const KEY = 'key-of-the-provider-1234';

async function machine(): Promise<MemoryHost> {
  const script = `- { reasoning: hm, text: looking, calls: [{ name: read, arguments: { path: a.txt } }] }\n- { text: one }\n- { text: two }\n`;
  return createMemoryHost({
    files: {
      '/p/.git/HEAD': 'ref',
      '/p/AGENTS.md': 'RULES',
      '/p/a.txt': `it is ${KEY}`,
      '/p/s.yaml': script,
      '/q/s.yaml': script,
    },
    cwd: '/p',
    home: '/u',
    env: { OPENAI_API_KEY: KEY },
  });
}

/** One session in a directory, with these prompts. */
async function talk(host: MemoryHost, cwd: string, prompts: readonly string[]): Promise<string> {
  const { session, parts } = await assemble({ cwd, harness: 'kli', model: 'rehearsal/s.yaml' }, host, { sends: true });
  for (const text of prompts) await session.send({ type: 'prompt', text });
  await session.close();
  await host.clock.sleep(1000);
  return parts.log.id;
}

async function removed(host: MemoryHost, ids: readonly string[]): Promise<RemovedSession[]> {
  const all: RemovedSession[] = [];
  for await (const one of (await storedSessions({}, host)).remove(ids)) all.push(one);
  return all;
}

async function entriesOf(host: MemoryHost, id: string): Promise<TranscriptEntry[]> {
  const sessions = await storedSessions({}, host);
  return sessions.read(id, async (_summary, entries) => [...entries]);
}

test('sessions are listed by directory, newest first, and found by words in title, prompt or directory', async () => {
  const host = await machine();
  const first = await talk(host, '/p', ['Repair the PRICING']);
  const second = await talk(host, '/p', ['Say hello']);
  const other = await talk(host, '/q', ['Elsewhere']);
  const sessions = await storedSessions({}, host);
  const ids = async (query?: Parameters<typeof sessions.list>[0]): Promise<string[]> =>
    (await sessions.list(query)).map(({ id }) => id);
  expect(await ids()).toEqual([second, first]);
  expect(await ids({ all: true })).toEqual([other, second, first]);
  expect(await ids({ words: ['pricing', 'the'] })).toEqual([first]);
  expect(await ids({ words: ['pricing', 'hello'] })).toEqual([]);
  expect(await ids({ all: true, words: ['/Q'] })).toEqual([other]);
});

test('a transcript has each entry of the branch once, with the origin of every injected piece, and no secret', async () => {
  const host = await machine();
  const id = await talk(host, '/p', ['go', `again with ${KEY}`]);
  const entries = await entriesOf(host, id);
  const shape = entries.map((entry) => {
    switch (entry.type) {
      case 'instructions':
        return [entry.type, entry.pieces.map(({ id: piece, change }) => `${change} ${piece}`).at(-1)];
      case 'answer':
        return [entry.type, entry.reasoning, entry.text, ...entry.calls.map(({ name }) => name)];
      case 'change':
      case 'prompt':
      case 'result':
        return [entry.type, entry.text];
      default:
        return [entry.type];
    }
  });
  expect(shape.filter(([type]) => type !== 'change')).toEqual([
    ['prompt', 'go'],
    ['instructions', expect.stringMatching(/^new /)],
    ['answer', 'hm', 'looking', 'read'],
    ['result', 'it is [masked]'],
    ['answer', '', 'one'],
    ['prompt', 'again with [masked]'],
    ['answer', '', 'two'],
  ]);
  const file = entries.flatMap((entry) => ('pieces' in entry ? entry.pieces : [])).find(({ text }) => text === 'RULES');
  expect(file).toMatchObject({ id: 'context-file:/p/AGENTS.md', kind: 'context-file', change: 'new', bytes: 5 });
  expect(file?.origin).toMatchObject({ type: 'file', path: '/p/AGENTS.md' });
  expect(JSON.stringify(entries)).not.toContain(KEY);
});

test('a system prompt is told again only where it changed, and then what changed', async () => {
  const host = await machine();
  const { session, parts } = await assemble({ harness: 'kli', model: 'rehearsal/s.yaml' }, host, { sends: true });
  await session.send({ type: 'prompt', text: 'go' });
  await host.files.writeWhole('/p/AGENTS.md', 'OTHER');
  await session.send({ type: 'prompt', text: 'again' });
  await session.close();
  const told = (await entriesOf(host, parts.log.id)).filter((entry) => entry.type === 'instructions');
  expect(told.length).toBe(2);
  expect(told[1]?.pieces.map(({ id, change, text }) => ({ id, change, text }))).toEqual([
    { id: 'context-file:/p/AGENTS.md', change: 'changed', text: 'OTHER' },
  ]);
});

test('a copy is a session of its own; what is deleted is gone with all that lies beside it', async () => {
  const host = await machine();
  const id = await talk(host, '/p', ['go']);
  const sessions = await storedSessions({}, host);
  const copy = await sessions.fork(id);
  const path = (await sessions.list()).find((one) => one.id === id)?.path ?? '';
  const beside = (ending: string): string => path.replace('.jsonl', ending);
  await host.files.makeDirectory(beside('.files'));
  await host.files.writeWhole(beside('.files/shell-1.txt'), 'output');
  await host.files.writeWhole(beside('.torn-1'), 'x');
  const [gone] = await removed(host, [id]);
  expect(gone).toMatchObject({ id, summary: { firstPrompt: 'go' } });
  expect(gone?.files).toEqual([path, beside('.files'), beside('.torn-1')]);
  expect((await host.files.list(path.replace(/\/[^/]*$/, ''))).map(({ name }) => name)).toEqual([`${copy}.jsonl`]);
});

test('nothing is deleted where one of the names is wrong, or of a session that is open', async () => {
  const host = await machine();
  const id = await talk(host, '/p', ['go']);
  const sessions = await storedSessions({}, host);
  for (const wrong of ['nosuch', '', '0123/..']) {
    await expect(removed(host, [id, wrong])).rejects.toMatchObject({ code: 'session/not-found' });
  }
  const again = await assemble({ model: 'rehearsal/s.yaml', session: { type: 'resume', id } }, host, { sends: true });
  await expect(removed(host, [id])).rejects.toMatchObject({ code: 'session/locked' });
  expect((await sessions.list()).map((session) => session.id)).toEqual([id]);
  await again.session.close();
  expect((await removed(host, [id.slice(0, 15), id])).length).toBe(1);
});

test('a file that is no readable session can be deleted all the same', async () => {
  const host = await machine();
  const id = await talk(host, '/p', ['go']);
  const sessions = await storedSessions({}, host);
  const path = (await sessions.list())[0]?.path ?? '';
  await host.files.writeWhole(path, 'no session\n');
  expect(await removed(host, [id])).toEqual([{ id, summary: null, files: [path], stopped: [] }]);
});
