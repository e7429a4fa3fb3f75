import { WIRES } from '../model/index.ts';

/** What a setting may hold. */
export type ValueType =
  | { type: 'text' }
  | { type: 'url' }
  | { type: 'word'; words: readonly string[] }
  | { type: 'integer'; min: number; max: number }
  | { type: 'names' }
  /** An object of anything, for whoever owns it to judge. */
  | { type: 'free' };

type Rule = {
  value: ValueType;
  /**
   * Whether a project may set it although nobody said that the directory is trusted: only what neither runs nor
   * widens anything, and sends nothing elsewhere.
   */
  project: 'allowed' | 'trusted-only';
};

const TEXT: ValueType = { type: 'text' };
const URL: ValueType = { type: 'url' };
const WIRE: ValueType = { type: 'word', words: WIRES };
const COUNT: ValueType = { type: 'integer', min: 1, max: 1_000_000_000 };
const BYTES: ValueType = { type: 'integer', min: 0, max: 64 * 1024 * 1024 };
const TIME: ValueType = { type: 'integer', min: 1, max: 24 * 60 * 60 * 1000 };
const MODES: ValueType = { type: 'word', words: ['ask', 'read-only', 'accept-edits', 'yolo'] };

/** Every setting by its dotted key; `*` is a name of the user's own. */
const RULES: Readonly<Record<string, Rule>> = {
  model: { value: TEXT, project: 'trusted-only' },
  base_url: { value: URL, project: 'trusted-only' },
  wire: { value: WIRE, project: 'trusted-only' },
  harness: { value: TEXT, project: 'allowed' },
  effort: { value: TEXT, project: 'allowed' },
  permission_mode: { value: MODES, project: 'trusted-only' },
  max_turns: { value: COUNT, project: 'trusted-only' },
  'instructions.max_file_bytes': { value: BYTES, project: 'allowed' },
  'harnesses.*': { value: { type: 'free' }, project: 'allowed' },
  'shell.timeout_ms': { value: TIME, project: 'trusted-only' },
  'shell.env_pass': { value: { type: 'names' }, project: 'trusted-only' },
  'providers.*.base_url': { value: URL, project: 'trusted-only' },
  'providers.*.api_key_env': { value: TEXT, project: 'trusted-only' },
  'providers.*.wire': { value: WIRE, project: 'trusted-only' },
  'providers.*.context_window': { value: COUNT, project: 'trusted-only' },
  'providers.*.max_output_tokens': { value: COUNT, project: 'trusted-only' },
};

const PATTERNS = Object.entries(RULES).map(([key, rule]) => ({ segments: key.split('.'), rule }));

/**
 * What the schema knows of a path: a value's rule (below a free object, the object's), a group with the names that may
 * follow (none listed where the user chooses them), or nothing.
 */
export type Known = { rule: Rule } | { names: readonly string[] } | null;

export function lookUp(path: readonly string[]): Known {
  const names = new Set<string>();
  let isGroup = false;
  for (const { segments, rule } of PATTERNS) {
    const isFree = rule.value.type === 'free';
    const shared = segments.slice(0, path.length);
    if (!shared.every((segment, index) => segment === '*' || segment === path[index])) continue;
    if (segments.length === path.length || (isFree && segments.length < path.length)) return { rule };
    if (segments.length < path.length) continue;
    isGroup = true;
    const next = segments[path.length];
    if (next !== undefined && next !== '*') names.add(next);
  }
  return isGroup ? { names: [...names] } : null;
}

/** What is in force where nobody says otherwise. */
export const DEFAULTS: readonly (readonly [path: readonly string[], value: unknown])[] = [
  [['model'], null],
  [['base_url'], null],
  [['wire'], null],
  [['harness'], 'rein'],
  [['effort'], null],
  [['permission_mode'], null],
  [['max_turns'], null],
  [['instructions', 'max_file_bytes'], null],
  [['shell', 'timeout_ms'], null],
  [['shell', 'env_pass'], []],
];
