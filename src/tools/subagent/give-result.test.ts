import { expect, test } from 'vitest';
import type { Json, JsonSchema } from '../../model/index.ts';
import { giveResult } from './give-result.ts';

const SCHEMA: JsonSchema = {
  type: 'object',
  required: ['verdict'],
  properties: {
    verdict: { enum: ['good', 'bad'] },
    list: { type: 'array', items: { allOf: [{ type: 'object', required: ['file'] }] } },
    deep: {},
  },
  additionalProperties: false,
};

async function told(value: Json, schema: JsonSchema = SCHEMA): Promise<string> {
  const outcome = await giveResult({ value, schema });
  return 'error' in outcome ? `${outcome.error.code}: ${outcome.error.message}` : 'taken';
}

test('a result that fits the schema is one event of its session', async () => {
  const value = { verdict: 'good', list: [{ file: 'a' }] };
  expect(await giveResult({ value, schema: SCHEMA })).toEqual({
    value: { value },
    observed: [],
    events: [{ type: 'agent-result', value }],
  });
});

test('what does not fit is told with the place of each mistake, not of what it lies in', async () => {
  expect(await told({ verdict: 'so so', list: [{}, { file: 'a' }, {}], more: 1 })).toBe(
    [
      'exit/invalid: The result is not what is asked for:',
      '/verdict: Instance does not match any of ["good","bad"].',
      '/list/0: Instance does not have required property "file".',
      '/list/2: Instance does not have required property "file".',
      '/more: Nothing may stand here: leave it out.',
    ].join('\n'),
  );
});

test('ten mistakes are told, the rest is counted', async () => {
  const lines = (await told({ verdict: 'good', list: Array.from({ length: 30 }, () => 1) })).split('\n');
  expect([lines.length, /^\[\d+ more\]$/.test(lines.at(-1) ?? '')]).toEqual([12, true]);
});

test('as many mistakes as a result can hold are looked through in little time', { timeout: 20_000 }, async () => {
  const list = Array.from({ length: 60_000 }, () => ({}));
  expect(await told({ verdict: 'good', list })).toMatch(
    /^exit\/invalid: The result is not what is asked for:\n\/list\/0/,
  );
});

test('more mistakes of one value than the check can hand on are a mistake all the same', {
  timeout: 20_000,
}, async () => {
  const anyOf = Array.from({ length: 400 }, (_, index) => ({ const: -1 - index }));
  const schema = { type: 'object', properties: { list: { type: 'array', items: { anyOf } } } };
  expect(await told({ list: Array.from({ length: 2000 }, (_, index) => index) }, schema)).toMatch(/^exit\/invalid: /);
});

test('what is too long or too deep is told with what to do', async () => {
  let deep: Json = 1;
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect([await told({ verdict: 'good', deep }), await told({ verdict: 'good', deep: 'x'.repeat(300_000) })]).toEqual([
    'exit/too-deep: The result is deeper than 64 levels: make it flatter.',
    'exit/too-long: The result has 300028 bytes, more than 262144: write what is long into a file and give its path.',
  ]);
});
