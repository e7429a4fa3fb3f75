import { join } from 'node:path';
import { workingDirectory } from '../../model/index.ts';
import type { SessionLog } from '../../session/index.ts';
import { CommandError } from '../error.ts';
import type { ActiveModel, AgentParts } from '../parts.ts';

export type SubagentGiven = {
  log: SessionLog;
  /** All that it may be offered at most. */
  tools: readonly string[];
  /** Chosen for this run; null: what its definition asks for, or the session's own. */
  model: ActiveModel | null;
};

/**
 * The engine of a subagent: its caller's, over a log of its own. Permissions are the caller's at every moment, and so is
 * the way to a person.
 */
export function subagentParts(caller: AgentParts, { log, tools, model }: SubagentGiven): AgentParts {
  return {
    ...caller,
    log,
    facet: null,
    get permissionMode() {
      return caller.permissionMode;
    },
    settings: (name) => ({
      ...caller.settings(name),
      cwd: workingDirectory(log.state()),
      startsAgents: caller.depth + 1 < caller.crew.deepest,
    }),
    onlyTools: tools,
    // Within the caller's, which permissions let all of them read.
    spillDirectory: caller.spillDirectory === null ? null : join(caller.spillDirectory, 'agents', log.id),
    depth: caller.depth + 1,
    model: model ?? caller.model,
    modelGiven: model !== null,
    handoff: null,
    diagnostics: [],
    copySession: () =>
      Promise.reject(new CommandError('command/no-target', 'the session of a running subagent cannot be copied')),
  };
}
