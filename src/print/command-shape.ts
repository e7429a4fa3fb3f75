import { isBlank, isRecord, nearest, parseJson } from '../base/index.ts';
import type { Command, CommandType } from '../model/index.ts';

export type CommandAnswer =
  | { ok: true; command: Command }
  | { ok: false; tag?: string; code: 'command/not-json' | 'command/unknown' | 'command/invalid'; message: string };

type Check = { wants: string; holds(value: unknown): boolean };
type Field = Check & { optional?: true };

/** Deeper values are no answer, and would end in a stack overflow somewhere. */
const DEPTH_LIMIT = 64;

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return value !== undefined;
  return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1));
}

const isString = (value: unknown): boolean => typeof value === 'string';
const text: Field = { wants: 'a string', holds: isString };
const name: Field = { wants: 'a string that is not empty', holds: (value) => isString(value) && value !== '' };
const flag: Field = { wants: 'true or false', holds: (value) => typeof value === 'boolean' };
const answer: Field = {
  wants: `a value of at most ${DEPTH_LIMIT} levels`,
  holds: (value) => isShallow(value, DEPTH_LIMIT),
};
const names: Field = {
  wants: 'a list of strings',
  holds: (value) => Array.isArray(value) && value.every(isString),
};
const parts: Field = {
  wants: 'a list of {"type":"text","text"} and {"type":"media"} with "base64", "path", or "sha256" and "mime"',
  holds: (value) => Array.isArray(value) && value.every(isUserPart),
};

function optional(field: Field): Field {
  return { ...field, optional: true };
}

/** What a person may send: text and media. Calls and reasoning are the model's. */
function isUserPart(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const keys = Object.keys(value).sort().join();
  if (value.type === 'text') return keys === 'text,type' && isString(value.text);
  if (value.type !== 'media') return false;
  if (keys === 'base64,type') return isString(value.base64);
  if (keys === 'path,type') return isString(value.path) && value.path !== '';
  return keys === 'mime,sha256,type' && isString(value.mime) && isString(value.sha256);
}

const FIELDS: Readonly<Record<CommandType, Readonly<Record<string, Field>>>> = {
  prompt: { text, parts: optional(parts) },
  steer: { text, to: optional(name) },
  abort: {},
  answer: { id: name, value: answer, feedback: optional(text) },
  facet: { to: name },
  model: { to: name },
  effort: { to: name },
  'permission-mode': { to: name },
  harness: { to: name, new: optional(flag) },
  tools: { allow: optional(names), deny: optional(names) },
  compact: { guidance: optional(text) },
  clear: { plan: optional(flag) },
  pushd: { path: name },
  popd: {},
  reload: {},
  rewind: { to: name },
  fork: { at: optional(name) },
  title: { text },
  jobs: {},
  subagents: {},
  tasks: {},
  stop: { id: name },
  end: {},
};

/**
 * One line of `--input stream-json` as a command. Fields must be exactly those of its type: a misspelt one is told,
 * not dropped. The tag of a refused command comes back where it can be read.
 */
export function readCommand(line: string): CommandAnswer {
  const value = parseJson(line);
  if (!isRecord(value)) return { ok: false, code: 'command/not-json', message: 'the line is not a JSON object' };
  const { type, tag } = value;
  const echo = typeof tag === 'string' ? { tag } : {};
  const known = Object.keys(FIELDS);
  if (typeof type !== 'string' || !Object.hasOwn(FIELDS, type)) {
    const near = typeof type === 'string' ? nearest(type, known) : undefined;
    const what = typeof type === 'string' ? `unknown command ${JSON.stringify(type.slice(0, 64))}` : 'no "type"';
    const hint = near === undefined ? `one of ${known.join(', ')}` : `did you mean "${near}"?`;
    return { ok: false, ...echo, code: 'command/unknown', message: `${what}: ${hint}` };
  }
  const wrong = firstMistake(value, FIELDS[type as CommandType]) ?? emptyMessage(value);
  if (wrong !== null) return { ok: false, ...echo, code: 'command/invalid', message: `${type}: ${wrong}` };
  return { ok: true, command: value as Command };
}

/** A message without content would stay in the history, and every request after it would be refused for it. */
function emptyMessage({ type, text: said, parts: shown = [] }: Record<string, unknown>): string | null {
  if (type !== 'prompt' && type !== 'steer') return null;
  const isEmpty = (value: unknown): boolean => typeof value === 'string' && isBlank(value);
  const areEmpty = Array.isArray(shown) && shown.every((part) => isRecord(part) && isEmpty(part.text));
  return isEmpty(said) && areEmpty ? 'there is nothing in it: "text" is blank' : null;
}

function firstMistake(value: Record<string, unknown>, fields: Readonly<Record<string, Field>>): string | null {
  if (value.tag !== undefined && !isString(value.tag)) return '"tag" must be a string';
  for (const [key, field] of Object.entries(fields)) {
    if (value[key] === undefined && field.optional === true) continue;
    if (!Object.hasOwn(value, key)) return `"${key}" is missing: ${field.wants}`;
    if (!field.holds(value[key])) return `"${key}" must be ${field.wants}`;
  }
  for (const key of Object.keys(value)) {
    if (key === 'type' || key === 'tag' || Object.hasOwn(fields, key)) continue;
    const near = nearest(key, Object.keys(fields));
    return `unknown field ${JSON.stringify(key.slice(0, 64))}${near === undefined ? '' : `: did you mean "${near}"?`}`;
  }
  return null;
}
