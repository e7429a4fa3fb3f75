import { randomBytes } from 'node:crypto';
import { emptySession } from '../../test/rig/session-state.ts';
import type { HostPorts } from '../host/index.ts';
import type { FileObservation, SessionState } from '../model/index.ts';
import type { AgentPort, TaskPort, ToolContext } from './contract/index.ts';
import { DEFAULT_LIMITS } from './default-limits.ts';

const REFUSED = { error: { code: 'test/none', message: 'There is none here.' } };
const NO_TASKS: TaskPort = {
  startCommand: async () => REFUSED,
  list: () => [],
  get: () => null,
  wait: async () => undefined,
  cancel: async () => null,
  output: async () => null,
};
const NO_AGENTS: AgentPort = { start: async () => REFUSED, message: async () => REFUSED };

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
    known: given.state ?? testState(observed),
    signal: new AbortController().signal,
    progress: () => undefined,
    mark: randomBytes(8).toString('hex'),
    childEnv: {},
    ask: { ask: async () => ({ type: 'nobody' }), handoff: async () => ({ type: 'nobody' }) },
    tasks: NO_TASKS,
    agents: NO_AGENTS,
    mayRead: async () => true,
    spillDirectory: null,
    ...given,
    limits: { ...DEFAULT_LIMITS, ...given.limits },
  };
}

/** A session in which nothing happened but these observations; of one path the last one holds. */
export function testState(observed: readonly FileObservation[], id = 'session'): SessionState {
  return emptySession(id, '/w', {
    observed: Object.fromEntries(observed.map((observation) => [observation.path, observation])),
  });
}
