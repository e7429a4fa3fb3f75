import { compareCodePoints } from '../base/index.ts';
import type { FilePort } from '../host/index.ts';
import { SessionError } from './session-error.ts';
import { allFiles, fileOf, filesIn, isSessionId, type StoredFile, sessionsOf } from './session-places.ts';
import type { SessionSummary } from './session-store.ts';
import { summarise } from './summarise.ts';

const MAX_CANDIDATES = 10;

/** Finds stored sessions, by names, times and the ends of their files. Throws FileError where it may not look. */
export class SessionCatalogue {
  readonly #directory: string;
  readonly #files: FilePort;

  constructor(directory: string, files: FilePort) {
    this.#directory = directory;
    this.#files = files;
  }

  /** Throws SessionError session/not-found. */
  async find(id: string): Promise<StoredFile> {
    const file = isSessionId(id) ? await fileOf(id, this.#directory, this.#files) : null;
    if (file === null) throw notFound(id);
    return file;
  }

  async summary(id: string): Promise<SessionSummary> {
    const file = await this.find(id);
    const summary = await summarise(file, this.#files);
    if (summary !== null) return summary;
    throw new SessionError('session/damaged', `${file.path} is no readable session`, { data: { path: file.path } });
  }

  async resolve(prefix: string, cwd: string | null): Promise<string> {
    if (!isSessionId(prefix)) throw notFound(prefix);
    const near = cwd === null ? [] : matching(prefix, await this.#filesOf(cwd));
    const found = near.length > 0 ? near : matching(prefix, await allFiles(this.#directory, this.#files));
    const [first] = found;
    if (first === undefined) throw notFound(prefix);
    if (found.length === 1) return first;
    const candidates = found.slice(0, MAX_CANDIDATES);
    const more = found.length > candidates.length ? ', …' : '';
    throw new SessionError(
      'session/ambiguous',
      `${found.length} sessions begin with ${prefix}: ${candidates.join(', ')}${more}`,
      { data: { prefix, candidates, count: found.length } },
    );
  }

  async newest(cwd: string): Promise<SessionSummary | null> {
    const times: { file: StoredFile; modifiedMs: number }[] = [];
    for (const file of await this.#filesOf(cwd)) {
      const facts = await this.#files.stat(file.path);
      if (facts !== null) times.push({ file, modifiedMs: facts.mtimeMs });
    }
    times.sort((left, right) => byTime(left.modifiedMs, left.file.id, right.modifiedMs, right.file.id));
    for (const { file } of times) {
      const summary = await summarise(file, this.#files);
      if (summary?.kind === 'main' && (await this.#isOf(summary, cwd))) return summary;
    }
    return null;
  }

  async list(cwd: string | null): Promise<SessionSummary[]> {
    const found: SessionSummary[] = [];
    const files = cwd === null ? await allFiles(this.#directory, this.#files) : await this.#filesOf(cwd);
    for (const file of files) {
      const summary = await summarise(file, this.#files);
      if (summary !== null && (cwd === null || (await this.#isOf(summary, cwd)))) found.push(summary);
    }
    return found.sort((left, right) => byTime(left.modifiedMs, left.id, right.modifiedMs, right.id));
  }

  async #filesOf(cwd: string): Promise<StoredFile[]> {
    return filesIn(await sessionsOf(cwd, this.#directory, this.#files), this.#files);
  }

  /** A file may have been moved between directories: what it records counts. */
  async #isOf(summary: SessionSummary, cwd: string): Promise<boolean> {
    return (await this.#realPath(summary.cwd)) === (await this.#realPath(cwd));
  }

  async #realPath(path: string): Promise<string> {
    return (await this.#files.realPath(path)) ?? path;
  }
}

/** Last written first; of one moment the one begun last first. */
function byTime(leftMs: number, leftId: string, rightMs: number, rightId: string): number {
  return rightMs - leftMs || compareCodePoints(rightId, leftId);
}

/** A whole id is meant, even where a longer one begins with it. */
function matching(prefix: string, files: readonly StoredFile[]): string[] {
  const ids = [...new Set(files.map(({ id }) => id))];
  return ids.includes(prefix) ? [prefix] : ids.filter((id) => id.startsWith(prefix));
}

function notFound(name: string): SessionError {
  return new SessionError('session/not-found', `there is no session ${JSON.stringify(name.slice(0, 80))}`, {
    data: { session: name },
  });
}
