import { dirname } from 'node:path';
import type { Event, FileObservation } from '../../src/model/index.ts';

/** A text that stands in no other file and no other version of the file. */
export const RULE: RegExp = /RULE-\d+/g;

const NAMES = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'];

/** The instruction file of a directory: the first that says anything. */
export function fileOf(directory: string, tree: ReadonlyMap<string, string>): string | null {
  const at = directory === '/' ? '' : directory;
  return NAMES.map((name) => `${at}/${name}`).find((path) => tree.has(path)) ?? null;
}

/** Directories above and including this one, the outermost first, as far as `top`. */
export function levels(directory: string, top: string): string[] {
  const found: string[] = [];
  for (let at = directory; ; at = dirname(at)) {
    found.unshift(at);
    if (at === top || at === '/') return found;
  }
}

/** One reminder as the log has it: the files that it gives, members of the chain too large for that, those left out. */
export type Delivered = {
  event: string;
  reason: string;
  files: readonly { path: string; rules: readonly string[] }[];
  large: readonly string[];
  omitted: readonly string[];
};

/**
 * What a context was given, as the rules for it say, worked out from its events alone. `fault`: the first delivery that
 * no rule allows.
 */
export class DeliveryModel {
  /** Of the last chain reminder; null: none went out in this context. */
  chain: ReadonlySet<string> | null = null;
  /** Every file the model has in this context, with the rules that were in it last. */
  readonly seen: Map<string, string> = new Map();
  /** Files that came by their paths alone when the context began. */
  readonly named: Set<string> = new Set();
  fault: string | null = null;

  readonly #deliveredBy: (event: Event) => Delivered | null;

  constructor(branch: readonly Event[], deliveredBy: (event: Event) => Delivered | null) {
    this.#deliveredBy = deliveredBy;
    const start = branch.findLastIndex(({ type }) => type === 'clear' || type === 'compaction');
    for (const event of branch.slice(start + 1)) this.#take(event);
  }

  #take(event: Event): void {
    if (event.type === 'tool-result' && event.status === 'ok') this.#read(event.observed);
    const delivered = this.#deliveredBy(event);
    if (delivered === null) return;
    for (const path of delivered.omitted) this.named.add(path);
    const paths = delivered.files.map(({ path }) => path);
    if (new Set(paths).size !== paths.length) this.#refuse(delivered, 'names a file twice');
    switch (delivered.reason) {
      case 'chain':
        this.#takeChain(delivered, new Set([...paths, ...delivered.large]));
        break;
      case 'reload':
        for (const { path, rules } of delivered.files) {
          if (!this.seen.has(path)) this.#refuse(delivered, `supersedes ${path}, which was not sent`);
          if (this.seen.get(path) === rules.join()) this.#refuse(delivered, `sends ${path} again unchanged`);
        }
        break;
      default:
        for (const path of paths) if (this.seen.has(path)) this.#refuse(delivered, `sends ${path} again`);
    }
    for (const { path, rules } of delivered.files) this.seen.set(path, rules.join());
  }

  #takeChain(delivered: Delivered, members: ReadonlySet<string>): void {
    if (this.chain !== null && sameSet(this.chain, members)) this.#refuse(delivered, 'repeats the chain');
    this.chain = members;
  }

  #read(observed: readonly FileObservation[]): void {
    for (const { path, how, complete } of observed) {
      if (how === 'read' && complete && path.endsWith('.md') && !this.seen.has(path)) this.seen.set(path, 'read');
    }
  }

  #refuse({ event, reason }: Delivered, why: string): void {
    this.fault ??= `${event} (${reason}) ${why}`;
  }
}

export function sameSet(one: ReadonlySet<string>, two: ReadonlySet<string>): boolean {
  return one.size === two.size && [...one].every((item) => two.has(item));
}
