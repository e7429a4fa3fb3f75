import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../model/index.ts';
import { DEFAULT_EXIT_SCHEMA, readExitSchema } from './exit-schema.ts';

function nested(levels: number): Json {
  let schema: Json = { type: 'object' };
  for (let level = 1; level < levels; level += 1) schema = { type: 'object', properties: { a: schema } };
  return schema;
}

function faultOf(schema: Json): string | null {
  const read = readExitSchema(schema);
  return 'fault' in read ? [read.fault.message, ...read.fault.at].join(' @ ') : null;
}

describe('readExitSchema', () => {
  test.each<Json>([
    DEFAULT_EXIT_SCHEMA,
    { type: 'object' },
    { type: 'object', properties: { type: { type: ['string', 'null'], maxLength: 4 }, items: true } },
    { type: 'object', properties: { a: { anyOf: [{ const: 1 }, { type: 'array', items: { enum: ['x'] } }] } } },
    { type: 'object', additionalProperties: false, required: [], properties: { pattern: { type: 'string' } } },
    nested(12),
  ])('%j is taken as it is', (schema) => {
    expect(readExitSchema(schema)).toEqual({ schema });
  });

  test.each<[Json, string]>([
    [null, 'it must be a JSON Schema with type: object'],
    [[], 'it must be a JSON Schema with type: object'],
    [{ type: ['object'] }, 'it must be a JSON Schema with type: object'],
    [{ type: 'object', properties: [] }, 'properties must hold schemas @ properties'],
    [{ type: 'object', properties: { a: 'string' } }, 'a schema must be a mapping, true or false @ properties @ a'],
    [{ type: 'object', require: ['a'] }, 'the keyword "require" cannot be used; did you mean required? @ require'],
    [{ type: 'object', required: 'a' }, 'required must be a list of names @ required'],
    [{ type: 'object', not: { $ref: '#' } }, 'the keyword "$ref" cannot be used @ not @ $ref'],
    [
      { type: 'object', properties: { a: { pattern: '(a+)+$' } } },
      'the keyword "pattern" cannot be used; say it in a description instead @ properties @ a @ pattern',
    ],
    [{ type: 'object', anyOf: [] }, 'anyOf must hold schemas @ anyOf'],
    [{ type: 'object', minProperties: -1 }, 'minProperties must be a whole number, not below 0 @ minProperties'],
    [nested(13), 'it is deeper than 12 levels'],
    [{ type: 'object', allOf: Array.from({ length: 512 }, () => true) }, 'it holds more than 512 schemas'],
    [{ type: 'object', description: 'x'.repeat(8192) }, 'it has 8226 bytes, more than 8192'],
  ])('%.80j is refused', (schema, expected) => {
    expect(faultOf(schema)?.replace('; did you mean $schema?', '')).toBe(expected);
  });

  test('property: whatever comes, it is taken as it is or refused with a reason', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const read = readExitSchema({ type: 'object', properties: value as Json });
        expect('schema' in read ? read.schema.properties : read.fault.message).toEqual(
          'schema' in read ? value : expect.stringMatching(/./),
        );
      }),
    );
  });
});
