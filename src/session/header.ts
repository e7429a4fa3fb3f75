import { isRecord, parseJson } from '../base/index.ts';
import type { Header } from '../model/index.ts';
import { SessionError } from './session-error.ts';

/** The only version of the format there is. */
const VERSION = 1;

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function spawned(value: unknown): Header['spawnedBy'] {
  if (!isRecord(value)) return null;
  const { session, run, agent } = value;
  if (typeof session !== 'string' || typeof run !== 'string') return null;
  return { session, run, agent: textOrNull(agent) ?? '' };
}

function forked(value: unknown): Header['forkedFrom'] {
  if (!isRecord(value)) return null;
  const { session, event } = value;
  return typeof session === 'string' && typeof event === 'string' ? { session, event } : null;
}

/**
 * The first line of a session's file. What is missing beside id, time and directory is taken as null. Throws
 * SessionError session/damaged where it is none or names another session, session/newer-version.
 */
export function readHeader(text: string, path: string, expectedId: string): Header {
  const line = parseJson(text);
  if (!isRecord(line) || line.type !== 'session') {
    throw new SessionError('session/damaged', `${path} does not begin with a session's header: it cannot be read`, {
      data: { path },
    });
  }
  const { version, id, time, cwd, program } = line;
  if (typeof version === 'number' && version > VERSION) {
    throw new SessionError(
      'session/newer-version',
      `${path} was written by a newer program (format ${version}, this one reads ${VERSION}): update to open it`,
      { data: { path, version } },
    );
  }
  if (version !== VERSION || typeof time !== 'string' || typeof cwd !== 'string' || id !== expectedId) {
    throw new SessionError('session/damaged', `the header of ${path} is damaged: it cannot be read`, {
      data: { path },
    });
  }
  return {
    type: 'session',
    version: VERSION,
    program: textOrNull(program) ?? '',
    id: expectedId,
    time,
    cwd,
    projectRoot: textOrNull(line.projectRoot),
    kind: line.kind === 'subagent' ? 'subagent' : 'main',
    spawnedBy: spawned(line.spawnedBy),
    forkedFrom: forked(line.forkedFrom),
  };
}
