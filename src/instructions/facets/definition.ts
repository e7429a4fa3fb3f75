import type { FoundFile, Json, Scope } from '../../model/index.ts';

/** A definition that the program ships. `text`: its body. `keys`: what its front matter would say below the product key. */
export type ShippedDefinition = {
  name: string;
  description?: string;
  uri: string;
  text: string;
  keys: Readonly<Record<string, Json>>;
};

/** What every role may say of its model, its tools and its skills. */
export type RoleKeys = {
  model: string | null;
  fallbackModels: readonly string[];
  /** Null: every tool but those that must be named. */
  tools: readonly string[] | null;
  toolsDeny: readonly string[];
  undeferredTools: readonly string[];
  /** Names and `tag!x`; empty: every skill. */
  skillsAllow: readonly string[];
  skillsDeny: readonly string[];
};

/** A role: a facet or a subagent. */
export type Definition<K extends RoleKeys = RoleKeys> = {
  name: string;
  description: string;
  scope: Scope | 'shipped';
  /** Null for a shipped one. */
  path: string | null;
  /** Null for a file. */
  uri: string | null;
  file: FoundFile | null;
  /** The template, and the file's line, from 1, that it begins at. */
  body: { text: string; line: number };
  keys: K;
};

export type FacetRules = {
  /** Below one of these keys the front matter speaks to this program; the first that is there counts. */
  productKeys: readonly string[];
  /** Names that may stand in a list of tools without being told that they are unknown. */
  knownTools: readonly string[];
};

/** What messages and codes call a kind of definitions: `facets/too-many`. */
export type DefinitionWords = { one: 'facet' | 'subagent'; many: 'facets' | 'subagents' };
