import { expect, test } from 'vitest';
import { createMemoryHost, type MemoryHost } from '../host/memory/index.ts';
import { assemble } from './assemble.ts';

const SCRIPT = (name: string, args: object): string =>
  JSON.stringify([{ calls: [{ name, arguments: args }] }, { text: 'done' }]);

/** Runs one call in `/p`; between its judgement and its opening the directory `sub` becomes a link to `/outside`. */
async function raced(name: string, args: object): Promise<{ host: MemoryHost; result: string }> {
  const host = createMemoryHost({
    files: {
      '/p/.git': { directory: true },
      '/p/sub/file': 'inside',
      '/outside/file': 'secret',
      '/p/script.json': SCRIPT(name, args),
    },
    cwd: '/p',
  });
  const options = { model: 'rehearsal/script.json', harness: 'rein', permissionMode: 'yolo' };
  const { session, parts } = await assemble(options, host, { sends: true });
  const { judge } = parts;
  parts.judge = async (request) => {
    const verdict = await judge(request);
    for (const { name: entry } of await host.files.list('/p/sub')) await host.files.remove(`/p/sub/${entry}`);
    await host.files.remove('/p/sub');
    host.files.put('/p/sub', { link: '/outside' });
    return verdict;
  };
  await session.send({ type: 'prompt', text: 'go' });
  const results = parts.log.branch().flatMap((event) => (event.type === 'tool-result' ? event.parts : []));
  await session.close();
  return { host, result: results.map((part) => (part.type === 'text' ? part.text : '')).join('') };
}

test('a directory that becomes a link between judgement and opening leads no tool outside', async () => {
  for (const [name, args] of [
    ['read', { path: 'sub/file' }],
    ['read', { path: 'sub' }],
    ['write', { path: 'sub/new', content: 'x' }],
    ['write', { path: 'sub/deep/er', content: 'x' }],
    ['edit', { path: 'sub/file', edits: [{ old: 'secret', new: 'x' }] }],
  ] as const) {
    const { host, result } = await raced(name, args);
    expect([name, host.files.snapshot('/outside')]).toEqual([name, { '/outside/file': 'secret' }]);
    expect(result).toMatch(/another place than was allowed/);
    expect(result).not.toMatch(/secret/);
  }
});
