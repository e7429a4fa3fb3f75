import { expect, test } from 'vitest';
import { UsageError } from '../base/index.ts';
import { createMemoryHost } from '../host/memory/index.ts';
import { resolvePromptTexts } from './prompt-texts.ts';

const WHERE = { cwd: '/w', home: '/home/user' };

function resolve(text: string, files: Record<string, string | { content: Uint8Array }> = {}) {
  const host = createMemoryHost({ files: { '/w/.git': { directory: true }, ...files } });
  return resolvePromptTexts({ replace: { text }, append: [] }, host.files, WHERE);
}

test.each(['Answer in English.', 'Read notes.txt', '/review is what I type', 'one\n/two.md', 'and/or'])(
  '%j is a text',
  async (text) => {
    expect(await resolve(text)).toEqual({ flags: { replace: { text }, append: [] }, diagnostics: [] });
  },
);

test.each(['./rules', '../a.b', '~/x', '/etc/rules', 'rules.md', './my rules.txt', '/w/two words.md'])(
  '%j is a path: where it cannot be read that is an error',
  async (text) => {
    await expect(resolve(text)).rejects.toThrow(UsageError);
  },
);

test('a path with spaces that can be read is used, and told', async () => {
  expect(await resolve('./my rules.txt', { '/w/my rules.txt': 'RULES' })).toEqual({
    flags: { replace: { text: 'RULES', path: '/w/my rules.txt' }, append: [] },
    diagnostics: [
      {
        severity: 'info',
        code: 'prompt/read-as-file',
        message: '--system-prompt was given a path: the contents of /w/my rules.txt are used',
        path: '/w/my rules.txt',
      },
    ],
  });
});

test('the byte order mark of a file decides how it is read', async () => {
  const bytes = Uint8Array.of(0xff, 0xfe, 0x68, 0, 0x69, 0);
  expect((await resolve('p.md', { '/w/p.md': { content: bytes } })).flags.replace?.text).toBe('hi');
});

test('bytes of a file that are no text are told', async () => {
  const { flags, diagnostics } = await resolve('p.md', { '/w/p.md': { content: Uint8Array.of(0x61, 0xff) } });
  expect([flags.replace?.text, diagnostics[0]]).toEqual([
    'a\ufffd',
    {
      severity: 'warning',
      code: 'prompt/invalid-bytes',
      message: '/w/p.md has bytes that are not utf-8, the first at offset 1: each becomes U+FFFD',
      path: '/w/p.md',
      data: { offset: 1 },
    },
  ]);
});

test('an empty name of a file is an error of its own', async () => {
  const host = createMemoryHost({ files: {} });
  await expect(resolvePromptTexts({ replace: { file: '' }, append: [] }, host.files, WHERE)).rejects.toThrow(
    '--system-prompt-file is empty: give the path of a readable text file',
  );
});
