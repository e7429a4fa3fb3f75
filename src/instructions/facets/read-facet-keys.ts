import { type Diagnostic, isRecord, nearest, type Severity } from '../../base/index.ts';
import type { Json } from '../../model/index.ts';
import { descriptionLine, shownName } from './definition-name.ts';
import { type DefinitionSource, entriesOf, keyDiagnostic, type ProductSection } from './definition-source.ts';
import type { FacetKeys, FacetTransition } from './facet.ts';

export const FACET_KEYS: readonly string[] = [
  'model',
  'fallback_models',
  'tools',
  'tools_deny',
  'undeferred_tools',
  'skills_allow',
  'skills_deny',
  'facet_transitions',
  'autonomous_hint',
  'compaction_hint',
  'color',
  'color_light',
  'color_dark',
];

/** Entries of one list or mapping, and characters of one entry. */
const MAX_ENTRIES = 512;
const MAX_ENTRY = 256;
/** Unknown keys that are told of one by one, and all that is told of one facet's keys. */
const MAX_UNKNOWN = 16;
const MAX_TOLD = 48;
const COLOUR = /^#[0-9a-f]{6}$/i;
const TRANSITION_KEYS: readonly string[] = ['allowed', 'condition'];

/**
 * Reads keys one by one and says what is wrong with them. A key that widens nothing is ignored where it is wrong; one
 * that takes something away is an error, since without it the facet would be allowed more than was written.
 */
class KeyReader {
  readonly diagnostics: Diagnostic[] = [];
  readonly #values: ReadonlyMap<string, Json>;
  readonly #source: DefinitionSource;
  readonly #at: readonly string[];

  constructor(section: ProductSection, source: DefinitionSource) {
    this.#values = new Map(entriesOf(section.value));
    this.#source = source;
    this.#at = section.key === null ? [] : [section.key];
  }

  say(severity: Severity, code: string, message: string, at: readonly string[]): void {
    const isNew = severity === 'error' && !this.diagnostics.some((told) => told.severity === 'error');
    if (this.diagnostics.length >= MAX_TOLD && !isNew) return;
    this.diagnostics.push(keyDiagnostic(this.#source, severity, code, message, [...this.#at, ...at]));
  }

  wrong(key: string, expected: string, restricts: boolean): void {
    const end = restricts ? 'the facet is not used' : 'it is ignored';
    this.say(restricts ? 'error' : 'warning', 'facets/key-value', `${key} must be ${expected}; ${end}`, [key]);
  }

  text(key: string): string | null {
    const value = this.#values.get(key);
    if (value === undefined) return null;
    if (typeof value === 'string' && value.trim() !== '') return value;
    this.wrong(key, 'a text', false);
    return null;
  }

  colour(key: string): string | null {
    const value = this.#values.get(key);
    if (value === undefined) return null;
    if (typeof value === 'string' && COLOUR.test(value)) return value.toLowerCase();
    this.wrong(key, 'a colour such as "#1e90ff", in quotes', false);
    return null;
  }

  list(key: string, restricts: boolean): readonly string[] | null {
    const value = this.#values.get(key);
    if (value === undefined) return null;
    if (Array.isArray(value) && value.length <= MAX_ENTRIES && value.every(isEntry)) {
      return value.map((entry) => entry.trim());
    }
    this.wrong(key, `a list of at most ${MAX_ENTRIES} names`, restricts);
    return null;
  }

  transitions(key: string): Readonly<Record<string, FacetTransition>> | null {
    const value = this.#values.get(key);
    if (value === undefined) return null;
    const entries = entriesOf(value);
    if (!isRecord(value) || entries.length > MAX_ENTRIES) {
      this.wrong(key, 'a mapping from facets to `allowed` and `condition`', true);
      return null;
    }
    return Object.fromEntries(entries.map(([to, rules]) => [to, this.#transition(key, to, rules)]));
  }

  #transition(key: string, to: string, rules: Json): FacetTransition {
    const { allowed = true, condition = null } = isRecord(rules) ? rules : {};
    const isWhole = typeof allowed === 'boolean' && (condition === null || typeof condition === 'string');
    if (!isWhole || (rules !== null && !isRecord(rules))) {
      const message = `${key}: ${shownName(to)} must be a mapping with \`allowed\` (true or false) and \`condition\` (a text); the facet is not used`;
      this.say('error', 'facets/key-value', message, [key, to]);
      return { allowed: false, condition: null };
    }
    for (const [name] of entriesOf(rules as Json).slice(0, MAX_UNKNOWN)) {
      if (!TRANSITION_KEYS.includes(name)) this.unknown(name, TRANSITION_KEYS, [key, to, name]);
    }
    // It stands in a question to a person and in a line to the model.
    const { line } = descriptionLine(condition ?? '');
    return { allowed, condition: line === '' ? null : line };
  }

  unknown(name: string, known: readonly string[], at: readonly string[]): void {
    const near = nearest(name, known);
    const hint = near === undefined ? '' : `; did you mean ${near}?`;
    this.say('info', 'facets/unknown-key', `there is no key ${shownName(name)} for facets${hint}`, at);
  }

  unknownKeys(): void {
    const names = [...this.#values.keys()].filter((name) => !FACET_KEYS.includes(name));
    for (const name of names.slice(0, MAX_UNKNOWN)) this.unknown(name, FACET_KEYS, [name]);
    if (names.length > MAX_UNKNOWN) {
      this.say('info', 'facets/unknown-key', `${names.length - MAX_UNKNOWN} more keys are unknown`, []);
    }
  }
}

function isEntry(value: Json): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MAX_ENTRY;
}

/**
 * The keys of one facet. An error among the diagnostics means that the facet must not be used: the keys are then only
 * what could be read.
 */
export function readFacetKeys(
  section: ProductSection,
  source: DefinitionSource,
): { keys: FacetKeys; diagnostics: Diagnostic[] } {
  const reader = new KeyReader(section, source);
  const { value } = section;
  if (value !== undefined && value !== null && typeof value !== 'boolean' && !isRecord(value)) {
    reader.say('error', 'facets/key-value', `${section.key} must be a mapping of keys; the facet is not used`, []);
  }
  const keys: FacetKeys = {
    model: reader.text('model'),
    fallbackModels: reader.list('fallback_models', false) ?? [],
    tools: reader.list('tools', true),
    toolsDeny: reader.list('tools_deny', true) ?? [],
    undeferredTools: reader.list('undeferred_tools', false) ?? [],
    skillsAllow: reader.list('skills_allow', true) ?? [],
    skillsDeny: reader.list('skills_deny', true) ?? [],
    facetTransitions: reader.transitions('facet_transitions'),
    autonomousHint: reader.text('autonomous_hint'),
    compactionHint: reader.text('compaction_hint'),
    color: reader.colour('color'),
    colorLight: reader.colour('color_light'),
    colorDark: reader.colour('color_dark'),
  };
  reader.unknownKeys();
  return { keys, diagnostics: reader.diagnostics };
}
