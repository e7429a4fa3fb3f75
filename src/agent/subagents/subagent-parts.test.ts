import { expect, test } from 'vitest';
import type { AgentParts } from '../parts.ts';
import { rig } from '../test-rig.ts';
import { subagentParts } from './subagent-parts.ts';

function below(caller: AgentParts, cwd = '/repo/deep', model: AgentParts['model'] | null = null): AgentParts {
  const log = caller.children.create({ session: caller.log.id, run: 'agent-1', agent: 'scout' }, cwd);
  return subagentParts(caller, { log, tools: ['read'], model });
}

test('it works in its own directory and session, a level below its caller', () => {
  const { parts } = rig([], { parts: { spillDirectory: '/state/s.files', handoff: 'current-context', facet: 'plan' } });
  const child = below(parts);
  const { log, depth, onlyTools, facet, handoff, spillDirectory } = child;
  expect([child.settings('plain').cwd, parts.settings('plain').cwd]).toEqual(['/repo/deep', '/repo']);
  expect({ isOwn: log !== parts.log, depth, onlyTools, facet, handoff, spillDirectory }).toEqual({
    isOwn: true,
    depth: 1,
    onlyTools: ['read'],
    facet: null,
    handoff: null,
    spillDirectory: `/state/s.files/agents/${log.id}`,
  });
});

test('its mode is that of the conversation at every moment, however deep it is', () => {
  const { parts } = rig([]);
  const deeper = below(below(parts));
  const before = deeper.permissionMode;
  parts.permissionMode = 'read-only';
  expect([before, deeper.permissionMode, deeper.depth]).toEqual(['yolo', 'read-only', 2]);
});

test('a model that the call named goes before what its definition asks for', () => {
  const { parts } = rig([]);
  const other = { ...parts.model };
  const [plain, given] = [below(parts), below(parts, '/repo', other)];
  expect([plain.model === parts.model, plain.modelGiven, given.model === other, given.modelGiven]).toEqual([
    true,
    false,
    true,
    true,
  ]);
});

test('its session cannot be copied while it runs', async () => {
  await expect(below(rig([]).parts).copySession(null)).rejects.toMatchObject({ code: 'command/no-target' });
});
