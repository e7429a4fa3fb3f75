import { expect, test } from 'vitest';
import { UsageError } from '../base/index.ts';
import type { ModelWish } from '../harness/contract/index.ts';
import type { ModelPort, StreamEvent } from '../model/index.ts';
import type { ActiveModel } from './parts.ts';
import { preview } from './preview.ts';
import { type Rig, rig, say } from './test-rig.ts';

const WISH: ModelWish = { names: ['scripted/other'], effort: null, by: 'the facet "plan"', scope: 'user' };

/** A session whose facet asks for a model while `wish` says so. The models `none/…` cannot be had. */
function wishing(wish: () => ModelWish | null): Rig & { made: string[] } {
  const made: string[] = [];
  const started = rig([say('A.'), say('B.'), say('C.')], { harness: { wish } });
  const { parts, model } = started;
  const port = (name: string): ModelPort => {
    const [provider = '', id = ''] = name.split('/');
    return { info: { ...model.info, provider, id }, prepare: (request) => model.prepare(request) };
  };
  parts.choose = {
    ...parts.choose,
    model: async (name): Promise<ActiveModel> => {
      if (name.startsWith('none/')) throw new UsageError('model/unknown', `no such model: ${name}`);
      made.push(name);
      const other = port(name);
      return { port: other, info: other.info };
    },
  };
  return { ...started, made };
}

/** The model and effort of each request, as the log has them. */
function asked({ parts }: Rig): string[] {
  return parts.log.requests().map(({ provider, model, effort }) => `${provider}/${model} ${effort ?? '-'}`);
}

function codes(events: readonly StreamEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'diagnostic' ? [event.diagnostic.code] : []));
}

test('the model that the facet asks for is used while it asks, and the session’s own again after it', async () => {
  let wish: ModelWish | null = { ...WISH, effort: 'high' };
  const started = wishing(() => wish);
  const { session, parts, made } = started;
  await session.send({ type: 'prompt', text: 'one' });
  const shown = session.result().model;
  await session.send({ type: 'prompt', text: 'two' });
  wish = null;
  await session.send({ type: 'prompt', text: 'three' });
  expect([asked(started), shown, session.result().model, made]).toEqual([
    ['scripted/other high', 'scripted/other high', 'scripted/model -'],
    'scripted/other',
    'scripted/model',
    ['scripted/other'],
  ]);
  const models = parts.log.branch().flatMap((event) => (event.type === 'model' ? [event.to] : []));
  expect(models).toEqual(['scripted/model']);
});

test('the first that can be had is taken, and what could not is told once', async () => {
  const started = wishing(() => ({ ...WISH, names: ['none/a', 'scripted/b', 'scripted/c'] }));
  await started.session.send({ type: 'prompt', text: 'one' });
  await started.session.send({ type: 'prompt', text: 'two' });
  expect([asked(started), codes(started.events)]).toEqual([['scripted/b -', 'scripted/b -'], ['facet/model-unusable']]);
});

test('where none can be had the session’s own goes on, with its own effort', async () => {
  const started = wishing(() => ({ ...WISH, names: ['none/a'], effort: 'high' }));
  started.parts.effort = 'low';
  await started.session.send({ type: 'prompt', text: 'one' });
  expect([asked(started), codes(started.events)]).toEqual([
    ['scripted/model low'],
    ['facet/model-unusable', 'facet/model-none'],
  ]);
});

test('an effort may be asked for without a model', async () => {
  const started = wishing(() => ({ ...WISH, names: [], effort: 'high' }));
  await started.session.send({ type: 'prompt', text: 'one' });
  expect(asked(started)).toEqual(['scripted/model high']);
});

test('a project chooses another provider only where it is trusted; another model of the same one it may', async () => {
  const outcome = async (names: string[], scope: string, trusted: boolean): Promise<string[]> => {
    const started = wishing(() => ({ ...WISH, names, scope }));
    const { settings } = started.parts;
    started.parts.settings = (name) => ({ ...settings(name), trusted });
    await started.session.send({ type: 'prompt', text: 'one' });
    return [...asked(started), ...codes(started.events)];
  };
  expect([
    await outcome(['scripted/x'], 'project', false),
    await outcome(['else/x'], 'project', false),
    await outcome(['else/x'], 'directory', false),
    await outcome(['else/x'], 'project', true),
    await outcome(['else/x'], 'user', false),
  ]).toEqual([
    ['scripted/x -'],
    ['scripted/model -', 'facet/model-needs-trust', 'facet/model-none'],
    ['scripted/model -', 'facet/model-needs-trust', 'facet/model-none'],
    ['else/x -'],
    ['else/x -'],
  ]);
});

test('a model whose format the harness does not take is not taken', async () => {
  const started = wishing(() => WISH);
  const { harness } = started.parts;
  const wires = { ...harness.wires, chat: { accepted: false as const, error: 'no chat here' } };
  started.parts.harness = { ...harness, wires };
  const seen = await preview(started.parts, 'hello');
  expect(seen.prepared.diagnostics.map(({ code, message }) => [code, message])[0]).toEqual([
    'facet/model-unusable',
    'the facet "plan" asks for the model "scripted/other": no chat here',
  ]);
});

test('a preview shows the model that would be used', async () => {
  const { parts } = wishing(() => WISH);
  const { prepared } = await preview(parts, 'hello');
  expect([prepared.model.port.info.id, prepared.turn.model?.id, parts.model.port.info.id]).toEqual([
    'other',
    'other',
    'model',
  ]);
});
