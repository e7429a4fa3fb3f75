import { nearest, UsageError } from '../base/index.ts';
import type { Harness } from '../harness/contract/index.ts';
import type { HarnessSettings, SessionState } from '../model/index.ts';

/**
 * These names, each one known to the harness. Throws UsageError tools/unknown: a mistyped name would otherwise give or
 * take a tool in silence.
 */
export function knownTools(
  only: readonly string[],
  harness: Harness,
  settings: HarnessSettings,
  session: SessionState,
): readonly string[] {
  const world = {
    files: [],
    searched: [],
    diagnostics: [],
    projectRoot: null,
    cwd: settings.cwd,
    stack: [settings.cwd],
    platform: { os: '', shell: '', home: settings.home },
    git: null,
  };
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
