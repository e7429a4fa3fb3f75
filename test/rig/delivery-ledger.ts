import { dirname } from 'node:path';
import { fileOf, levels, sameSet } from './delivery-model.ts';
import {
  CAP,
  editedLine,
  type HarnessName,
  LAST_LINE,
  LINKED,
  type ModelCall,
  START,
  type Step,
  writtenText,
} from './delivery-steps.ts';

/** What of a call the ledger cannot know: whether its tool was offered, and whether it did what it says. */
export type Ran = { offered: boolean; status: 'ok' | 'error' | 'denied' | 'aborted' };

type Context = {
  /** Of the last chain that went out; null: none did. */
  chain: readonly string[] | null;
  /** The text of each file that the model has, as it was then. */
  given: ReadonlyMap<string, string>;
  /** The text of a file that a tool saw or wrote last, whether the model has all of it, whether that look was at a part. */
  seen: ReadonlyMap<string, { text: string; whole: boolean; isPart: boolean }>;
  /** What ever came by a reminder in this session, earlier contexts included. */
  told: ReadonlySet<string>;
  /** What stands in the conversation in the name of the user. */
  said: readonly string[];
  /** What a conversation that was made shorter holds is not foretold. */
  exact: boolean;
};

const NEW: Context = { chain: null, given: new Map(), seen: new Map(), told: new Set(), said: [], exact: true };

/** Marks, tags with a path and lines with a path alone, in their order. */
const SAID = /<instructions path="([^"]+)">|^- (\/.+) \(\d+ bytes\)$|((?:RULE|SKILL)-\d+)/gm;

export function saidIn(text: string): string[] {
  return [...text.matchAll(SAID)].map(
    ([, tag, line, mark]) => tag ?? (line === undefined ? (mark ?? '') : `- ${line}`),
  );
}

/** In the place of a text that was too large. */
const BY_PATH = '- path';

function isLarge(text: string): boolean {
  return text.length > CAP;
}

/** Files as a reminder has them: the bodies, then the paths of those that are too large. */
function shown(files: readonly string[], tree: ReadonlyMap<string, string>): string[] {
  const bodies = files.filter((path) => !isLarge(tree.get(path) ?? ''));
  const large = files.filter((path) => isLarge(tree.get(path) ?? ''));
  // A template that renders has the mark only then.
  const rendered = (path: string): string => (tree.get(path) ?? '').replace('{{ "RULE" }}', 'RULE');
  return [...bodies.flatMap((path) => [path, ...saidIn(rendered(path))]), ...large.map((path) => `- ${path}`)];
}

/**
 * What each request must say of instruction files and skills, foretold from what people and the model did alone, by the
 * rules of delivery: the chain when a turn begins and a file joined or left; a file of a touched directory after the
 * batch, and a linked one, once in a context; edited ones at a reload; nothing else.
 */
export class DeliveryLedger {
  readonly tree: Map<string, string> = new Map();
  /** The text of the skill that is in force. */
  skill = '';
  stack: readonly string[] = [];
  readonly #harness: HarnessName;
  #now: Context = NEW;
  /** At each prompt of the branch, just before it. */
  #prompts: Context[] = [];

  constructor(harness: HarnessName) {
    this.#harness = harness;
  }

  /** How many prompts the branch has. */
  get prompts(): number {
    return this.#prompts.length;
  }

  get exact(): boolean {
    return this.#now.exact;
  }

  /** What each request of the turn says; the first, and one after each batch. */
  turn({ text, batches }: Extract<Step, { type: 'prompt' }>, ran: readonly (readonly Ran[])[]): string[][] {
    this.#startTurn();
    this.#prompts.push(this.#now);
    if (text.includes('@skill:')) this.#say(saidIn(this.skill));
    if (text.includes(`@${LINKED}`)) this.#link();
    const requests = [[...this.#now.said]];
    for (const [index, calls] of batches.entries()) {
      this.#batch(calls, ran[index] ?? []);
      requests.push([...this.#now.said]);
    }
    return requests;
  }

  clear(): void {
    const { told, exact } = this.#now;
    this.#now = { ...NEW, told, exact };
  }

  compact(): void {
    this.#now = { ...this.#now, exact: false };
  }

  rewind(index: number): void {
    this.#now = this.#prompts[index] ?? NEW;
    this.#prompts = this.#prompts.slice(0, index);
  }

  /** Instruction files that the model has and that say something else now; in rein only. */
  reload(): void {
    if (this.#harness !== 'rein') return;
    const stale = [...this.#now.given.keys()].filter((path) => this.#isStale(path));
    this.#say(shown(stale, this.tree));
    this.#give(stale);
  }

  #isStale(path: string): boolean {
    const { given, seen, told } = this.#now;
    const text = this.tree.get(path);
    const isInstructions = told.has(path) || /(?:AGENTS|CLAUDE|GEMINI)\.md$/.test(path);
    if (text === undefined || !isInstructions || text === given.get(path)) return false;
    const last = seen.get(path);
    // Of a large file the model would get the path alone, which it has if it had to do with it.
    if (isLarge(text)) return given.get(path) !== BY_PATH && last?.text !== text;
    return last?.whole !== true || last.text !== text;
  }

  #startTurn(): void {
    const places = [...new Set([`/u/.config/${this.#harness}`, ...levels(START, '/'), ...this.stack])];
    const chain = places.flatMap((at) => fileOf(at, this.tree) ?? []);
    const before = this.#now.chain;
    if (before !== null && sameSet(new Set(before), new Set(chain))) return;
    this.#say(shown(chain, this.tree));
    this.#now = { ...this.#now, chain };
    // A path in the chain stands for no text.
    this.#give(chain.filter((path) => !isLarge(this.tree.get(path) ?? '')));
    this.#linksOf(chain);
  }

  #batch(calls: readonly ModelCall[], ran: readonly Ran[]): void {
    const directories = new Set<string>();
    for (const [index, call] of calls.entries()) {
      const { offered, status } = ran[index] ?? { offered: false, status: 'aborted' };
      const path = 'read' in call ? call.read : 'write' in call ? call.write : 'edit' in call ? call.edit : null;
      if (path === null || !offered || status === 'denied' || status === 'aborted') continue;
      if (status === 'ok') this.#worked(path, call);
      for (const at of levels(dirname(path), '/r').slice(1)) directories.add(at);
    }
    const around = new Set([...levels(START, '/'), ...this.stack]);
    const found = [...directories]
      .filter((at) => !around.has(at))
      .sort((left, right) => left.split('/').length - right.split('/').length || (left < right ? -1 : 1))
      .flatMap((at) => fileOf(at, this.tree) ?? [])
      .filter((path) => !this.#now.given.has(path) && this.#now.chain?.includes(path) !== true);
    for (const path of found) this.#say(shown([path], this.tree));
    this.#give(found);
    this.#linksOf(found);
  }

  #worked(path: string, call: ModelCall): void {
    const before = this.tree.get(path);
    const seen = new Map(this.#now.seen);
    if ('write' in call) this.tree.set(path, writtenText(call.id));
    if ('edit' in call) this.tree.set(path, (before ?? '').replace(LAST_LINE, editedLine(call.id)));
    const text = this.tree.get(path);
    if (text === undefined) return;
    const last = seen.get(path);
    const isPart = 'read' in call && call.part;
    // A part of what was known as a whole takes nothing back. An edit is known where no look at a part came before it:
    // else the file goes out at a reload once more than it must.
    const isKnown = last?.whole === true && (isPart ? last.text === text : 'edit' in call && !last.isPart);
    const isWhole = isKnown || 'write' in call || ('read' in call && !call.part);
    seen.set(path, { text, whole: isWhole, isPart });
    this.#now = { ...this.#now, seen };
    if ('read' in call && !call.part) this.#now = { ...this.#now, given: new Map(this.#now.given).set(path, text) };
  }

  /** What those files, or the person, link to. */
  #linksOf(files: readonly string[]): void {
    const texts = files.map((path) => this.tree.get(path) ?? '').filter((text) => !isLarge(text));
    if (texts.some((text) => text.includes(`@${LINKED}`))) this.#link();
  }

  #link(): void {
    if (!this.tree.has(LINKED) || this.#now.given.has(LINKED)) return;
    this.#say(shown([LINKED], this.tree));
    this.#give([LINKED]);
  }

  #say(items: readonly string[]): void {
    this.#now = { ...this.#now, said: [...this.#now.said, ...items] };
  }

  #give(files: readonly string[]): void {
    const given = new Map(this.#now.given);
    for (const path of files) {
      const text = this.tree.get(path) ?? '';
      given.set(path, isLarge(text) ? BY_PATH : text);
    }
    this.#now = { ...this.#now, given, told: new Set([...this.#now.told, ...files]) };
  }
}
