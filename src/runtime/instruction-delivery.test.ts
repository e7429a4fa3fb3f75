import { expect, test } from 'vitest';
import { saidIn } from '../../test/rig/delivery-ledger.ts';
import { createMemoryHost } from '../host/memory/index.ts';
import type { Command } from '../model/index.ts';
import type { RehearsalModel } from '../wire/rehearsal/index.ts';
import { assemble } from './assemble.ts';

type Tree = Record<string, string>;
/** A command, what the model answers a prompt with first, or files that are written from outside. */
type Happening = Command | { write: Tree } | { read: object };

/** What of instruction files the last request says in the name of the user. */
async function saidAfter(files: Tree, happenings: readonly Happening[]): Promise<string[]> {
  const replies = happenings.flatMap((one): object[] => {
    if ('read' in one) return [{ calls: [{ name: 'read', arguments: one.read }] }];
    return 'type' in one && one.type === 'prompt' ? [{ text: 'Done.' }] : [];
  });
  const host = createMemoryHost({
    cwd: '/repo',
    home: '/u',
    files: { '/repo/.git': { directory: true }, '/repo/script.json': JSON.stringify(replies), ...files },
  });
  const options = { harness: 'rein', model: 'rehearsal/script.json', config: ['instructions.max_file_bytes=100'] };
  const { session, parts } = await assemble(options, host, { sends: true });
  for (const [index, one] of happenings.entries()) {
    if ('type' in one) await session.send(one);
    if (!('write' in one)) continue;
    for (const [path, content] of Object.entries(one.write)) host.files.put(path, { content, mtimeMs: 1e6 + index });
  }
  expect(session.failure).toBeNull();
  const last = (parts.model.port as RehearsalModel).requests().at(-1)?.json as {
    messages: { role: string; content: string }[];
  };
  await session.close();
  return last.messages.flatMap(({ role, content }) => (role === 'user' ? saidIn(content) : []));
}

const GO: Command = { type: 'prompt', text: 'go' };
const RELOAD: Command = { type: 'reload' };
const LARGE = `RULE-9 ${'x'.repeat(100)}\n`;

test('a large file that the chain and the prompt link to is named once', async () => {
  const files = { '/repo/AGENTS.md': 'RULE-1, see @more.md\n', '/repo/more.md': LARGE };
  expect(await saidAfter(files, [{ type: 'prompt', text: 'read @more.md' }])).toEqual([
    '/repo/AGENTS.md',
    'RULE-1',
    '- /repo/more.md',
  ]);
});

test('a look at a part of an edited file is not all of it: a reload sends the file', async () => {
  const edited = { write: { '/repo/AGENTS.md': 'RULE-2\nmore\n' } };
  const part = { read: { path: 'AGENTS.md', start: 2 } };
  expect(await saidAfter({ '/repo/AGENTS.md': 'RULE-1\nmore\n' }, [GO, edited, part, GO, RELOAD, GO])).toEqual([
    '/repo/AGENTS.md',
    'RULE-1',
    '/repo/AGENTS.md',
    'RULE-2',
  ]);
});

test('a file that the model only read, and that was edited since, is no matter of a reload', async () => {
  const happenings: Happening[] = [
    { read: { path: 'notes.md' } },
    GO,
    { write: { '/repo/notes.md': 'RULE-8\n' } },
    RELOAD,
    GO,
  ];
  expect(await saidAfter({ '/repo/AGENTS.md': 'RULE-1\n', '/repo/notes.md': 'RULE-7\n' }, happenings)).toEqual([
    '/repo/AGENTS.md',
    'RULE-1',
  ]);
});

test('a large file that the model read whole is not named at a reload until it is another', async () => {
  const files = { '/repo/a/AGENTS.md': LARGE };
  const read = { read: { path: 'a/AGENTS.md' } };
  expect(await saidAfter(files, [read, GO, RELOAD, GO])).toEqual([]);
  expect(await saidAfter(files, [read, GO, { write: { '/repo/a/AGENTS.md': `${LARGE}\n` } }, RELOAD, GO])).toEqual([
    '- /repo/a/AGENTS.md',
  ]);
});
