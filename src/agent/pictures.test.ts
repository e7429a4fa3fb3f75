import { describe, expect, test } from 'vitest';
import { ModelError, type ModelEvent, type PromptPart, type StreamEvent } from '../model/index.ts';
import { conversation, type Rig, rig, type Script, say } from './test-rig.ts';

const PNG = Buffer.from('a picture').toString('base64');

function refuse(status: number, message: string): (signal: AbortSignal) => AsyncIterable<ModelEvent> {
  return async function* (): AsyncGenerator<ModelEvent> {
    yield* [];
    throw new ModelError('bad-request', message, { status });
  };
}

function media(word: string): PromptPart {
  return { type: 'media', base64: Buffer.from(word).toString('base64') };
}

async function prompted(script: Script, ...prompts: PromptPart[][]): Promise<Rig> {
  const started = rig(script);
  for (const parts of prompts) await started.session.send({ type: 'prompt', text: 'see', parts });
  return started;
}

function eventsOf(events: readonly StreamEvent[], type: string): readonly StreamEvent[] {
  return events.filter((event) => event.type === type);
}

describe('pictures with a prompt', () => {
  test('are stored once, and seen by the model after the text', async () => {
    const { model, parts } = await prompted([say('A.')], [{ type: 'media', base64: PNG }]);
    const sha256 = parts.log.branch().flatMap((event) => (event.type === 'prompt' ? (event.parts ?? []) : []))[1];
    expect(conversation(model, 0)).toEqual(['user: see | media']);
    expect(sha256).toMatchObject({ type: 'media', mime: 'image/png' });
    expect(parts.log.media((sha256 as { sha256: string }).sha256)).toEqual({ mime: 'image/png', base64: PNG });
  });

  test('may be files, from the working directory, and ones that the session holds', async () => {
    const { session, model, host, events } = rig([say('A.'), say('B.')]);
    host.files.put('/repo/a.png', Buffer.from('a picture'));
    await session.send({ type: 'prompt', text: 'see', parts: [{ type: 'media', path: 'a.png' }] });
    const blob = events.find((event) => event.type === 'media') as { sha256: string; mime: string };
    const again: PromptPart = { type: 'media', sha256: blob.sha256, mime: blob.mime };
    await session.send({ type: 'prompt', text: 'again', parts: [again, { type: 'text', text: 'more' }] });
    expect(conversation(model, 1)).toEqual(['user: see | media', 'assistant: A.', 'user: again | media | more']);
    expect(eventsOf(events, 'media')).toHaveLength(1);
  });

  test('that cannot be made small enough are a line that says so', async () => {
    const fitImage = async () => ({ fits: false, fault: 'too-large', why: '9×9 pixels, over the limit' }) as const;
    const { session, model } = rig([say('A.')], { parts: { fitImage } });
    await session.send({ type: 'prompt', text: 'see', parts: [media('x')] });
    expect(conversation(model, 0)).toEqual([
      'user: see | [picture left out: a picture given as base64, 9×9 pixels, over the limit]',
    ]);
  });

  test.each<[PromptPart, string, string]>([
    [
      { type: 'media', path: 'none.png' },
      'media/unreadable',
      'cannot read the picture /repo/none.png: no such file or directory',
    ],
    [{ type: 'media', base64: 'not base64!' }, 'media/not-a-picture', 'a picture given as base64 is not base64'],
    [{ type: 'media', sha256: 'f00', mime: 'image/png' }, 'media/unknown', 'this session holds no picture "f00"'],
  ])('that cannot be had are an error, and no turn begins: %j', async (part, code, message) => {
    const { session, events, parts } = rig([]);
    await session.send({ type: 'prompt', text: 'see', parts: [part] });
    const [error] = eventsOf(events, 'error') as readonly { code: string; message: string }[];
    expect({ code: error?.code, said: error?.message.startsWith(message), branch: parts.log.branch() }).toEqual({
      code,
      said: true,
      branch: [],
    });
  });

  test('that are none are an error', async () => {
    const fitImage = async () => ({ fits: false, fault: 'not-a-picture', why: 'it is no PNG' }) as const;
    const { session, events } = rig([], { parts: { fitImage } });
    await session.send({ type: 'prompt', text: 'see', parts: [media('x')] });
    expect(eventsOf(events, 'error')).toMatchObject([
      { code: 'media/not-a-picture', message: 'a picture given as base64 cannot be sent: it is no PNG' },
    ]);
  });
});

describe('a server that refuses pictures', () => {
  const GONE = '[a picture was here; it was left out, since the model’s server refused it]';

  test('for their number is asked once more without the old ones', async () => {
    const script = [
      say('One.'),
      refuse(400, 'h answered 400: many-image requests: dimensions exceed 2000 pixels'),
      say('Two.'),
    ];
    const { model, events, session } = await prompted(script, [media('1')], [media('2'), media('3')]);
    expect(conversation(model, 2)).toEqual([`user: see | ${GONE}`, 'assistant: One.', 'user: see | media | media']);
    expect(session.result()).toMatchObject({ stopReason: 'end', result: 'Two.', turns: 3 });
    expect(eventsOf(events, 'media-dropped')).toHaveLength(1);
    expect(eventsOf(events, 'diagnostic')).toEqual([
      {
        type: 'diagnostic',
        diagnostic: {
          severity: 'warning',
          code: 'media/dropped',
          message:
            'one picture was left out of the conversation: h answered 400: many-image requests: dimensions exceed 2000 pixels',
        },
      },
    ]);
  });

  test('altogether is asked once more without any, and is shown none by tools from then on', async () => {
    const script = [refuse(500, 'h answered 500: image input is not supported'), say('Two.')];
    const { model, parts } = await prompted(script, [media('1')]);
    expect(conversation(model, 1)).toEqual([`user: see | ${GONE}`]);
    expect(parts.model.info).toMatchObject({ modalities: ['text'] });
  });

  test('for the size of the body is understood without its words', async () => {
    const { model } = await prompted([refuse(413, 'h answered 413'), say('Two.')], [media('1')]);
    expect(conversation(model, 1)).toEqual([`user: see | ${GONE}`]);
  });

  test('twice ends the turn, and the next prompt goes through without them', async () => {
    const script = [say('One.'), refuse(400, 'bad image'), refuse(400, 'bad image'), say('Two.')];
    const { model, session } = await prompted(script, [media('1')], [media('2')], []);
    expect(conversation(model, 3)).toEqual([
      `user: see | ${GONE}`,
      'assistant: One.',
      `user: see | ${GONE}`,
      'user: see',
    ]);
    expect(session.result()).toMatchObject({ stopReason: 'end', result: 'Two.', turns: 4 });
  });

  test.each([
    ['something else in a conversation with pictures', refuse(400, 'unknown field "top_k"'), [media('1')]],
    ['a picture where there is none', refuse(400, 'bad image'), []],
  ])('is not asked again for %s', async (_title, refusal, parts) => {
    const { model, session } = await prompted([refusal, say('No.')], parts);
    expect({ asked: model.requests.length, stop: session.result().stopReason }).toEqual({ asked: 1, stop: 'error' });
  });
});
