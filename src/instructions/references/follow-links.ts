import { dirname } from 'node:path';
import { type Diagnostic, isBlank } from '../../base/index.ts';
import type { FoundFile, SourceQuery, World } from '../../model/index.ts';
import { linksInCircle, missingReference, needsTrust, tooDeep, tooMany } from './link-diagnostics.ts';
import { LinkGraph, type LinkPlace } from './link-graph.ts';
import { ReferenceAnswers } from './reference-answers.ts';
import type { ReferenceRules, ReferrerScope } from './reference-rules.ts';
import { type Reference, scanReferences } from './scan-references.ts';
import { isTextFile } from './text-file.ts';

/** A text whose links are followed. `path`: real; null: a prompt. `line`: the file's line that it begins at, from 1. */
export type LinkContainer = {
  text: string;
  path: string | null;
  directory: string;
  scope: ReferrerScope;
  line?: number;
};

/** `referrers`: by a linked file's real path, the real path of the file that refers to it; null: a prompt does. */
export type FollowedLinks = {
  links: FoundFile[];
  referrers: Readonly<Record<string, string | null>>;
  diagnostics: Diagnostic[];
};

/** A file so many links away from its container is still followed. */
const MAX_DEPTH = 5;
/** Files that are found. */
const MAX_LINKS = 64;
/** References that are looked at, whether or not there are such files. */
const MAX_REFERENCES = 256;

type Level = readonly LinkContainer[];

/** The walk over one set of containers, breadth first. */
class LinkWalk {
  readonly answers: ReferenceAnswers;
  readonly links: FoundFile[] = [];
  readonly referrers: Record<string, string | null> = {};
  readonly diagnostics: Diagnostic[] = [];
  readonly #containers: ReadonlySet<string>;
  /** Given without any link: the chain, and the containers. */
  readonly #given: ReadonlySet<string>;
  readonly #reached = new Set<string>();
  readonly #told = new Set<string>();
  readonly #graph = new LinkGraph();
  /** From which directory, and what. */
  readonly #references = new Set<string>();
  #isFull = false;

  constructor(containers: Level, world: Pick<World, 'files' | 'searched'>, rules: ReferenceRules) {
    this.answers = new ReferenceAnswers(world, rules, {
      kind: 'linked-file',
      cap: rules.cap,
      overCap: 'path-only',
      refresh: 'request',
      frontMatter: true,
    });
    const chain = world.files.filter(({ kind }) => kind === 'context-file').map(({ realPath }) => realPath);
    this.#containers = new Set(containers.flatMap(({ path }) => path ?? []));
    this.#given = new Set([...this.#containers, ...chain]);
  }

  /** Follows the links of one level; the next one. */
  follow(level: Level, depth: number): LinkContainer[] {
    const next: LinkContainer[] = [];
    for (const container of level) {
      for (const reference of linksIn(container)) {
        if (this.#isFull) return next;
        const file = this.#followOne(container, reference, depth);
        if (file !== null) next.push(containerOf(file));
      }
    }
    return next;
  }

  finish(): void {
    for (const { to, place } of this.#graph.closing()) this.diagnostics.push(linksInCircle(to, place));
  }

  /** The file, where it is followed further. */
  #followOne(container: LinkContainer, reference: Reference, depth: number): FoundFile | null {
    const place = placeOf(container, reference);
    if (depth > MAX_DEPTH) return this.#refuseDeep(container, reference, place);
    this.#references.add(`${container.directory}\0${reference.path}`);
    if (this.#references.size > MAX_REFERENCES) return this.#stop(tooMany(reference.path, place, MAX_REFERENCES));
    const answer = this.answers.find(reference.path, container);
    switch (answer.type) {
      case 'file':
        return this.#reach(container, answer.file, reference, place);
      case 'barred':
        this.#tellOnce(`barred ${answer.target}`, needsTrust(reference.path, answer.target, place));
        return null;
      case 'missing':
        if (container.path !== null) {
          this.#tellOnce(
            `missing ${container.path} ${reference.path}`,
            missingReference('warning', reference.path, place),
          );
        }
        return null;
      default:
        return null;
    }
  }

  /** A file that was reached on a shorter way may be referred to from anywhere. */
  #refuseDeep(container: LinkContainer, reference: Reference, place: LinkPlace): null {
    const file = this.answers.known(reference.path, container);
    if (file !== null && (this.#given.has(file.realPath) || this.#reached.has(file.realPath))) {
      this.#reach(container, file, reference, place);
    } else this.#tellOnce('too-deep', tooDeep(reference.path, place, MAX_DEPTH));
    return null;
  }

  #reach(container: LinkContainer, file: FoundFile, { path }: Reference, place: LinkPlace): FoundFile | null {
    const target = file.realPath;
    const between = container.path !== null && this.#containers.has(container.path) && this.#containers.has(target);
    if (container.path !== null && !between) this.#graph.add(container.path, target, place);
    if (this.#given.has(target) || this.#reached.has(target)) return null;
    if (this.#reached.size >= MAX_LINKS) return this.#stop(tooMany(path, place, MAX_LINKS));
    this.#reached.add(target);
    // A file without text has nothing to say, and is there all the same.
    if (file.status !== 'path-only' && isBlank(file.text)) return null;
    this.links.push(file);
    this.referrers[target] = container.path;
    return file;
  }

  #stop(diagnostic: Diagnostic): null {
    this.#isFull = true;
    this.diagnostics.push(diagnostic);
    return null;
  }

  #tellOnce(key: string, diagnostic: Diagnostic): void {
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.diagnostics.push(diagnostic);
  }
}

function linksIn({ text }: LinkContainer): Reference[] {
  return scanReferences(text).filter(({ path }) => isTextFile(path));
}

function containerOf({ text, realPath, scope }: FoundFile): LinkContainer {
  return { text, path: realPath, directory: dirname(realPath), scope };
}

function placeOf({ path, line = 1 }: LinkContainer, reference: Reference): LinkPlace {
  return { path, line: reference.line + line - 1, column: reference.column };
}

/**
 * The files that these texts link to by `@path`, and those that these link to, breadth first: texts in their order,
 * links as they stand in them (seed 004). Only files of prose, so that `@src/a.ts` in a prompt stays
 * what it is. Each file once; not those of the chain, nor the containers. `queries`: what the disk has to be asked
 * before that can be told; the answer is known from `files` and `searched`.
 */
export function followLinks(
  containers: Level,
  world: Pick<World, 'files' | 'searched'>,
  rules: ReferenceRules,
): FollowedLinks | { queries: readonly SourceQuery[] } {
  const walk = new LinkWalk(containers, world, rules);
  let level: Level = containers;
  for (let depth = 1; level.length > 0; depth += 1) {
    level = walk.follow(level, depth);
    if (walk.answers.queries.length > 0) return { queries: walk.answers.queries };
  }
  walk.finish();
  const { links, referrers, diagnostics } = walk;
  return { links, referrers, diagnostics };
}
