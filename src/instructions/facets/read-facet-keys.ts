import { type Diagnostic, isRecord } from '../../base/index.ts';
import type { Json } from '../../model/index.ts';
import type { DefinitionWords } from './definition.ts';
import { descriptionLine, shownName } from './definition-name.ts';
import { type DefinitionSource, entriesOf, type ProductSection } from './definition-source.ts';
import type { FacetKeys, FacetTransition } from './facet.ts';
import { KeyReader, MAX_ENTRIES, MAX_UNKNOWN, ROLE_KEYS } from './key-reader.ts';

export const FACET_WORDS: DefinitionWords = { one: 'facet', many: 'facets' };

export const FACET_KEYS: readonly string[] = [
  ...ROLE_KEYS,
  'facet_transitions',
  'autonomous_hint',
  'compaction_hint',
  'color',
  'color_light',
  'color_dark',
];

const COLOUR = /^#[0-9a-f]{6}$/i;
const TRANSITION_KEYS: readonly string[] = ['allowed', 'condition'];

function colour(reader: KeyReader, key: string): string | null {
  const value = reader.value(key);
  if (value === undefined) return null;
  if (typeof value === 'string' && COLOUR.test(value)) return value.toLowerCase();
  reader.wrong(key, 'a colour such as "#1e90ff", in quotes', false);
  return null;
}

function transitions(reader: KeyReader, key: string): Readonly<Record<string, FacetTransition>> | null {
  const value = reader.value(key);
  if (value === undefined) return null;
  const entries = entriesOf(value);
  if (!isRecord(value) || entries.length > MAX_ENTRIES) {
    reader.wrong(key, 'a mapping from facets to `allowed` and `condition`', true);
    return null;
  }
  return Object.fromEntries(entries.map(([to, rules]) => [to, transition(reader, key, to, rules)]));
}

function transition(reader: KeyReader, key: string, to: string, rules: Json): FacetTransition {
  const { allowed = true, condition = null } = isRecord(rules) ? rules : {};
  const isWhole = typeof allowed === 'boolean' && (condition === null || typeof condition === 'string');
  if (!isWhole || (rules !== null && !isRecord(rules))) {
    const must = 'must be a mapping with `allowed` (true or false) and `condition` (a text)';
    reader.bad(`${key}: ${shownName(to)} ${must}`, [key, to]);
    return { allowed: false, condition: null };
  }
  for (const [name] of entriesOf(rules as Json).slice(0, MAX_UNKNOWN)) {
    if (!TRANSITION_KEYS.includes(name)) reader.unknown(name, TRANSITION_KEYS, [key, to, name]);
  }
  // It stands in a question to a person and in a line to the model.
  const { line } = descriptionLine(condition ?? '');
  return { allowed, condition: line === '' ? null : line };
}

/**
 * The keys of one facet. An error among the diagnostics means that the facet must not be used: the keys are then only
 * what could be read.
 */
export function readFacetKeys(
  section: ProductSection,
  source: DefinitionSource,
): { keys: FacetKeys; diagnostics: Diagnostic[] } {
  const reader = new KeyReader(section, source, FACET_WORDS);
  const keys: FacetKeys = {
    ...reader.roleKeys(),
    facetTransitions: transitions(reader, 'facet_transitions'),
    autonomousHint: reader.text('autonomous_hint'),
    compactionHint: reader.text('compaction_hint'),
    color: colour(reader, 'color'),
    colorLight: colour(reader, 'color_light'),
    colorDark: colour(reader, 'color_dark'),
  };
  reader.unknownKeys(FACET_KEYS);
  return { keys, diagnostics: reader.diagnostics };
}
