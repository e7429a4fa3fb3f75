import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryLog, REQUEST, sessionRig } from '../../test/rig/session-rig.ts';
import { byteLength } from '../base/index.ts';
import type { BodyList, RequestEvent } from '../model/index.ts';
import { type RequestLookup, resolveList, shortenList } from './request-list.ts';

const hashes = fc.array(fc.constantFrom(...'abcdefgh'), { maxLength: 20, size: 'max' });

function lookupOf(bodies: readonly BodyList[]): RequestLookup {
  return (id) => {
    const body = bodies[Number(id)];
    return body === undefined ? undefined : { body, position: Number(id) };
  };
}

function requestOf(id: number): RequestEvent {
  return { id: String(id) } as RequestEvent;
}

describe('a list of blobs', () => {
  test('is whole where there is no previous one', () => {
    expect(shortenList(['a', 'b', 'a'], null)).toEqual(['a', 'b', 'a']);
  });

  test('names the stretches that the previous one had, wherever they were', () => {
    const previous = { event: '0', hashes: ['head', 'system', 'm1', 'm2', 'tools', 'tail'] };
    expect(shortenList(['head', 'system', 'm1', 'm2', 'm3', 'tools', 'tail'], previous)).toEqual([
      { of: '0', at: [0, 4] },
      'm3',
      { of: '0', at: [4, 6] },
    ]);
    expect(shortenList(['head', 'other', 'm1', 'm2', 'm3', 'tools', 'tail'], previous)).toEqual([
      'head',
      'other',
      { of: '0', at: [2, 4] },
      'm3',
      { of: '0', at: [4, 6] },
    ]);
  });

  test('is resolved to what it was, through any chain of earlier ones', () => {
    fc.assert(
      fc.property(fc.array(hashes, { minLength: 1, maxLength: 12, size: 'max' }), (lists) => {
        const bodies: BodyList[] = lists.map((list, index) => {
          const before = lists[index - 1];
          return shortenList(list, before === undefined ? null : { event: String(index - 1), hashes: before });
        });
        for (const [index, list] of lists.entries()) {
          expect(resolveList(requestOf(index), lookupOf(bodies))).toEqual(list);
        }
      }),
    );
  });

  test('is resolved through a chain of ten thousand without recursion', () => {
    const bodies: BodyList[] = [['a', 'b']];
    for (let index = 1; index < 10_000; index += 1) bodies.push([{ of: String(index - 1), at: [0, 2] }]);
    expect(resolveList(requestOf(9_999), lookupOf(bodies))).toEqual(['a', 'b']);
  });

  test.each<[string, BodyList[]]>([
    ['itself', [['a'], [{ of: '1', at: [0, 1] }]]],
    ['a later one', [[{ of: '1', at: [0, 1] }], ['a']]],
    ['one that is not there', [['a'], [{ of: '7', at: [0, 1] }]]],
    ['more than there is', [['a'], [{ of: '0', at: [0, 2] }]]],
  ])('is refused where a slice points to %s', (_what, bodies) => {
    const at = bodies.findIndex((body) => body.some((item) => typeof item !== 'string'));
    expect(() => resolveList(requestOf(at), lookupOf(bodies))).toThrow(
      expect.objectContaining({ code: 'session/damaged', data: { event: String(at) } }),
    );
  });

  test('is refused where slices of slices would take all memory', () => {
    const bodies: BodyList[] = [['a', 'b']];
    for (let index = 1; index < 60; index += 1) {
      const whole = { of: String(index - 1), at: [0, 2 ** index] as [number, number] };
      bodies.push([whole, whole]);
    }
    expect(() => resolveList(requestOf(40), lookupOf(bodies))).toThrow(
      expect.objectContaining({ code: 'session/damaged' }),
    );
  });
});

describe('the bodies of requests', () => {
  const messages = fc.array(fc.record({ size: fc.nat({ max: 300 }), more: fc.boolean() }), {
    minLength: 300,
    maxLength: 300,
  });

  test('make the log grow with what is new in them, also when the system prompt changes each time', () => {
    fc.assert(
      fc.property(messages, fc.boolean(), (turns, systemChanges) => {
        const log = memoryLog();
        let size = 0;
        log.onLine((line) => {
          size += byteLength(JSON.stringify(line)) + 1;
        });
        const history: string[] = [];
        let content = 0;
        const bodies: { event: RequestEvent; body: string }[] = [];
        for (const [index, turn] of turns.entries()) {
          const text = `,"${index} ${'x'.repeat(turn.size)}"`;
          history.push(text);
          const system = `{"system":"${systemChanges ? index : 0}","messages":[""`;
          content += text.length + (systemChanges ? system.length : 0);
          const body = [system, ...history, ']', ',"tools":[]', '}'];
          bodies.push({ event: log.recordRequest(REQUEST, body), body: body.join('') });
        }
        // A request costs its event, a few slices, and one line for each new text.
        expect(size).toBeLessThan(2 * content + 1_300 * turns.length);
        for (const { event, body } of bodies) expect(log.requestBody(event)).toBe(body);
      }),
      { numRuns: 4 },
    );
  });

  test('are listed whole after a clear, a compaction and a rewind, and in a copy', async () => {
    const { store, begin } = sessionRig();
    const log = await begin();
    const body = ['{"a":[', '1', ']}'];
    const isWhole = (event: RequestEvent): boolean => event.body.every((item) => typeof item === 'string');
    const wholes: boolean[] = [];
    const send = (to = log): number => wholes.push(isWhole(to.recordRequest(REQUEST, body)));
    send();
    send();
    log.append({ type: 'clear', facet: null, plan: null, checkpoint: { folds: {} } });
    send();
    send();
    log.append({ type: 'rewind', to: log.state().leaf });
    send();
    send();
    const kept = { kind: 'text', why: 'manual', keptFrom: '', todos: [], skills: [], files: [] } as const;
    log.append({ type: 'compaction', ...kept, todos: [], skills: [], files: [], checkpoint: { folds: {} } });
    send();
    send();
    await log.close();
    send(await store.fork(log.id));
    send(await store.open(log.id));
    expect(wholes).toEqual([true, false, true, false, true, false, true, false, true, false]);
  });

  test('of each purpose are shortened by their own kind', () => {
    const log = memoryLog();
    const turn = log.recordRequest(REQUEST, ['a', 'b', 'c']);
    log.recordRequest({ ...REQUEST, purpose: 'compaction' }, ['x', 'y']);
    const next = log.recordRequest(REQUEST, ['a', 'b', 'c', 'd']);
    expect(next.body[0]).toEqual({ of: turn.id, at: [0, 3] });
  });

  test('are the bytes that were sent, half characters replaced as sending replaces them', () => {
    const log = memoryLog();
    const parts = ['{"a":"é\u2028\u0000', '\ud800"}'];
    const event = log.recordRequest(REQUEST, parts);
    expect(log.requestBody(event)).toBe(Buffer.from(parts.join('')).toString('utf8'));
  });
});
