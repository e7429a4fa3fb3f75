import type { FilePort } from '../host/index.ts';
import type { Effect, Subject } from '../model/index.ts';
import { isInside, realLocation } from './real-location.ts';

/** `why` is a sentence for the model. */
export type Verdict = { verdict: 'allow' } | { verdict: 'deny' | 'ask'; why: string };

export type PermissionRequest = {
  mode: string;
  effect: Effect;
  subjects: readonly Subject[];
  /** The working directory: files are read and written below it only. */
  cwd: string;
};

export type PermissionOptions = {
  files: FilePort;
  /** Directories outside the working directory that may be read: where this session keeps its large results. */
  readRoots: readonly string[];
};

export interface Permissions {
  judge(request: PermissionRequest): Promise<Verdict>;
}

const ALLOW: Verdict = { verdict: 'allow' };

const ACTS: Readonly<Record<Effect, string>> = {
  none: 'this',
  read: 'reading files',
  write: 'changing files',
  execute: 'running commands',
  network: 'using the network',
};

/**
 * Judges a call by what it touches. Places are compared by real path, so a link that leads out of the working
 * directory counts as outside, and one that stays inside does not. That holds in every mode. What a command touches
 * is not known before it runs: it is allowed or not as a whole.
 */
export function createPermissions({ files, readRoots }: PermissionOptions): Permissions {
  const roots = new Map<string, Promise<string | null>>();
  const realRoot = (path: string): Promise<string | null> => {
    const known = roots.get(path) ?? realLocation(files, path);
    roots.set(path, known);
    return known;
  };

  async function judgePath(subject: Extract<Subject, { type: 'path' }>, cwd: string): Promise<Verdict> {
    const real = await realLocation(files, subject.path);
    if (real === null) return deny(`It cannot be told where ${subject.path} leads, so it is not allowed.`);
    const allowed = [cwd, ...(subject.access === 'read' ? readRoots : [])];
    for (const root of allowed) {
      const realDirectory = await realRoot(root);
      if (realDirectory !== null && isInside(real, realDirectory)) return ALLOW;
    }
    const leads = real === subject.path ? '' : ` (it leads to ${real})`;
    return deny(`${subject.path}${leads} is outside the working directory ${cwd}, where no file may be touched.`);
  }

  return {
    async judge({ mode, effect, subjects, cwd }) {
      if (mode !== 'yolo' && mode !== 'read-only') return deny(`The permission mode ${mode} is not in this version.`);
      if (mode === 'read-only' && effect !== 'none' && effect !== 'read') return deny(readOnly(effect));
      for (const subject of subjects) {
        const verdict = subject.type === 'path' ? await judgePath(subject, cwd) : ALLOW;
        if (verdict.verdict !== 'allow') return verdict;
        if (mode === 'read-only' && !isReadOnly(subject)) return deny(readOnly(effectOf(subject)));
      }
      return ALLOW;
    },
  };
}

function deny(why: string): Verdict {
  return { verdict: 'deny', why };
}

/** A tool may say less of its effect than its subjects show: the stricter of the two holds. */
function isReadOnly(subject: Subject): boolean {
  return subject.type === 'path' && subject.access === 'read';
}

function effectOf(subject: Subject): Effect {
  if (subject.type === 'path') return subject.access;
  return subject.type === 'command' ? 'execute' : 'network';
}

function readOnly(effect: Effect): string {
  return `This session is read-only: ${ACTS[effect]} is not allowed. The user can allow it with --permission-mode yolo.`;
}
