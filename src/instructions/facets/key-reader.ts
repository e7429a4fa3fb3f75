import { type Diagnostic, isRecord, nearest, type Severity } from '../../base/index.ts';
import type { Json } from '../../model/index.ts';
import type { DefinitionWords, RoleKeys } from './definition.ts';
import { shownName } from './definition-name.ts';
import { type DefinitionSource, entriesOf, keyDiagnostic, type ProductSection } from './definition-source.ts';

/** Keys of every role. */
export const ROLE_KEYS: readonly string[] = [
  'model',
  'fallback_models',
  'tools',
  'tools_deny',
  'undeferred_tools',
  'skills_allow',
  'skills_deny',
];

/** Those that take something away: a role without them would be allowed more than was written. */
export const RESTRICTING_KEYS: readonly string[] = ['tools', 'tools_deny', 'skills_allow', 'skills_deny'];

/** Entries of one list or mapping, and characters of one entry. */
export const MAX_ENTRIES = 512;
const MAX_ENTRY = 256;
/** Unknown keys that are told of one by one, and all that is told of one definition's keys. */
export const MAX_UNKNOWN = 16;
const MAX_TOLD = 48;

/**
 * Reads keys one by one and says what is wrong with them. A key that widens nothing is ignored where it is wrong; one
 * that takes something away is an error, since without it the role would be allowed more than was written.
 */
export class KeyReader {
  readonly diagnostics: Diagnostic[] = [];
  readonly #values: ReadonlyMap<string, Json>;
  readonly #source: DefinitionSource;
  readonly #at: readonly string[];
  readonly #words: DefinitionWords;

  constructor(section: ProductSection, source: DefinitionSource, words: DefinitionWords) {
    this.#values = new Map(entriesOf(section.value));
    this.#source = source;
    this.#at = section.key === null ? [] : [section.key];
    this.#words = words;
    const { value } = section;
    if (value !== undefined && value !== null && typeof value !== 'boolean' && !isRecord(value)) {
      this.bad(`${section.key} must be a mapping of keys`, []);
    }
  }

  say(severity: Severity, what: string, message: string, at: readonly string[]): void {
    const isNew = severity === 'error' && !this.diagnostics.some((told) => told.severity === 'error');
    if (this.diagnostics.length >= MAX_TOLD && !isNew) return;
    const code = `${this.#words.many}/${what}`;
    this.diagnostics.push(keyDiagnostic(this.#source, severity, code, message, [...this.#at, ...at]));
  }

  /** The whole definition falls with it. */
  bad(message: string, at: readonly string[]): void {
    this.say('error', 'key-value', `${message}; the ${this.#words.one} is not used`, at);
  }

  wrong(key: string, expected: string, restricts: boolean): void {
    const message = `${key} must be ${expected}`;
    if (restricts) this.bad(message, [key]);
    else this.say('warning', 'key-value', `${message}; it is ignored`, [key]);
  }

  value(key: string): Json | undefined {
    return this.#values.get(key);
  }

  text(key: string): string | null {
    const value = this.value(key);
    if (value === undefined) return null;
    if (typeof value === 'string' && value.trim() !== '') return value;
    this.wrong(key, 'a text', false);
    return null;
  }

  /** `usual`: what holds where it is not there or wrong; never the wider of the two. */
  flag(key: string, usual = false): boolean {
    const value = this.value(key) ?? usual;
    if (typeof value === 'boolean') return value;
    this.wrong(key, 'true or false', false);
    return usual;
  }

  list(key: string, restricts: boolean): readonly string[] | null {
    const value = this.value(key);
    if (value === undefined) return null;
    if (Array.isArray(value) && value.length <= MAX_ENTRIES && value.every(isEntry)) {
      return value.map((entry) => entry.trim());
    }
    this.wrong(key, `a list of at most ${MAX_ENTRIES} names`, restricts);
    return null;
  }

  roleKeys(): RoleKeys {
    return {
      model: this.text('model'),
      fallbackModels: this.list('fallback_models', false) ?? [],
      tools: this.list('tools', true),
      toolsDeny: this.list('tools_deny', true) ?? [],
      undeferredTools: this.list('undeferred_tools', false) ?? [],
      skillsAllow: this.list('skills_allow', true) ?? [],
      skillsDeny: this.list('skills_deny', true) ?? [],
    };
  }

  unknown(name: string, known: readonly string[], at: readonly string[]): void {
    const near = nearest(name, known);
    const hint = near === undefined ? '' : `; did you mean ${near}?`;
    const message = `there is no key ${shownName(name)} for ${this.#words.many}${hint}`;
    if (near !== undefined && RESTRICTING_KEYS.includes(near)) this.bad(message, at);
    else this.say('info', 'unknown-key', message, at);
  }

  unknownKeys(known: readonly string[]): void {
    const names = [...this.#values.keys()].filter((name) => !known.includes(name));
    for (const name of names.slice(0, MAX_UNKNOWN)) this.unknown(name, known, [name]);
    if (names.length > MAX_UNKNOWN) {
      this.say('info', 'unknown-key', `${names.length - MAX_UNKNOWN} more keys are unknown`, []);
    }
  }
}

function isEntry(value: Json): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MAX_ENTRY;
}
