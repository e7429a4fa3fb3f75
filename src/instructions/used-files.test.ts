import { describe, expect, test } from 'vitest';
import type { Event, EventBody, EventOf, FileObservation, FoldLookup } from '../model/index.ts';
import { addUsed, keptReads, touchUsed, usedByTools } from './used-files.ts';

function observation(path: string, fields: Partial<FileObservation> = {}): FileObservation {
  return { path, size: 1, mtimeMs: 0, sha256: 'h', how: 'read', complete: true, decorated: false, ...fields };
}

describe('files in order of use', () => {
  test('what is used again moves to the end, what is only known comes first', () => {
    expect(touchUsed(['/a', '/b', '/c'], ['/a', '/d'])).toEqual(['/b', '/c', '/a', '/d']);
    expect(addUsed(['/a', '/b'], ['/b', '/c', '/d'])).toEqual(['/c', '/d', '/a', '/b']);
  });

  test('beyond the bound the least recently used are forgotten', () => {
    const many = Array.from({ length: 300 }, (_, index) => `/${index}`);
    expect(touchUsed([], many)).toEqual(many.slice(-256));
    expect(addUsed(touchUsed([], many), ['/new'])).toEqual(many.slice(-256));
  });

  test('tools use instruction files and files known as such, not what they only list', () => {
    const observed = [
      observation('/a/AGENTS.md'),
      observation('/a/claude.md', { how: 'written' }),
      observation('/b/AGENTS.md', { how: 'listed' }),
      observation('/linked.md'),
      observation('/README.md'),
    ];
    expect(usedByTools(['/linked.md'], observed)).toEqual(['/a/AGENTS.md', '/a/claude.md', '/linked.md']);
  });
});

const CALL: EventBody = { type: 'assistant', request: 'r', parts: [], stop: 'calls', usage: {} as never };

function result(assistant: string, observed: readonly FileObservation[], status: 'ok' | 'error' = 'ok'): EventBody {
  return {
    type: 'tool-result',
    call: { assistant, id: 'c' },
    tool: 'read',
    parts: [],
    status,
    observed: [...observed],
  };
}

/** What a compaction after these events keeps in sight, from the one at `from` on; ids are `e0`, `e1`, … */
function kept(bodies: readonly EventBody[], from: string): ReturnType<typeof keptReads> {
  const events = bodies.map(
    (body, index) => ({ id: `e${index}`, parentId: index === 0 ? null : `e${index - 1}`, time: '', ...body }) as Event,
  );
  const byId = new Map(events.map((event) => [event.id, event]));
  const lookup: FoldLookup = { piece: () => undefined, event: (id) => byId.get(id) };
  const boundary = { type: 'compaction', parentId: events.at(-1)?.id ?? null, keptFrom: from };
  return keptReads(boundary as EventOf<'compaction'>, lookup);
}

describe('reads that are still in sight', () => {
  test('are whole, plain, of prose and successful', () => {
    const observed = [
      observation('/whole.md'),
      observation('/part.md', { complete: false, range: [1, 2] }),
      observation('/numbered.md', { decorated: true }),
      observation('/written.md', { how: 'written' }),
      observation('/code.ts'),
    ];
    expect(kept([CALL, result('e0', observed), CALL, result('e2', [observation('/x.md')], 'error')], 'e0')).toEqual({
      '/whole.md': { event: 'e1', sha256: 'h' },
    });
  });

  test('lie in the kept part, with their calls', () => {
    const bodies = [
      CALL,
      result('e0', [observation('/before.md')]),
      CALL,
      result('e0', [observation('/split.md')]),
      result('e2', [observation('/kept.md')]),
    ];
    expect(kept(bodies, 'e2')).toEqual({ '/kept.md': { event: 'e4', sha256: 'h' } });
    expect(kept(bodies, 'not on the branch')).toEqual({});
  });

  test('count as the file was when it was read last', () => {
    const bodies = [
      CALL,
      result('e0', [observation('/a.md')]),
      CALL,
      result('e2', [observation('/a.md', { sha256: 'new' })]),
    ];
    expect(kept(bodies, 'e0')).toEqual({ '/a.md': { event: 'e3', sha256: 'new' } });
  });
});
