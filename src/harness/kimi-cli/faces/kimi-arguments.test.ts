import { expect, test } from 'vitest';
import type { JsonSchema } from '../../../model/index.ts';
import { type KimiParameter, kimiSchema, nullable, parseKimiArguments } from './kimi-arguments.ts';

const EDIT: JsonSchema = {
  type: 'object',
  properties: { old: { type: 'string' }, all: { type: 'boolean', default: false } },
  required: ['old'],
};
const PARAMETERS: readonly KimiParameter[] = [
  { name: 'path', required: true, schema: { type: 'string', minLength: 1 } },
  { name: 'mode', schema: { type: 'string', enum: ['a', 'b'], default: 'a' } },
  { name: 'count', schema: { type: 'integer', default: 3, minimum: 1, maximum: 9 } },
  { name: 'limit', schema: nullable({ type: 'integer', minimum: 0 }, { default: 250 }) },
  { name: 'type', schema: nullable({ type: 'string' }, {}) },
  { name: 'edit', schema: { anyOf: [EDIT, { type: 'array', items: EDIT, minItems: 1, maxItems: 2 }] } },
];

function parsed(given: unknown): unknown {
  const result = parseKimiArguments(typeof given === 'string' ? given : JSON.stringify(given), PARAMETERS);
  return 'error' in result ? result.error.message : result.value;
}

test('a schema has its parameters in their order, defaults and nothing that forbids others', () => {
  const schema = kimiSchema(PARAMETERS.slice(0, 1).concat(PARAMETERS.slice(3, 5)));
  expect(JSON.stringify(schema)).toBe(
    '{"type":"object","properties":{"path":{"type":"string","minLength":1},"limit":{"anyOf":[{"type":"integer","minimum":0},{"type":"null"}],"default":250},"type":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}},"required":["path"]}',
  );
});

test('what is missing gets its default, also within objects and lists; what is unknown is passed over', () => {
  const rest = { mode: 'a', count: 3, limit: 250, type: null };
  expect([
    parsed({ path: 'x', more: 1 }),
    parsed({ path: 'x', limit: null, type: 'py', edit: { old: 'o', more: 1 } }),
    parsed({ path: 'x', edit: [{ old: 'o' }, { old: 'p', all: true }] }),
  ]).toEqual([
    { path: 'x', ...rest, edit: null },
    { path: 'x', ...rest, limit: null, type: 'py', edit: { old: 'o', all: false } },
    {
      path: 'x',
      ...rest,
      edit: [
        { old: 'o', all: false },
        { old: 'p', all: true },
      ],
    },
  ]);
});

test('nothing is an empty object', () => {
  const none = PARAMETERS.slice(1, 2);
  expect(['', ' \n', '{}'].map((text) => parseKimiArguments(text, none))).toEqual(
    ['', '', ''].map(() => ({ value: { mode: 'a' } })),
  );
});

test.each<[given: unknown, why: string]>([
  ['{"path":', 'Error parsing JSON arguments: they are not valid JSON; send the call again'],
  ['[]', 'Error validating JSON arguments: the arguments must be an object'],
  [{}, 'Error validating JSON arguments: path is missing'],
  [{ path: 1 }, 'Error validating JSON arguments: path must be a string'],
  [{ path: '' }, 'Error validating JSON arguments: path must not be empty'],
  [{ path: 'x', mode: 'c' }, 'Error validating JSON arguments: mode must be one of a, b'],
  [{ path: 'x', count: 0 }, 'Error validating JSON arguments: count must be at least 1'],
  [{ path: 'x', count: 10 }, 'Error validating JSON arguments: count must be at most 9'],
  [{ path: 'x', count: 1.5 }, 'Error validating JSON arguments: count must be an integer'],
  [{ path: 'x', count: null }, 'Error validating JSON arguments: count must be an integer'],
  [{ path: 'x', limit: -1 }, 'Error validating JSON arguments: limit must be at least 0'],
  [{ path: 'x', edit: {} }, 'Error validating JSON arguments: edit.old is missing'],
  [{ path: 'x', edit: [{ old: 1 }] }, 'Error validating JSON arguments: edit[0].old must be a string'],
  [{ path: 'x', edit: [] }, 'Error validating JSON arguments: edit must have at least 1 entries'],
  [{ path: 'x', edit: 'x' }, 'Error validating JSON arguments: edit must be an object'],
])('%j is refused', (given, why) => {
  expect(parsed(given)).toBe(why);
});
