import { NOTHING_DELIVERED } from '../../src/instructions/index.ts';
import { NO_USAGE, type SessionState } from '../../src/model/index.ts';

/** A session begun in `cwd` in which nothing has happened, but for `fields`. */
export function emptySession(id: string, cwd: string, fields: Partial<SessionState> = {}): SessionState {
  return {
    id,
    header: {
      type: 'session',
      version: 1,
      program: 'rein test',
      id,
      time: '2026-11-30T21:04:05+02:00',
      cwd,
      projectRoot: cwd,
      kind: 'main',
      spawnedBy: null,
      forkedFrom: null,
    },
    leaf: null,
    history: [],
    choices: { harness: null, wire: null, model: null, effort: null, facet: null, 'permission-mode': null },
    pins: {},
    narrowing: { allow: null, deny: [] },
    directories: [cwd],
    todos: [],
    plan: null,
    planMode: null,
    delivery: NOTHING_DELIVERED,
    observed: {},
    usage: { last: null, total: NO_USAGE, requests: 0 },
    told: [],
    given: null,
    ...fields,
  };
}
