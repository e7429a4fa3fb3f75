import { isRecord, nearest, parseJson } from '../../base/index.ts';
import type { JsonSchema, ToolFailure } from '../../model/index.ts';

/** One parameter of a tool, as the schema and the parser both need it. */
export type Parameter = {
  name: string;
  required?: true;
  /** Empty: the schema has none. */
  description: string;
} /** `string-or-strings`: one, or an array of them. */ & (
  | { type: 'string' | 'boolean' | 'strings' | 'string-or-strings' }
  /** `minimum`: the least value. */
  | { type: 'integer'; minimum?: number }
  | { type: 'word'; words: readonly string[] }
  /** `least`: the fewest objects. */
  | { type: 'objects'; fields: readonly Parameter[]; least?: 1 }
);

/** Strictly what the schema says; only the fields that were given. */
export type ParsedArguments = { [name: string]: unknown };

function failure(message: string, field: string | null): ToolFailure {
  return { code: 'arguments/invalid', message, ...(field === null ? {} : { data: { field } }) };
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** What is wrong with one value, or null. */
function checkValue(value: unknown, parameter: Parameter, where: string): ToolFailure | null {
  switch (parameter.type) {
    case 'string':
    case 'boolean':
      if (typeof value === parameter.type) return null;
      return failure(`${where} must be a ${parameter.type}, not ${typeName(value)}`, where);
    case 'integer': {
      const least = parameter.minimum ?? 0;
      if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return null;
      const found = typeof value === 'number' ? String(value) : typeName(value);
      return failure(`${where} must be an integer of at least ${least}, not ${found}`, where);
    }
    case 'word':
      if (parameter.words.some((word) => word === value)) return null;
      return failure(`${where} must be one of ${parameter.words.join(', ')}`, where);
    case 'strings':
      if (areStrings(value)) return null;
      return failure(`${where} must be an array of strings`, where);
    case 'string-or-strings':
      if (typeof value === 'string' || areStrings(value)) return null;
      return failure(`${where} must be a string or an array of strings`, where);
    case 'objects':
      return checkObjects(value, parameter, where);
  }
}

function areStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function checkObjects(
  value: unknown,
  { fields, least }: Extract<Parameter, { type: 'objects' }>,
  where: string,
): ToolFailure | null {
  if (!Array.isArray(value)) return failure(`${where} must be an array, not ${typeName(value)}`, where);
  if (value.length < (least ?? 0)) return failure(`${where} must not be empty`, where);
  for (const [index, object] of value.entries()) {
    const place = `${where}[${index}]`;
    if (!isRecord(object)) return failure(`${place} must be an object, not ${typeName(object)}`, place);
    const problem = checkFields(object, fields, `${place}.`);
    if (problem !== null) return problem;
  }
  return null;
}

function checkFields(
  given: Record<string, unknown>,
  parameters: readonly Parameter[],
  prefix: string,
): ToolFailure | null {
  const names = parameters.map(({ name }) => name);
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue;
    const near = nearest(name, names);
    const hint = near === undefined ? `known: ${names.join(', ')}` : `did you mean ${near}?`;
    return failure(`unknown argument ${prefix}${name.slice(0, 100)} (${hint})`, `${prefix}${name.slice(0, 100)}`);
  }
  for (const parameter of parameters) {
    const where = `${prefix}${parameter.name}`;
    const value = given[parameter.name];
    if (value === undefined || (value === null && parameter.required === undefined)) {
      if (parameter.required) return failure(`${where} is missing`, where);
      continue;
    }
    const problem = checkValue(value, parameter, where);
    if (problem !== null) return problem;
  }
  return null;
}

/**
 * Reads a call's arguments as received. Nothing at all (empty, blank, `null`) is `{}`; an optional field that is null
 * counts as not given, as some models write it so; everything else must be exactly what the schema says.
 */
export function parseArguments(
  text: string,
  parameters: readonly Parameter[],
): { value: ParsedArguments } | { error: ToolFailure } {
  const bare = text.trim();
  const parsed = bare === '' || bare === 'null' ? {} : parseJson(bare);
  if (parsed === undefined) {
    return { error: { code: 'arguments/not-json', message: 'the arguments are not valid JSON; send the call again' } };
  }
  if (!isRecord(parsed)) return { error: failure(`the arguments must be an object, not ${typeName(parsed)}`, null) };
  const error = checkFields(parsed, parameters, '');
  if (error !== null) return { error };
  return { value: Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== null)) };
}

function parameterSchema(parameter: Parameter): JsonSchema {
  const { description } = parameter;
  return { ...shapeOf(parameter), ...(description === '' ? {} : { description }) };
}

function shapeOf(parameter: Parameter): JsonSchema {
  switch (parameter.type) {
    case 'string':
    case 'boolean':
      return { type: parameter.type };
    case 'integer':
      return { type: 'integer', ...(parameter.minimum === undefined ? {} : { minimum: parameter.minimum }) };
    case 'word':
      return { type: 'string', enum: [...parameter.words] };
    case 'strings':
      return { type: 'array', items: { type: 'string' } };
    case 'string-or-strings':
      return { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };
    case 'objects':
      return { type: 'array', items: parametersSchema(parameter.fields) };
  }
}

export function parametersSchema(parameters: readonly Parameter[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, parameterSchema(parameter)])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}
