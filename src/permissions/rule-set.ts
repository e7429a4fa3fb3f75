import type { PermissionRule, RuleKind } from '../model/index.ts';
import {
  matchesNames,
  matchesPath,
  mayMatchPath,
  type PathPattern,
  type PatternBase,
  readPathPattern,
} from './path-pattern.ts';
import type { ShellWord } from './shell/shell-word.ts';
import { matchWild, type Partly, readWild, STAR, type Wild } from './wild-match.ts';

export type RuleList = 'allow' | 'ask' | 'deny';

export type PlacedRule = {
  list: RuleList;
  rule: PermissionRule;
  /** Where it stands, for messages: `~/.config/rein/settings.json:4`. */
  from: string;
  /** A person's answer in this session. */
  granted?: true;
};

type Compiled = PlacedRule & { path: PathPattern | null; wilds: readonly Wild[] };

/** What of a word separates it from the next: no word of a shell can hold it. */
const BETWEEN = '\0';

/** The rules in force for calls that start in one directory. */
export class RuleSet {
  readonly #rules: readonly Compiled[];

  constructor(rules: readonly PlacedRule[], base: PatternBase) {
    this.#rules = rules.map((placed) => compile(placed, base));
  }

  /** Whether anything of these kinds is denied or asked about. */
  restricts(...kinds: readonly RuleKind[]): boolean {
    return this.#rules.some(({ list, rule }) => list !== 'allow' && kinds.includes(rule.kind));
  }

  /** The first rule of the list that matches one of the names a file has. */
  ofPath(list: RuleList, kind: 'read' | 'write', paths: readonly string[]): Compiled | undefined {
    return this.#of(list, kind).find(({ path }) => path === null || paths.some((one) => matchesPath(path, one)));
  }

  /** The first rule of the list that could match a path of which only parts are known: its names, or null with its end. */
  ofUnknownPath(
    list: RuleList,
    kind: 'read' | 'write',
    names: readonly (readonly Partly[])[] | null,
    chunks: Partly,
  ): PlacedRule | undefined {
    const may = (path: PathPattern): boolean =>
      names === null ? mayMatchPath(path, chunks) : names.some((one) => matchesNames(path, one));
    return this.#of(list, kind).find(({ path }) => path === null || may(path));
  }

  /** `maybe`: it depends on words that are not known yet. */
  ofCommand(
    list: RuleList,
    forms: readonly (readonly ShellWord[])[],
  ): { rule: PlacedRule; how: 'always' | 'maybe' } | null {
    let possible: PlacedRule | undefined;
    for (const placed of this.#of(list, 'shell')) {
      const how = forms.map((words) => matchCommand(placed, words));
      if (how.includes('always')) return { rule: placed, how: 'always' };
      if (how.includes('maybe')) possible ??= placed;
    }
    return possible === undefined ? null : { rule: possible, how: 'maybe' };
  }

  ofHost(list: RuleList, host: string): PlacedRule | undefined {
    const labels = host.toLowerCase();
    return this.#of(list, 'fetch').find(({ rule, wilds }) => {
      return rule.pattern === null || wilds.some((wild) => matchWild(wild, [labels]) === 'always');
    });
  }

  #of(list: RuleList, kind: RuleKind): readonly Compiled[] {
    return this.#rules.filter((placed) => placed.list === list && placed.rule.kind === kind);
  }
}

function compile(placed: PlacedRule, base: PatternBase): Compiled {
  const { kind, pattern } = placed.rule;
  if (pattern === null) return { ...placed, path: null, wilds: [] };
  if (kind === 'read' || kind === 'write') return { ...placed, path: readPathPattern(pattern, base), wilds: [] };
  return { ...placed, path: null, wilds: kind === 'fetch' ? [readWild(pattern.toLowerCase())] : commandWilds(pattern) };
}

/** Of `git log *` also `git log`: a last star that stands alone may be no word at all. */
function commandWilds(pattern: string): Wild[] {
  const spaced = readWild(pattern.replace(/(\\.)|\s+/g, (_, escaped: string | undefined) => escaped ?? BETWEEN));
  const isOptional = spaced.at(-1) === STAR && spaced.at(-2) === BETWEEN;
  return isOptional ? [spaced, spaced.slice(0, -2)] : [spaced];
}

function matchCommand({ rule, wilds }: Compiled, words: readonly ShellWord[]): 'always' | 'maybe' | 'never' {
  if (rule.pattern === null) return 'always';
  const text: Partly = words.flatMap(({ chunks }, index) => (index === 0 ? chunks : [BETWEEN, ...chunks]));
  const how = wilds.map((wild) => matchWild(wild, text));
  return how.includes('always') ? 'always' : how.includes('maybe') ? 'maybe' : 'never';
}
