import { join } from 'node:path';
import type { FoundFile, SourceQuery, World } from '../../model/index.ts';
import { isWithin, type ReferenceRules, type Referrer, reachOf, referenceQuery, targetsOf } from './reference-rules.ts';

/** What a reference names. `barred`: it leads where the referring text may not. */
export type Answer =
  | { type: 'file'; file: FoundFile }
  | { type: 'barred'; target: string }
  | { type: 'missing' }
  /** The disk has to be asked first. */
  | { type: 'unknown' };

type AskFields = Parameters<typeof referenceQuery>[3];

/** The files of one kind that references name, as far as they were looked for; collects what is still to be asked. */
export class ReferenceAnswers {
  readonly queries: SourceQuery[] = [];
  readonly #found = new Map<string, FoundFile>();
  readonly #asked = new Set<string>();
  readonly #wanted = new Set<string>();
  readonly #rules: ReferenceRules;
  readonly #fields: AskFields;

  constructor(world: Pick<World, 'files' | 'searched'>, rules: ReferenceRules, fields: AskFields) {
    this.#rules = rules;
    this.#fields = fields;
    for (const file of world.files) if (file.kind === fields.kind) this.#found.set(file.path, file);
    for (const { kind, directory, looked } of world.searched) {
      if (kind === fields.kind) for (const name of looked) this.#asked.add(join(directory, name));
    }
  }

  find(path: string, referrer: Referrer): Answer {
    const { allowed, barred } = targetsOf(path, referrer, this.#rules);
    const unknown = allowed.filter((target) => !this.#asked.has(target) && !this.#found.has(target));
    if (unknown.length > 0) {
      for (const target of unknown) this.#ask(target, referrer);
      return { type: 'unknown' };
    }
    // Judged again by where it really lies: it may have been found for somebody who may go further.
    const reach = reachOf(referrer, this.#rules);
    const files = allowed.flatMap((target) => this.#found.get(target) ?? []);
    const file = files.find(({ realPath }) => isWithin(reach, realPath));
    if (file !== undefined) return { type: 'file', file };
    const target = files[0]?.realPath ?? barred;
    return target === null || target === undefined ? { type: 'missing' } : { type: 'barred', target };
  }

  /** The file, where it was found for whatever reason before; asks for nothing. */
  known(path: string, referrer: Referrer): FoundFile | null {
    const { allowed } = targetsOf(path, referrer, this.#rules);
    return allowed.flatMap((target) => this.#found.get(target) ?? [])[0] ?? null;
  }

  #ask(target: string, referrer: Referrer): void {
    if (this.#wanted.has(target)) return;
    this.#wanted.add(target);
    this.queries.push(referenceQuery(target, referrer, this.#rules, this.#fields));
  }
}
