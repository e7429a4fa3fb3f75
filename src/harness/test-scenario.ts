import { sha256 } from '../base/index.ts';
import { layoutText } from '../instructions/index.ts';
import type { FoundFile, SessionState, ToolSpec, Turn, World } from '../model/index.ts';
import type { ToolFace } from '../tools/contract/index.ts';

/** 2026-11-30, 21:04:05.123456 in a zone two hours east. */
export const EVENING: Turn['now'] = { epochMs: Date.UTC(2026, 10, 30, 19, 4, 5, 123), micros: 456, offsetMinutes: 120 };

export function found(kind: string, path: string, text: string, fields: Partial<FoundFile> = {}): FoundFile {
  const slash = path.lastIndexOf('/');
  return {
    kind,
    directory: path.slice(0, slash) || '/',
    name: path.slice(slash + 1),
    path,
    realPath: path,
    scope: 'project',
    text,
    sha256: sha256(text),
    size: Buffer.byteLength(text),
    mtimeMs: 0,
    encoding: 'utf-8',
    status: 'read',
    droppedBytes: 0,
    ...fields,
  };
}

export function world(files: readonly FoundFile[], fields: Partial<World> = {}): World {
  return {
    files,
    searched: [],
    diagnostics: [],
    projectRoot: '/work',
    cwd: '/work',
    stack: ['/work'],
    platform: { os: 'linux', shell: '/bin/bash', home: '/home/ada' },
    git: { root: '/work', kind: 'directory' },
    ...fields,
  };
}

export function session(fields: Partial<SessionState> = {}): SessionState {
  return {
    id: 'session-1',
    header: {
      type: 'session',
      version: 1,
      program: 'rein test',
      id: 'session-1',
      time: '2026-11-30T21:04:05+02:00',
      cwd: '/work',
      projectRoot: '/work',
      kind: 'main',
      spawnedBy: null,
      forkedFrom: null,
    },
    leaf: null,
    history: [],
    choices: { harness: null, wire: null, model: null, effort: null, facet: null, 'permission-mode': null },
    pins: {},
    narrowing: { allow: null, deny: [] },
    directories: ['/work'],
    todos: [],
    plan: null,
    planMode: null,
    delivery: { chain: null, files: {}, keys: [] },
    observed: {},
    usage: {
      last: null,
      total: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
      requests: 0,
    },
    ...fields,
  };
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
      cwd: '/work',
      flags: { replace: null, append: [] },
      own: {},
      ...fields.settings,
    },
  };
}

export function specsOf(faces: readonly ToolFace[]): ToolSpec[] {
  return faces.map(({ name, description, schema }) => ({ name, description: layoutText(description), schema }));
}
