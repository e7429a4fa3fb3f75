import { join, resolve } from 'node:path';
import type { Scope, SourceQuery } from '../../model/index.ts';
import { fileQuery } from '../file-query.ts';

/** Where references may lead. Directories are absolute; `project` and a container's own are real paths. */
export type ReferenceRules = {
  /** The project root; outside a repository where the session began. */
  project: string;
  home: string;
  /** Of the user's own texts: `~/.config/rein`. */
  userDirectory: string;
  /** A person trusts this project: its files may lead out of it. */
  trusted: boolean;
  /** Largest linked file whose text is sent, bytes. */
  cap: number;
};

/** Who refers: a file of this scope, or a person in a prompt. */
export type ReferrerScope = Scope | 'prompt';

/** What a text refers from. `directory`: that of the file; of a prompt the working directory. */
export type Referrer = { directory: string; scope: ReferrerScope };

export function isBelow(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory.endsWith('/') ? directory : `${directory}/`);
}

/**
 * The directories that the files referred to must lie in; null: anywhere. A person may name any file, and so may a
 * project that is trusted. A file of the user's leads into the project, the user's directory and home; a file above
 * the project, or of a directory the person entered, into the project and below its own directory; the project's own
 * files into the project.
 */
export function reachOf({ directory, scope }: Referrer, rules: ReferenceRules): readonly string[] | null {
  if (scope === 'prompt' || rules.trusted) return null;
  const { project, home, userDirectory } = rules;
  if (scope === 'user') return [project, directory, userDirectory, home];
  return scope === 'ancestor' || scope === 'extra' ? [project, directory] : [project];
}

export function isWithin(reach: readonly string[] | null, path: string): boolean {
  return reach === null || reach.some((directory) => isBelow(directory, path));
}

/**
 * The paths that a reference may mean, the likeliest first: from the referring file's directory, then from the project
 * root. `barred`: one that lies where the referring text may not lead.
 */
export function targetsOf(
  path: string,
  referrer: Referrer,
  rules: ReferenceRules,
): { allowed: readonly string[]; barred: string | null } {
  const reach = reachOf(referrer, rules);
  const atHome = path.startsWith('~/');
  const mayBeAtHome = referrer.scope === 'user' || referrer.scope === 'prompt' || rules.trusted;
  const meant = atHome
    ? [join(rules.home, path.slice(2))]
    : [...new Set([resolve(referrer.directory, path), resolve(rules.project, path)])];
  if (atHome && !mayBeAtHome) return { allowed: [], barred: meant[0] ?? null };
  return {
    allowed: meant.filter((target) => isWithin(reach, target)),
    barred: meant.find((target) => !isWithin(reach, target)) ?? null,
  };
}

/** What a file that is referred to may refer to in its turn. */
function scopeOf(target: string, referrer: ReferrerScope, rules: ReferenceRules): Scope {
  if (isBelow(rules.project, target)) return 'project';
  return referrer === 'user' || isBelow(rules.userDirectory, target) ? 'user' : 'extra';
}

/** Asks for one file that is referred to. `name`: how `World.searched` tells that it was asked for. */
export function referenceQuery(
  target: string,
  referrer: Referrer,
  rules: ReferenceRules,
  fields: Pick<SourceQuery, 'kind' | 'cap' | 'overCap' | 'refresh'> & { frontMatter?: true },
): SourceQuery {
  const within = reachOf(referrer, rules);
  const names = [target.slice(target.lastIndexOf('/') + 1)];
  const more = { names, ...(within === null ? {} : { within }), ...fields };
  return fileQuery(fields.kind, target, more, scopeOf(target, referrer.scope, rules));
}
