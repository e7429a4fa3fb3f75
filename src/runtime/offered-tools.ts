import { nearest, UsageError } from '../base/index.ts';
import type { Harness, WorldPort } from '../harness/contract/index.ts';
import { type HarnessSettings, type SessionState, workingDirectory } from '../model/index.ts';

export type ToolsAsked = {
  harness: Harness;
  settings: HarnessSettings;
  session: SessionState;
  /** Which tools there are may depend on the files: one that loads skills is of use where there are some. */
  world: WorldPort;
};

/**
 * These names, each one of a tool that the harness could offer here, whatever the facet in force leaves out. Throws
 * UsageError tools/unknown: a mistyped name would otherwise give or take a tool in silence.
 */
export async function knownTools(
  only: readonly string[],
  { harness, settings, session, world: port }: ToolsAsked,
): Promise<readonly string[]> {
  if (only.length === 0) return only;
  const queries = harness.sources({ settings, session });
  const { directories: stack } = session;
  const world = await port.look({ queries, cwd: workingDirectory(session), stack, moment: 'turn' });
  const now = { epochMs: 0, micros: 0, offsetMinutes: 0 };
  const faces = harness.tools({
    world,
    session,
    model: null,
    settings,
    submission: { startedAt: now, world, model: null, tools: [] },
    now,
    agent: { role: 'root' },
    reason: 'prompt',
  });
  const names = faces.map(({ name }) => name);
  for (const name of only) {
    if (names.includes(name)) continue;
    const near = nearest(name, names);
    const hint = near === undefined ? `it has: ${names.join(', ')}` : `did you mean "${near}"?`;
    throw new UsageError(
      'tools/unknown',
      `harness "${harness.name}" has no tool ${JSON.stringify(name.slice(0, 100))}; ${hint}`,
    );
  }
  return only;
}
