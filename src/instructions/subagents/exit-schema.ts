import { byteLength, isRecord, nearest } from '../../base/index.ts';
import type { Json, JsonSchema } from '../../model/index.ts';
import { shownName } from '../facets/definition-name.ts';

/** As JSON: it goes out with every request of the agent. */
const MAX_BYTES = 8 * 1024;
/** Of nested schemas, and of all of them together. */
const MAX_DEPTH = 12;
const MAX_SCHEMAS = 512;

/** What an agent gives where its definition does not say. */
export const DEFAULT_EXIT_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    summary: { type: 'string', description: 'What was found or done, and what was not.' },
    files: { type: 'array', items: { type: 'string' }, description: 'Paths that matter.' },
    sources: { type: 'array', items: { type: 'string' }, description: 'Addresses of pages that were used.' },
  },
  required: ['summary'],
};

/** What would make the check of a result slow, or endless. */
const INSTEAD: readonly string[] = ['pattern', 'patternProperties', 'format'];

/** Why a schema cannot be used, and where in it. */
export type SchemaFault = { message: string; at: readonly string[] };

const TYPES: readonly string[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

function isStrings(value: Json): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function isType(value: Json): boolean {
  const types = Array.isArray(value) ? value : [value];
  return types.length > 0 && types.every((type) => typeof type === 'string' && TYPES.includes(type));
}

function isCount(value: Json): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

const TEXT = [(value: Json) => typeof value === 'string', 'a text'] as const;
const NUMBER = [(value: Json) => typeof value === 'number', 'a number'] as const;
const COUNT = [isCount, 'a whole number, not below 0'] as const;
const ANY = [() => true, ''] as const;

/**
 * Keywords that hold no schema. Not among them: those that take a regular expression or a format, which could keep the
 * check of a result busy for ever, those that lead elsewhere, and `uniqueItems`, which compares each with each.
 */
const PLAIN: Readonly<Record<string, readonly [fits: (value: Json) => boolean, expected: string]>> = {
  $schema: TEXT,
  $comment: TEXT,
  title: TEXT,
  description: TEXT,
  default: ANY,
  examples: ANY,
  const: ANY,
  enum: [(value) => Array.isArray(value) && value.length > 0, 'a list of values'],
  type: [isType, `one of ${TYPES.join(', ')}, or a list of them`],
  required: [isStrings, 'a list of names'],
  minimum: NUMBER,
  maximum: NUMBER,
  exclusiveMinimum: NUMBER,
  exclusiveMaximum: NUMBER,
  multipleOf: [(value) => typeof value === 'number' && value > 0, 'a number above 0'],
  minLength: COUNT,
  maxLength: COUNT,
  minItems: COUNT,
  maxItems: COUNT,
  minProperties: COUNT,
  maxProperties: COUNT,
};

const ONE: readonly string[] = ['items', 'additionalProperties', 'not'];
const SEVERAL: readonly string[] = ['prefixItems', 'anyOf', 'oneOf', 'allOf'];
const KEYWORDS: readonly string[] = [...Object.keys(PLAIN), ...ONE, ...SEVERAL, 'properties'];

type Nested = { schema: Json; at: readonly string[]; depth: number };

/** The schemas in the value of a keyword, or null where the value is none that it can have. */
function nestedIn(keyword: string, value: Json, { at, depth }: Nested): Nested[] | null {
  const inside = (schema: Json, ...more: string[]): Nested => ({
    schema,
    at: [...at, keyword, ...more],
    depth: depth + 1,
  });
  if (ONE.includes(keyword)) return [inside(value)];
  if (SEVERAL.includes(keyword)) {
    return Array.isArray(value) && value.length > 0 ? value.map((each) => inside(each)) : null;
  }
  if (!isRecord(value)) return null;
  return Object.entries(value as Record<string, Json>).map(([name, each]) => inside(each, name));
}

/** What is wrong with one schema by itself; the schemas in it are added to `rest`. */
function faultIn(nested: Nested, rest: Nested[]): SchemaFault | null {
  const { schema, at } = nested;
  if (typeof schema === 'boolean') return null;
  if (!isRecord(schema)) return { message: 'a schema must be a mapping, true or false', at };
  for (const [keyword, value] of Object.entries(schema as Record<string, Json>)) {
    const place = [...at, keyword];
    if (!KEYWORDS.includes(keyword)) {
      const near = nearest(keyword, KEYWORDS);
      const instead = INSTEAD.includes(keyword) ? '; say it in a description instead' : '';
      const hint = near === undefined || instead !== '' ? instead : `; did you mean ${near}?`;
      return { message: `the keyword ${shownName(keyword)} cannot be used${hint}`, at: place };
    }
    const plain = PLAIN[keyword];
    if (plain !== undefined) {
      if (!plain[0](value)) return { message: `${keyword} must be ${plain[1]}`, at: place };
      continue;
    }
    const inside = nestedIn(keyword, value, nested);
    if (inside === null) return { message: `${keyword} must hold schemas`, at: place };
    rest.push(...inside);
  }
  return null;
}

/** The schema of what an agent gives to its caller, as its definition has it; or why it cannot be used. */
export function readExitSchema(value: Json): { schema: JsonSchema } | { fault: SchemaFault } {
  if (!isRecord(value) || value.type !== 'object') {
    return { fault: { message: 'it must be a JSON Schema with type: object', at: [] } };
  }
  const rest: Nested[] = [{ schema: value as Json, at: [], depth: 1 }];
  for (let index = 0; index < rest.length; index += 1) {
    const nested = rest[index] as Nested;
    if (nested.depth > MAX_DEPTH) return { fault: { message: `it is deeper than ${MAX_DEPTH} levels`, at: [] } };
    if (rest.length > MAX_SCHEMAS) return { fault: { message: `it holds more than ${MAX_SCHEMAS} schemas`, at: [] } };
    const fault = faultIn(nested, rest);
    if (fault !== null) return { fault };
  }
  const size = byteLength(JSON.stringify(value));
  if (size > MAX_BYTES) return { fault: { message: `it has ${size} bytes, more than ${MAX_BYTES}`, at: [] } };
  return { schema: value as JsonSchema };
}
