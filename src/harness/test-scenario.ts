import { emptySession } from '../../test/rig/session-state.ts';
import { layoutText } from '../instructions/index.ts';
import {
  type Composition,
  type FoundFile,
  isNeeds,
  type SessionState,
  type ToolSpec,
  type Turn,
  type World,
} from '../model/index.ts';
import type { ToolFace } from '../tools/contract/index.ts';
import type { Harness } from './contract/index.ts';

/** 2026-11-30, 21:04:05.123456 in a zone two hours east. */
export const EVENING: Turn['now'] = { epochMs: Date.UTC(2026, 10, 30, 19, 4, 5, 123), micros: 456, offsetMinutes: 120 };

export function world(files: readonly FoundFile[], fields: Partial<World> = {}): World {
  return {
    files,
    searched: [],
    diagnostics: [],
    projectRoot: '/repo',
    cwd: '/repo',
    stack: ['/repo'],
    platform: { os: 'linux', shell: '/bin/bash', home: '/home/ada' },
    git: { root: '/repo', kind: 'directory' },
    ...fields,
  };
}

export function session(fields: Partial<SessionState> = {}): SessionState {
  return emptySession('session-1', '/repo', fields);
}

export type TurnFields = Partial<Omit<Turn, 'settings'>> & { settings?: Partial<Turn['settings']> };

/** A turn at its prompt; world, time and tools of the submission are the turn's own. */
export function turn(fields: TurnFields = {}): Turn {
  const now = fields.now ?? EVENING;
  const seen = fields.world ?? world([]);
  const tools = fields.tools ?? [];
  return {
    session: session(),
    model: null,
    now,
    world: seen,
    tools,
    submission: { startedAt: now, world: seen, model: null, tools },
    agent: { role: 'root' },
    reason: 'prompt',
    ...fields,
    settings: {
      configHome: '/home/ada/.config',
      home: '/home/ada',
      cwd: '/repo',
      flags: { replace: null, append: [] },
      own: {},
      ...fields.settings,
    },
  };
}

export function specsOf(faces: readonly ToolFace[]): ToolSpec[] {
  return faces.map(({ name, description, schema }) => ({ name, description: layoutText(description), schema }));
}

/** What a harness composes where it needs nothing more of the disk. Throws where it does. */
export function composed(harness: Harness, at: Turn): Composition {
  const answer = harness.compose(at);
  if (isNeeds(answer)) throw new RangeError(`more is needed: ${JSON.stringify(answer)}`);
  return answer;
}
