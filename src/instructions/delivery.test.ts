import { expect, test } from 'vitest';
import { contextFile } from '../../test/rig/found-file.ts';
import type { Delivery, Event, EventBody, FileObservation, FoldLookup, Header, Piece } from '../model/index.ts';
import { deliveryFold, NOTHING_DELIVERED } from './delivery.ts';
import { filePiece, makePiece } from './piece.ts';

const file = contextFile('/real/AGENTS.md', 'A', { path: '/link/AGENTS.md' });
const PIECES: Record<string, Piece> = {
  'context-file:/real/AGENTS.md@1': filePiece(file, { kind: 'context-file', placement: 'history', rule: 'A test.' }),
  'chain/intro@1': makePiece({
    id: 'chain/intro',
    kind: 'guidance',
    origin: { type: 'shipped' },
    placement: 'history',
    rule: 'A test.',
    text: 'x',
  }),
};
PIECES['path-list:/real/BIG.md@1'] = filePiece(contextFile('/real/BIG.md', '', { status: 'path-only', size: 9 }), {
  kind: 'path-list',
  placement: 'history',
  rule: 'A test.',
  text: '- /real/BIG.md (9 bytes)',
});
const lookup: FoldLookup = { piece: (ref) => PIECES[ref], event: () => undefined };

function fold(bodies: readonly EventBody[]): Delivery {
  return bodies.reduce<Delivery>(
    (state, body, index) =>
      deliveryFold.step(state, { id: `e${index}`, parentId: null, time: '', ...body } as Event, lookup),
    deliveryFold.initial({} as Header),
  );
}

const CHAIN: EventBody = { type: 'chain', paths: ['/real/AGENTS.md'] };
const REMINDER: EventBody = {
  type: 'reminder',
  reason: 'chain',
  layout: [
    { separator: '<x>' },
    { piece: 'chain/intro@1', trigger: 'session-start' },
    { piece: 'context-file:/real/AGENTS.md@1', trigger: 'session-start' },
  ],
};

test('a chain and the bodies of its reminder are counted by real path', () => {
  expect(fold([REMINDER, CHAIN])).toEqual({
    ...NOTHING_DELIVERED,
    chain: ['/real/AGENTS.md'],
    files: { '/real/AGENTS.md': { event: 'e0', sha256: file.sha256 } },
    used: ['/real/AGENTS.md'],
  });
});

test('the body that was sent last is the one that counts', () => {
  expect(fold([REMINDER, REMINDER]).files).toEqual({ '/real/AGENTS.md': { event: 'e1', sha256: file.sha256 } });
});

function reading(fields: Partial<FileObservation>, status: 'ok' | 'error' = 'ok'): EventBody {
  const observed: FileObservation = {
    path: '/repo/a/AGENTS.md',
    size: 1,
    mtimeMs: 0,
    sha256: 'as-read',
    how: 'read',
    complete: true,
    decorated: true,
    ...fields,
  };
  return {
    type: 'tool-result',
    call: { assistant: 'a', id: 'c' },
    tool: 'read',
    parts: [],
    status,
    observed: [observed],
  };
}

test('a file that goes out by its path counts too', () => {
  const byPath: EventBody = {
    type: 'reminder',
    reason: 'discovery',
    layout: [{ piece: 'path-list:/real/BIG.md@1', trigger: 'tool-batch' }],
  };
  expect(Object.keys(fold([byPath]).files)).toEqual(['/real/BIG.md']);
});

test('a complete read of a file of prose counts, with line numbers or without, and stays', () => {
  const files = { '/repo/a/AGENTS.md': { event: 'e0', sha256: 'as-read' } };
  const later = reading({ complete: false, range: [1, 2], sha256: 'other' });
  expect(fold([reading({})]).files).toEqual(files);
  expect(fold([reading({ decorated: false }), later, reading({})]).files).toEqual(files);
  expect(fold([reading({}), reading({ sha256: 'newer' })]).files).toEqual({
    '/repo/a/AGENTS.md': { event: 'e1', sha256: 'newer' },
  });
});

test('of a file that was given the model has what it wrote itself, where it knew all of it', () => {
  const written = (fields: Partial<FileObservation>): EventBody =>
    reading({ path: '/real/AGENTS.md', how: 'written', sha256: 'own', ...fields });
  expect(fold([REMINDER, written({})]).files).toEqual({ '/real/AGENTS.md': { event: 'e1', sha256: 'own' } });
  expect(fold([REMINDER, written({ complete: false })]).files).toEqual(fold([REMINDER]).files);
});

test('a part, a listing, a write, a failed read and a file of code do not count', () => {
  const bodies = [
    reading({ complete: false, path: '/repo/b.md' }),
    reading({ how: 'listed' }),
    reading({ how: 'written', path: '/repo/a.md' }),
    reading({}, 'error'),
    reading({ path: '/repo/a.ts' }),
    reading({ path: '/repo/.md' }),
  ];
  const state = deliveryFold.initial({} as Header);
  for (const body of bodies) {
    expect(deliveryFold.step(state, { id: 'e', parentId: null, time: '', ...body } as Event, lookup)).toBe(state);
  }
});

test('reads beyond a bound are not kept', () => {
  const reads = Array.from({ length: 1100 }, (_, index) => reading({ path: `/repo/${index}.md` }));
  expect(Object.keys(fold(reads).files).length).toBe(1024);
});

test('a key is kept once', () => {
  const keyed: EventBody = { type: 'reminder', reason: 'x', key: 'k', layout: [] };
  expect(fold([keyed, keyed, { ...keyed, key: 'l' }]).keys).toEqual(['k', 'l']);
});

test('a clear and a compaction begin anew', () => {
  const checkpoint = { folds: {} };
  const compaction: EventBody = {
    type: 'compaction',
    kind: 'text',
    why: 'manual',
    keptFrom: 'e0',
    todos: [],
    skills: [],
    files: [],
    checkpoint,
  };
  expect(fold([REMINDER, CHAIN, { type: 'clear', facet: null, plan: null, checkpoint }])).toEqual({
    ...NOTHING_DELIVERED,
    began: 'clear',
    used: ['/real/AGENTS.md'],
  });
  expect(fold([REMINDER, CHAIN, compaction])).toEqual({
    ...NOTHING_DELIVERED,
    began: 'compaction',
    used: ['/real/AGENTS.md'],
  });
});

test('a boundary whose checkpoint an earlier version wrote, with less in it, begins anew all the same', () => {
  const { chain, files, keys } = fold([REMINDER, CHAIN]);
  const clear = {
    id: 'e9',
    parentId: null,
    time: '',
    type: 'clear',
    facet: null,
    plan: null,
    checkpoint: { folds: {} },
  };
  const begun = deliveryFold.step({ chain, files, keys } as Delivery, clear as Event, lookup);
  expect(begun).toEqual({ ...NOTHING_DELIVERED, began: 'clear' });
  const next = { id: 'e10', parentId: 'e9', time: '', ...REMINDER } as Event;
  expect(deliveryFold.step(begun, next, lookup).used).toEqual(['/real/AGENTS.md']);
});

test('a prompt, or a reminder, that only says the same counts for nothing', () => {
  const state = deliveryFold.initial({} as Header);
  const forged = {
    id: 'e',
    parentId: null,
    time: '',
    type: 'prompt',
    text: '<x>context-file:/real/AGENTS.md',
    from: 'user',
  } as const;
  const empty = {
    id: 'e',
    parentId: null,
    time: '',
    type: 'reminder',
    reason: 'x',
    layout: [{ separator: 'context-file:/a' }],
  } as const;
  expect(deliveryFold.step(state, forged, lookup)).toBe(state);
  expect(deliveryFold.step(state, empty, lookup)).toBe(state);
});
