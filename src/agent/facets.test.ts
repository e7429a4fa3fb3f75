import { describe, expect, test } from 'vitest';
import { UsageError } from '../base/index.ts';
import type { FacetView, Harness } from '../harness/contract/index.ts';
import type { Event, StreamEvent } from '../model/index.ts';
import { explainPreview } from './explain-context.ts';
import { preview } from './preview.ts';
import { call, type Rig, rig, type Script, say } from './test-rig.ts';

const COLOURS = { light: '#000000', dark: '#ffffff' };
const NAMES = ['execute', 'plan', 'review'];

function active({ session, settings }: Pick<FacetView, 'session' | 'settings'>): string {
  return session.choices.facet ?? settings.facet ?? 'execute';
}

/** Three facets, whose name is the system prompt; `plan` offers no tools. Any other cannot be composed. */
const FACETED: Partial<Harness> = {
  facets: (view) => ({
    active: active(view),
    facets: NAMES.map((name) => ({ name, description: name, scope: 'shipped', path: null, colours: COLOURS })),
  }),
  offers: (_face, turn) => active(turn) !== 'plan',
  compose: (turn) => {
    if (!NAMES.includes(active(turn))) throw new UsageError('facet/unknown', `no facet ${active(turn)}`);
    return {
      system: [{ separator: active(turn) }],
      pins: [],
      reminders: { beforePrompt: [], afterPrompt: [] },
      chain: null,
      options: {},
      diagnostics: [],
    };
  },
};

function faceted(script: Script, parts: Parameters<typeof rig>[1] = {}): Rig {
  return rig(script, { ...parts, harness: { ...FACETED, ...parts.harness } });
}

function answers(events: readonly StreamEvent[]): object[] {
  return events.flatMap((event) => (event.type === 'done' || event.type === 'error' ? [event] : []));
}

function facetEvents(branch: readonly Event[]): object[] {
  return branch.flatMap((event) => (event.type === 'facet' ? [{ from: event.from, to: event.to, by: event.by }] : []));
}

describe('the command facet', () => {
  test('puts the facet in force from the next request on, prompt and tools', async () => {
    const { session, model, parts, events } = faceted([say('A.'), say('B.')]);
    await session.send({ type: 'prompt', text: 'one' });
    await session.send({ type: 'facet', to: 'plan', tag: 'f' });
    await session.send({ type: 'prompt', text: 'two' });
    expect(model.requests.map(({ system, tools }) => [system, tools.map(({ name }) => name)])).toEqual([
      ['execute', ['note']],
      ['plan', []],
    ]);
    expect(facetEvents(parts.log.branch())).toEqual([{ from: 'execute', to: 'plan', by: 'user' }]);
    expect(answers(events)[1]).toEqual({ type: 'done', tag: 'f', value: { facet: 'plan', colours: COLOURS } });
  });

  test('writes nothing for the facet that is in force', async () => {
    const { session, parts, events } = faceted([]);
    await session.send({ type: 'facet', to: 'execute' });
    expect(parts.log.branch()).toEqual([]);
    expect(answers(events)).toEqual([{ type: 'done', value: { facet: 'execute', colours: COLOURS } }]);
  });

  test('names the nearest facet, and all of them, for one that there is not', async () => {
    const { session, parts, events } = faceted([]);
    await session.send({ type: 'facet', to: 'plam' });
    expect(answers(events)).toEqual([
      {
        type: 'error',
        code: 'facet/unknown',
        message: 'harness "plain" has no facet "plam": did you mean "plan"? it has: execute, plan, review',
      },
    ]);
    expect(parts.log.branch()).toEqual([]);
  });

  test('says so where the harness has none', async () => {
    const { session, events } = rig([]);
    await session.send({ type: 'facet', to: 'plan' });
    expect(answers(events)).toEqual([{ type: 'error', code: 'facet/none', message: 'harness "plain" has no facets' }]);
  });
});

describe('the facet of a run', () => {
  test('is recorded once, with the first prompt; what is chosen later holds', async () => {
    const { session, model, parts } = faceted([say('A.'), say('B.')], { parts: { facet: 'review' } });
    await session.send({ type: 'prompt', text: 'one' });
    parts.log.append({ type: 'facet', from: 'review', to: 'plan', by: 'model' });
    await session.send({ type: 'prompt', text: 'two' });
    expect(model.requests.map(({ system }) => system)).toEqual(['review', 'plan']);
    expect(facetEvents(parts.log.branch())).toEqual([
      { from: null, to: 'review', by: 'flag' },
      { from: 'review', to: 'plan', by: 'model' },
    ]);
  });

  test('that there is not ends the run before anything is sent; the log knows nothing of it', async () => {
    const { session, model, parts } = faceted([say('A.')], { parts: { facet: 'nowhere' } });
    await session.send({ type: 'prompt', text: 'one' });
    expect(session.failure).toBeInstanceOf(UsageError);
    expect(session.result().error).toEqual({ kind: 'facet/unknown', message: 'no facet nowhere' });
    expect(model.requests).toEqual([]);
    expect(parts.log.branch().map(({ type }) => type)).toEqual(['turn-end']);
  });

  test('is what a preview shows, and nothing is written', async () => {
    const { parts } = faceted([], { parts: { facet: 'plan' } });
    const { prepared } = await preview(parts, 'hello');
    expect(prepared.composition.system).toEqual([{ separator: 'plan' }]);
    expect([parts.log.branch(), parts.facet]).toEqual([[], 'plan']);
    expect(explainPreview(parts, await preview(parts, 'hello')).facet).toBe('plan');
  });

  test('waits while a harness without facets is in force', async () => {
    const { session, parts } = rig([say('A.')], { parts: { facet: 'plan' } });
    await session.send({ type: 'prompt', text: 'one' });
    expect([facetEvents(parts.log.branch()), parts.facet]).toEqual([[], 'plan']);
  });

  test('of the settings is in force where the session never chose one', async () => {
    const { session, model, parts } = faceted([say('A.')]);
    const { settings } = parts;
    parts.settings = (name) => ({ ...settings(name), facet: 'review' });
    await session.send({ type: 'prompt', text: 'one' });
    expect([model.requests[0]?.system, facetEvents(parts.log.branch())]).toEqual(['review', []]);
  });
});

test('a facet that a call put in force holds for the next request of the same turn', async () => {
  const NOTE = { id: 'a', name: 'note', args: { text: 'x' } };
  const { session, model, parts } = faceted([call(NOTE), say('B.')], {
    harness: {
      afterBatch: () => {
        parts.log.append({ type: 'facet', from: 'execute', to: 'plan', by: 'model' });
        return { reminders: [] };
      },
    },
  });
  await session.send({ type: 'prompt', text: 'one' });
  expect(model.requests.map(({ system, tools }) => [system, tools.length])).toEqual([
    ['execute', 1],
    ['plan', 0],
  ]);
});
