import { expect, test } from 'vitest';
import { createMemoryHost, type MemoryHost } from '../host/memory/index.ts';
import { assemble } from './assemble.ts';
import type { AgentOptions } from './options.ts';

function machine(files: Record<string, string> = {}): MemoryHost {
  return createMemoryHost({ files: { '/p/.git/HEAD': 'ref', ...files }, cwd: '/p' });
}

test('a facet of the settings’ files is what a session begins with, under every harness', async () => {
  const host = machine({ '/p/.rein/settings.json': '{ "facet": "plan" }' });
  const { parts } = await assemble({ harness: 'kli' }, host, { sends: false });
  expect([parts.facet, parts.settings('kli').facet]).toEqual([null, 'plan']);
});

test.each<[what: string, options: AgentOptions]>([
  ['the option', { facet: 'plan' }],
  ['-c', { config: ['facet=plan'] }],
])('a facet that %s asks of a harness without facets is refused', async (_what, options) => {
  await expect(assemble({ harness: 'kli', ...options }, machine(), { sends: false })).rejects.toMatchObject({
    code: 'facet/none',
    message: 'harness "kli" has no facets',
  });
});

test('a harness is told whether somebody answers', async () => {
  const told = async (answers: boolean): Promise<boolean | undefined> => {
    const { parts } = await assemble({ harness: 'kli', answers }, machine(), { sends: false });
    return parts.settings('kli').interactive;
  };
  expect([await told(true), await told(false)]).toEqual([true, false]);
});
