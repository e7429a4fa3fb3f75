import { expect, test } from 'vitest';
import type { FileFacts } from '../host/index.ts';
import { createMemoryHost, type MemoryHost } from '../host/memory/index.ts';
import { FileMemory } from './file-memory.ts';
import { Interest } from './interest.ts';

const PATH = '/w/AGENTS.md';

async function remembered(content: string): Promise<{ host: MemoryHost; memory: FileMemory; facts: FileFacts }> {
  const host = createMemoryHost({ files: { [PATH]: content } });
  host.clock.advance(60_000);
  const facts = await host.files.stat(PATH);
  expect(facts).not.toBeNull();
  return { host, memory: new FileMemory(host.files, host.clock, new Interest()), facts: facts as FileFacts };
}

test.each(['device', 'inode', 'size', 'mtimeMs', 'ctimeMs'] as const)(
  'another %s alone has a file read again',
  async (what) => {
    const { host, memory, facts } = await remembered('text');
    await memory.content(PATH, facts, 100, 'sniff');
    await memory.content(PATH, facts, 100, 'sniff');
    const reads = [host.calls['files.readRegular']];
    await memory.content(PATH, { ...facts, [what]: facts[what] - 1 }, 100, 'sniff');
    reads.push(host.calls['files.readRegular']);
    expect(reads).toEqual([1, 2]);
  },
);

test('heads of one large file under two caps are two texts', async () => {
  const { memory, facts } = await remembered('abcdef');
  const heads = [];
  for (const cap of [2, 4, 2]) heads.push(await memory.content(PATH, facts, cap, 'sniff'));
  expect(heads.map((head) => ('decoded' in head ? head.decoded?.text : head))).toEqual(['ab', 'abcd', 'ab']);
});

test('content that the system makes when it is asked for is not taken', async () => {
  const { host, memory, facts } = await remembered('KEY=secret');
  const read = host.files.readRegular;
  host.files.readRegular = async (path, options) => {
    const given = await read(path, options);
    return given.ok ? { ...given, facts: { ...given.facts, size: 0 } } : given;
  };
  expect(await memory.content(PATH, { ...facts, size: 0 }, 100, 'sniff')).toEqual({
    fault: 'its content is made by the system when it is read',
    systemCode: 'not-regular',
  });
});

test('a file read in one way of decoding is decoded anew in the other', async () => {
  const { host, memory } = await remembered('');
  host.files.put(PATH, { content: Uint8Array.of(0xff), mtimeMs: 0 });
  const facts = (await host.files.stat(PATH)) as FileFacts;
  const texts = [];
  for (const mode of ['sniff', 'strict', 'sniff'] as const) texts.push(await memory.content(PATH, facts, 100, mode));
  expect(texts.map((text) => ('decoded' in text ? text.decoded?.text : text))).toEqual(['\ufffd', undefined, '\ufffd']);
});

test('of a directory only what some query asks for is kept, in any letter case', async () => {
  const host = createMemoryHost({ files: { '/w/agents.MD': '', '/w/README.md': '', '/w/.Rein/x': '' } });
  const interest = new Interest();
  interest.add(['AGENTS.md'], ['.rein']);
  const memory = new FileMemory(host.files, host.clock, interest);
  const facts = (await host.files.stat('/w')) as FileFacts;
  expect(await memory.entries('/w', facts)).toEqual([
    { name: '.Rein', kind: 'directory' },
    { name: 'agents.MD', kind: 'file' },
  ]);
});
