import { type Diagnostic, isRecord, nearest, type Severity } from '../../base/index.ts';
import type { FoundFile, Json } from '../../model/index.ts';
import { shownName } from '../facets/definition-name.ts';
import {
  entriesOf,
  fileSource,
  frontMatterValue,
  keyDiagnostic,
  type ProductSection,
  productSection,
} from '../facets/definition-source.ts';
import { splitToolList } from './allowed-tools.ts';
import { hidesInWords, itemsBelow, mappingBelow } from './line-wise.ts';
import type { Skill, SkillRules } from './skill.ts';

const KEYS: readonly string[] = ['tags', 'disable_model_invocation'];
const HIDDEN = 'disable-model-invocation';
const TOOLS = 'allowed-tools';

/** Of one list. */
const MAX_ENTRIES = 256;
const MAX_UNKNOWN = 16;

type SkillKeys = Pick<Skill, 'tags' | 'hidden' | 'allowedTools' | 'rendered'>;
type Say = (severity: Severity, code: string, message: string, at: readonly string[]) => void;

/** What stands below the product key, also where the front matter is no YAML and its parser saw only one line. */
function sectionOf(file: FoundFile, { productKeys }: SkillRules): ProductSection {
  const section = productSection(file, productKeys);
  if (section.key === null || file.frontMatter?.read !== 'line-wise') return section;
  return { key: section.key, value: mappingBelow(file, section.key) ?? booleanOf(section.value) ?? section.value };
}

/** Line-wise reading leaves the words as texts. */
function booleanOf(value: Json | undefined): boolean | null {
  if (typeof value === 'boolean') return value;
  return value === 'true' ? true : value === 'false' ? false : null;
}

function isRendered({ key, value }: ProductSection, say: Say): boolean {
  if (key === null || value === undefined) return false;
  if (typeof value === 'boolean') return value;
  if (isRecord(value)) return true;
  if (value !== null && value !== '') {
    say('warning', 'skills/key-value', `${key} must be true or a mapping of keys; it is ignored`, [key]);
  }
  return false;
}

function tagsOf(value: Json | undefined, at: readonly string[], say: Say): readonly string[] {
  if (value === undefined || value === null) return [];
  const tags = typeof value === 'string' ? value.split(/[\s,]+/) : value;
  if (!Array.isArray(tags) || tags.length > MAX_ENTRIES) {
    say('warning', 'skills/key-value', `tags must be a list of at most ${MAX_ENTRIES} words; it is ignored`, at);
    return [];
  }
  const words = tags.filter((tag): tag is string => typeof tag === 'string').map((tag) => tag.trim());
  if (words.length < tags.length) {
    say('warning', 'skills/key-value', 'tags are texts; what is none is left out', at);
  }
  return [...new Set(words.filter((word) => word !== ''))];
}

/** A value that is neither true nor false hides the skill: whoever wrote the key wanted that. */
function isHidden(value: Json | undefined, at: readonly string[], say: Say): boolean {
  if (value === undefined || value === null) return false;
  const word = booleanOf(value);
  if (word === null) {
    const name = at.at(-1) ?? HIDDEN;
    say('warning', 'skills/key-value', `${name} must be true or false; the skill is hidden from the model`, at);
  }
  return word ?? true;
}

function allowedTools(file: FoundFile, say: Say): readonly string[] | null {
  const value = frontMatterValue(file, TOOLS);
  if (value === undefined) return null;
  if (value === null || value === '') {
    const items = file.frontMatter?.read === 'line-wise' ? itemsBelow(file, TOOLS) : [];
    return items.length === 0 ? null : items.slice(0, MAX_ENTRIES);
  }
  const entries = typeof value === 'string' ? splitToolList(value) : value;
  if (Array.isArray(entries) && entries.length <= MAX_ENTRIES && entries.every((entry) => typeof entry === 'string')) {
    return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
  }
  const message = `${TOOLS} must be a list of at most ${MAX_ENTRIES} tools, or a text with their names; it is ignored`;
  say('warning', 'skills/key-value', message, [TOOLS]);
  return null;
}

function unknownKeys({ key, value }: ProductSection, say: Say): void {
  const names = entriesOf(value).map(([name]) => name);
  for (const name of names.filter((one) => !KEYS.includes(one)).slice(0, MAX_UNKNOWN)) {
    const near = nearest(name, KEYS);
    const hint = near === undefined ? '' : `; did you mean ${near}?`;
    say('info', 'skills/unknown-key', `there is no key ${shownName(name)} for skills${hint}`, [key ?? '', name]);
  }
}

/** What a skill's front matter says beside its name and description. Nothing in here removes a skill. */
export function readSkillKeys(file: FoundFile, rules: SkillRules): { keys: SkillKeys; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const source = fileSource(file);
  const say: Say = (severity, code, message, at) => {
    diagnostics.push(keyDiagnostic(source, severity, code, message, at));
  };
  const section = sectionOf(file, rules);
  const own = new Map(entriesOf(section.value));
  const top = section.key ?? '';
  const hiddenHere = isHidden(own.get('disable_model_invocation'), [top, 'disable_model_invocation'], say);
  const hiddenThere = isHidden(frontMatterValue(file, HIDDEN), [HIDDEN], say);
  const keys: SkillKeys = {
    tags: tagsOf(own.get('tags'), [top, 'tags'], say),
    hidden: hiddenHere || hiddenThere || hidesInWords(file),
    allowedTools: allowedTools(file, say),
    rendered: isRendered(section, say),
  };
  unknownKeys(section, say);
  return { keys, diagnostics };
}
