import { expect, test } from 'vitest';
import { contextFile } from '../../test/rig/found-file.ts';
import type { Delivery, Event, EventBody, FoldLookup, Header, Piece } from '../model/index.ts';
import { deliveryFold } from './delivery.ts';
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
    chain: ['/real/AGENTS.md'],
    files: { '/real/AGENTS.md': { event: 'e0', sha256: file.sha256 } },
    keys: [],
  });
});

test('the body that was sent last is the one that counts', () => {
  expect(fold([REMINDER, REMINDER]).files).toEqual({ '/real/AGENTS.md': { event: 'e1', sha256: file.sha256 } });
});

test('a key is kept once', () => {
  const keyed: EventBody = { type: 'reminder', reason: 'x', key: 'k', layout: [] };
  expect(fold([keyed, keyed, { ...keyed, key: 'l' }]).keys).toEqual(['k', 'l']);
});

test('a clear and a compaction begin anew', () => {
  const nothing = { chain: null, files: {}, keys: [] };
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
  expect(fold([REMINDER, CHAIN, { type: 'clear', facet: null, plan: null, checkpoint }])).toEqual(nothing);
  expect(fold([REMINDER, CHAIN, compaction])).toEqual(nothing);
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
