import { describe, expect, test } from 'vitest';
import { ModelError, type ModelEvent, type ModelFault } from '../model/index.ts';
import { call, conversation, rig, type Script, say } from './test-rig.ts';

type Step = Exclude<Script[number], readonly ModelEvent[]>;

function lose(fault: ModelFault, ...events: ModelEvent[]): Step {
  return async function* (): AsyncGenerator<ModelEvent> {
    yield* events;
    throw new ModelError(fault, 'h: connection lost');
  };
}

const HALF_TEXT: ModelEvent[] = [{ type: 'text-start' }, { type: 'text-delta', text: 'Half' }];
const HALF_CALL: ModelEvent[] = [
  { type: 'tool-input-start', id: 'a', name: 'note' },
  { type: 'tool-input-delta', id: 'a', text: '{"text":"x' },
];
const BROKE_OFF =
  'user: <note>Your last reply broke off, as replies do at the output limit or when a connection is lost, before its tool calls (note) were complete. None of them was run. Do the same in smaller pieces: several shorter calls, each in a reply of its own.</note>';

async function run(script: Script): Promise<{ asked: string[][]; result: unknown; waits: number[]; bodies: number }> {
  const { session, model, events } = rig(script);
  await session.send({ type: 'prompt', text: 'go' });
  const { stopReason, result, error } = session.result();
  return {
    asked: model.requests.map((_, index) => conversation(model, index)),
    result: { stopReason, result, error: error?.kind ?? null },
    waits: events.flatMap((event) => (event.type === 'retry-wait' ? [event.delayMs] : [])),
    bodies: model.requests.length,
  };
}

describe('a stream that is lost', () => {
  test.each<[string, Step]>([
    ['inside text', lose('network', ...HALF_TEXT)],
    ['inside reasoning', lose('truncated', { type: 'reasoning-start' }, { type: 'reasoning-delta', text: 'Hm' })],
    ['by an overloaded server inside a call', lose('server', ...HALF_CALL)],
  ])('%s is asked for again with the same body', async (_title, lost) => {
    expect(await run([lost, say('Done.')])).toEqual({
      asked: [['user: go']],
      result: { stopReason: 'end', result: 'Done.', error: null },
      waits: [1000],
      bodies: 1,
    });
  });

  test.each<ModelFault>(['network', 'truncated'])(
    'inside a call (%s) runs nothing, and the model is told to make smaller pieces',
    async (fault) => {
      expect(await run([lose(fault, ...HALF_TEXT, ...HALF_CALL), say('Done.')])).toEqual({
        asked: [['user: go'], ['user: go', 'assistant: Half', BROKE_OFF.replace(/^user/, 'reminder')]],
        result: { stopReason: 'end', result: 'Done.', error: null },
        waits: [],
        bodies: 2,
      });
    },
  );

  test('inside a call, after a call that was complete, runs neither', async () => {
    const whole = call({ id: 'w', name: 'note', args: { text: 'whole' } }).slice(0, -1);
    const { asked } = await run([lose('network', ...whole, ...HALF_CALL), say('Done.')]);
    expect(asked[1]).toEqual(['user: go', BROKE_OFF.replace(/^user/, 'reminder')]);
  });

  test('inside calls again and again ends the turn', async () => {
    const { result, bodies } = await run(Array.from({ length: 9 }, () => lose('network', ...HALF_CALL)));
    expect({ result, bodies }).toEqual({
      result: { stopReason: 'error', result: '', error: 'model/truncated' },
      bodies: 3,
    });
  });

  test('before anything came was repeated by the wire already', async () => {
    const { result, bodies } = await run([lose('network'), say('No.')]);
    expect({ result, bodies }).toEqual({
      result: { stopReason: 'error', result: '', error: 'model/network' },
      bodies: 1,
    });
  });
});
