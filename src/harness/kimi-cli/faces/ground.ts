import { isAbsolute, resolve } from 'node:path';
import { type ToolFailure, type Turn, takesImages } from '../../../model/index.ts';

// Longer than paths and patterns are.
const MOST_QUOTED = 1000;

/** What the tools of files know of the machine and the model. Equal grounds give equal tools. */
export type Ground = {
  cwd: string;
  home: string;
  /** Directories that belong to the conversation: the working directory first, then those of the skills it is shown. */
  workspace: readonly string[];
  /** Null: the model is not known yet. */
  pictures: boolean | null;
  /** The file of the plan mode that is on; null: it is not. */
  planFile: string | null;
};

export function groundOf({ world, settings, model, session }: Omit<Turn, 'tools'>): Ground {
  const skills = world.files.filter(({ kind }) => kind.includes('skill')).map(({ directory }) => directory);
  return {
    cwd: world.cwd,
    home: settings.home,
    workspace: [...new Set([world.cwd, ...skills])],
    pictures: model === null ? null : takesImages(model),
    planFile: session.planMode?.on === true ? session.planMode.file : null,
  };
}

/** `~` is the home directory, alone or before a slash. */
export function withoutTilde(path: string, { home }: Ground): string {
  return path === '~' || path.startsWith('~/') ? home + path.slice(1) : path;
}

export function liesIn(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith('/') ? directory : `${directory}/`);
}

/** The absolute path that is meant. What lies outside of the working directory is only reached by its absolute path. */
export function placeOf(given: string, ground: Ground): { path: string } | { error: ToolFailure } {
  if (given.trim() === '') return { error: { code: 'arguments/invalid', message: 'File path cannot be empty.' } };
  const expanded = withoutTilde(given, ground);
  const path = resolve(ground.cwd, expanded);
  if (isAbsolute(expanded) || liesIn(path, ground.cwd)) return { path };
  const message = `${quoted(given)} is not an absolute path. Outside the working directory only absolute paths are taken.`;
  return { error: { code: 'arguments/outside', message } };
}

/** What the model wrote, with an end. */
export function quoted(given: string): string {
  const text = given.length > MOST_QUOTED ? `${given.slice(0, MOST_QUOTED).toWellFormed()}...` : given;
  return `\`${text}\``;
}

/** The path that a failure of the engine is about, or its `field`, quoted. */
export function quotedPath({ data }: ToolFailure, field: 'path' | 'parent' = 'path'): string {
  const path = data?.[field];
  return quoted(typeof path === 'string' ? path : '');
}
