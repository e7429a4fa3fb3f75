import type { HostPorts } from '../host/index.ts';
import type { FileObservation, SessionState } from '../model/index.ts';
import type { ToolContext } from './contract/index.ts';
import { DEFAULT_LIMITS } from './default-limits.ts';

type Given = Partial<Omit<ToolContext, 'limits'>> & { limits?: Partial<ToolContext['limits']> };

/** A context for tests of executors, with a session that has observed what `observed` lists. */
export function testContext(
  host: HostPorts,
  given: Given = {},
  observed: readonly FileObservation[] = [],
): ToolContext {
  return {
    host,
    cwd: '/w',
    state: testState(observed),
    signal: new AbortController().signal,
    progress: () => undefined,
    childEnv: {},
    ask: { ask: async () => ({ type: 'nobody' }) },
    mayRead: async () => true,
    spillDirectory: null,
    ...given,
    limits: { ...DEFAULT_LIMITS, ...given.limits },
  };
}

/** A session in which nothing happened but these observations; of one path the last one holds. */
export function testState(observed: readonly FileObservation[], id = 'session'): SessionState {
  return {
    id,
    header: {
      type: 'session',
      version: 1,
      program: 'test',
      id,
      time: '2026-11-30T21:04:05+02:00',
      cwd: '/w',
      projectRoot: null,
      kind: 'main',
      spawnedBy: null,
      forkedFrom: null,
    },
    leaf: null,
    history: [],
    choices: { harness: null, wire: null, model: null, effort: null, facet: null, 'permission-mode': null },
    pins: {},
    narrowing: { allow: null, deny: [] },
    directories: ['/w'],
    todos: [],
    plan: null,
    planMode: null,
    delivery: { chain: null, files: {}, keys: [] },
    observed: Object.fromEntries(observed.map((observation) => [observation.path, observation])),
    usage: {
      last: null,
      total: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
      requests: 0,
    },
  };
}
