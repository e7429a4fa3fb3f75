import { isRecord, parseJson } from '../../../base/index.ts';
import type { Json, JsonSchema, ToolFailure } from '../../../model/index.ts';

/** A parameter with the exact schema that the model is shown; `default` in the schema is filled in. */
export type KimiParameter = { name: string; required?: true; schema: JsonSchema };

/** In the order of the list, with defaults, without `additionalProperties` (spec/kimi-cli.md 12). */
export function kimiSchema(parameters: readonly KimiParameter[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** A schema for a value that may also be null, and is by default. */
export function nullable(schema: JsonSchema, rest: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null' }], default: null, ...rest };
}

function invalid(why: string): { error: ToolFailure } {
  return { error: { code: 'arguments/invalid', message: `Error validating JSON arguments: ${why}` } };
}

/**
 * Reads a call's arguments. Nothing is `{}`; what the schema does not name is passed over; what is missing gets its
 * default, and null where it has none.
 */
export function parseKimiArguments(
  text: string,
  parameters: readonly KimiParameter[],
): { value: Record<string, Json> } | { error: ToolFailure } {
  const parsed = text.trim() === '' ? {} : parseJson(text);
  if (parsed === undefined) {
    const message = 'Error parsing JSON arguments: they are not valid JSON; send the call again';
    return { error: { code: 'arguments/not-json', message } };
  }
  if (!isRecord(parsed)) return invalid('the arguments must be an object');
  const value: Record<string, Json> = {};
  for (const { name, required, schema } of parameters) {
    const given = Object.hasOwn(parsed, name) ? (parsed[name] as Json) : undefined;
    if (given === undefined) {
      if (required) return invalid(`${name} is missing`);
      value[name] = schema.default ?? null;
      continue;
    }
    const problem = problemWith(given, schema, name);
    if (problem !== null) return invalid(problem);
    value[name] = withDefaults(given, schema);
  }
  return { value };
}

/** What is wrong with a value, where; null: nothing. Knows the words that the schemas of this harness use. */
function problemWith(value: Json, schema: JsonSchema, where: string): string | null {
  const { anyOf } = schema;
  if (Array.isArray(anyOf)) {
    const problems = anyOf.map((each) => problemWith(value, each as JsonSchema, where));
    if (problems.some((problem) => problem === null)) return null;
    // What is wrong within the kind that was given says more than that another one would do.
    const meant = anyOf.findIndex((each) => (each as JsonSchema).type === kindOf(value));
    return problems[Math.max(0, meant)] ?? null;
  }
  const { enum: words } = schema;
  if (Array.isArray(words))
    return words.includes(value) ? null : `${where} must be one of ${words.map(String).join(', ')}`;
  switch (schema.type) {
    case 'null':
      return value === null ? null : `${where} must be null`;
    case 'string':
      return stringProblem(value, schema, where);
    case 'boolean':
      return typeof value === 'boolean' ? null : `${where} must be true or false`;
    case 'integer':
      return integerProblem(value, schema, where);
    case 'array':
      return arrayProblem(value, schema, where);
    case 'object':
      return objectProblem(value, schema, where);
    default:
      return null;
  }
}

function kindOf(value: Json): string {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  return typeof value === 'number' ? 'integer' : typeof value;
}

function stringProblem(value: Json, { minLength }: JsonSchema, where: string): string | null {
  if (typeof value !== 'string') return `${where} must be a string`;
  if (typeof minLength === 'number' && value.length < minLength) return `${where} must not be empty`;
  return null;
}

function integerProblem(value: Json, { minimum, maximum }: JsonSchema, where: string): string | null {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return `${where} must be an integer`;
  if (typeof minimum === 'number' && value < minimum) return `${where} must be at least ${minimum}`;
  if (typeof maximum === 'number' && value > maximum) return `${where} must be at most ${maximum}`;
  return null;
}

function arrayProblem(value: Json, { items, minItems, maxItems }: JsonSchema, where: string): string | null {
  if (!Array.isArray(value)) return `${where} must be an array`;
  if (typeof minItems === 'number' && value.length < minItems) return `${where} must have at least ${minItems} entries`;
  if (typeof maxItems === 'number' && value.length > maxItems) return `${where} must have at most ${maxItems} entries`;
  if (!isRecord(items)) return null;
  for (const [index, item] of value.entries()) {
    const problem = problemWith(item, items as JsonSchema, `${where}[${index}]`);
    if (problem !== null) return problem;
  }
  return null;
}

function objectProblem(value: Json, { properties, required }: JsonSchema, where: string): string | null {
  if (!isRecord(value)) return `${where} must be an object`;
  for (const name of Array.isArray(required) ? required : []) {
    if (typeof name === 'string' && !Object.hasOwn(value, name)) return `${where}.${name} is missing`;
  }
  for (const [name, schema] of Object.entries(isRecord(properties) ? properties : {})) {
    if (!Object.hasOwn(value, name)) continue;
    const problem = problemWith(value[name] as Json, schema as JsonSchema, `${where}.${name}`);
    if (problem !== null) return problem;
  }
  return null;
}

/** Fields of objects, also in lists, that are missing and have a default. */
function withDefaults(value: Json, schema: JsonSchema): Json {
  const { anyOf, items, properties } = schema;
  if (Array.isArray(anyOf)) {
    const fitting = anyOf.find((each) => problemWith(value, each as JsonSchema, '') === null);
    return fitting === undefined ? value : withDefaults(value, fitting as JsonSchema);
  }
  if (Array.isArray(value) && isRecord(items)) return value.map((each) => withDefaults(each, items as JsonSchema));
  if (!isRecord(value) || !isRecord(properties)) return value;
  const filled: Record<string, Json> = {};
  for (const [name, inner] of Object.entries(properties)) {
    const own = inner as JsonSchema;
    if (Object.hasOwn(value, name)) filled[name] = withDefaults(value[name] as Json, own);
    else if (own.default !== undefined) filled[name] = own.default;
  }
  return filled;
}
