import { expect, test } from 'vitest';
import { picture, sizeOf } from './rig/picture.ts';
import { bodyOf, type Workspace, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

type Content = { type: string; text?: string; image_url?: { url: string } };

const GONE = '[a picture was here; it was left out, since the model’s server refused it]';

/** Each message after the system prompt: its role, and its texts and the sizes of its pictures in their order. */
function shown(w: Workspace, request: number): [role: string, content: unknown][] {
  const { messages } = bodyOf(w.requests()[request]);
  return messages.slice(1).map(({ role, content }) => {
    const parts = Array.isArray(content) ? (content as Content[]) : [];
    return [
      role,
      parts.length === 0 ? content : parts.map(({ text, image_url: image }) => text ?? sizeOf(image?.url ?? '')),
    ];
  });
}

const READ = { calls: [{ name: 'read', arguments: '{"path":"shot.png"}' }] };
const TEXT_ONLY = `providers=${JSON.stringify({ custom: { modalities: ['text'] } })}`;

test('a picture that is read is measured, made smaller and shown after the results', async () => {
  const w = await workspace({ '.git/': null, 'shot.png': picture(2400, 12, 90) }, { replies: [READ, { text: 'ok' }] });
  await w.print(['hello']);
  expect(shown(w, 1).slice(2)).toEqual([
    ['tool', '[picture, image/png, 2000×10 pixels, made smaller from 2400×12]'],
    ['user', ['Pictures of the tool results above, in their order:', [2000, 10]]],
  ]);
});

test('a model that takes text alone is told what a picture is', async () => {
  const bytes = picture(4, 2, 90);
  const w = await workspace({ '.git/': null, 'shot.png': bytes }, { replies: [READ, { text: 'ok' }] });
  await w.print(['-c', TEXT_ONLY, 'hello']);
  expect(shown(w, 1).at(-1)).toEqual(['tool', `[binary file, ${bytes.length} bytes, image/png; not shown]`]);
});

test('pictures come with a prompt, as a file or as base64, and stay in the session', async () => {
  const w = await workspace({ '.git/': null, 'shot.png': picture(40, 20, 90) });
  const session = w.stream();
  const parts = [
    { type: 'media', path: 'shot.png' },
    { type: 'media', base64: picture(3000, 30, 10).toString('base64') },
  ];
  session.send({ type: 'prompt', text: 'look', parts });
  await session.until((line) => line.type === 'turn-end');
  await session.end();
  await w.print(['--continue', 'again']);
  await w.print(['--continue', '-c', TEXT_ONLY, 'without eyes']);
  const left = '(image/png: this model takes text alone)';
  expect([shown(w, 0), shown(w, 1), shown(w, 2)[0]]).toEqual([
    [['user', ['look', [40, 20], [2000, 20]]]],
    [
      ['user', ['look', [40, 20], [2000, 20]]],
      ['assistant', 'ok'],
      ['user', 'again'],
    ],
    ['user', ['look', left, left]],
  ]);
});

test('a prompt whose picture cannot be had is an error, and the session goes on', async () => {
  const w = await workspace({ '.git/': null, 'note.txt': 'text' });
  const session = w.stream();
  const failed = await session.command({ type: 'prompt', text: 'look', parts: [{ type: 'media', path: 'note.txt' }] });
  await session.prompt('never mind');
  await session.end();
  expect({ failed: failed.message, requests: w.requests().length }).toEqual({
    failed: `${w.path('note.txt')} cannot be sent: it is no PNG, JPEG, GIF or WebP`,
    requests: 1,
  });
});

verifies('C55', 'pictures over a server’s number are left out once and the session goes on with text', async () => {
  const w = await workspace({ '.git/': null }, { server: { mostImages: 20 }, replies: [{ text: 'ok', repeat: true }] });
  const session = w.stream();
  const pictures = (from: number, count: number): unknown[] =>
    Array.from({ length: count }, (_, index) => ({
      type: 'media',
      base64: picture(index === 0 ? 2400 : 8, 6, from + index).toString('base64'),
    }));
  const ask = async (text: string, parts: unknown[]): Promise<void> => {
    session.send({ type: 'prompt', text, parts });
    await session.until((line) => line.type === 'turn-end');
  };
  await ask('one', pictures(0, 11));
  await ask('two', pictures(100, 11));
  await ask('three', []);
  await session.end();
  const refused = w.requests().map(({ refused: why }) => why);
  expect(refused).toEqual([null, 'too many images: 22 in the request, at most 20 are allowed', null, null]);
  expect(shown(w, 2)).toEqual([
    ['user', ['one', ...Array.from({ length: 11 }, () => GONE)]],
    ['assistant', 'ok'],
    ['user', ['two', [2000, 5], ...Array.from({ length: 10 }, () => [8, 6])]],
  ]);
  expect(shown(w, 3).slice(0, 3)).toEqual(shown(w, 2));
  expect(w.server.failures()).toEqual([]);
});

verifies(
  'C55',
  'a model that turns out to see nothing is asked once more without pictures, and shown no others',
  async () => {
    const w = await workspace(
      { '.git/': null, 'shot.png': picture(4, 2, 90), 'other.png': picture(4, 2, 91) },
      {
        server: { refuses: ['image'] },
        replies: [READ, { calls: [{ name: 'read', arguments: '{"path":"other.png"}' }] }, { text: 'ok' }],
      },
    );
    const { stdout, stderr } = await w.print(['hello']);
    expect({ stdout, requests: w.requests().length, last: shown(w, 3).slice(2) }).toEqual({
      stdout: 'ok\n',
      requests: 4,
      last: [
        ['tool', `[picture, image/png, 4×2 pixels]${GONE}`],
        ['assistant', null],
        ['tool', expect.stringMatching(/^\[binary file, \d+ bytes, image\/png; not shown\]$/)],
      ],
    });
    expect(stderr).toMatch(/^warning: one picture was left out of the conversation: .*does not support image input$/m);
  },
);
