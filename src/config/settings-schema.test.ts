import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { parseSettings } from './parse-settings.ts';
import { RULES } from './schema.ts';
import { SETTING_KEYS, settingsSchema } from './settings-schema.ts';

const schema = settingsSchema();
const validate = new Ajv({ strict: true, allErrors: true }).compile(schema);

function nested(path: readonly string[], value: unknown): object {
  const [name = '', ...rest] = path;
  return { [name]: rest.length === 0 ? value : nested(rest, value) };
}

async function told(text: string): Promise<string[]> {
  const { diagnostics } = await parseSettings(text, '/settings.json', 'user');
  return diagnostics.map(({ message }) => message);
}

test('every setting is in the schema, with what it means', () => {
  const described = (key: string): unknown => {
    let at: typeof schema | undefined = schema;
    for (const name of key.split('.')) {
      const other: boolean | typeof schema | undefined = at?.additionalProperties;
      at = name === '*' ? (typeof other === 'object' ? other : undefined) : at?.properties?.[name];
    }
    return at?.description;
  };
  expect(Object.fromEntries(SETTING_KEYS.map((key) => [key, described(key)]))).toEqual(
    Object.fromEntries(Object.entries(RULES).map(([key, { about }]) => [key, about])),
  );
});

const scalar = fc.oneof(
  fc.constantFrom('', ' ', 'x', 'chat', 'ask', 'effort', 'http://h/v1', 'HTTPS://h', 'ftp://h', 'A_1', '1A', 'a\tb'),
  fc.constantFrom(-1, 0, 1, 1.5, 20, 21, 86_400_000, 86_400_001, 1_000_000_001),
  fc.boolean(),
  fc.constant(null),
);
const anyValue = fc.oneof(
  { weight: 5, arbitrary: scalar },
  fc.array(fc.constantFrom('A_1', '1A', 'text', 'image'), { maxLength: 3 }),
  fc.array(fc.constantFrom('a.lan', '*.lan', '127.0.0.1', '[::1]', '::1', 'a:80', 'http://a', '*', 'a..b', ''), {
    maxLength: 2,
  }),
  fc.constantFrom<unknown>({}, { env: 'A_1' }, { env: '1A' }, { env: 'A', more: 1 }, { odd: [1] }, [3]),
);
const anyKey = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...SETTING_KEYS.map((key) => key.replaceAll('*', 'mine'))) },
  fc.constantFrom('modle', 'shell', 'shell.timeout', 'providers', 'providers.mine', 'providers.mine.models.m.x'),
);

test('the schema accepts a file exactly where the program has nothing to say about it', async () => {
  await fc.assert(
    fc.asyncProperty(anyKey, anyValue, async (key, value) => {
      const text = JSON.stringify(nested(key.split('.'), value));
      expect({ text, accepted: validate(JSON.parse(text)) }).toEqual({
        text,
        accepted: (await told(text)).length === 0,
      });
    }),
    { numRuns: 2000 },
  );
});

test('every settings file that the documentation shows is a good one', async () => {
  const docs = join(import.meta.dirname, '../../docs');
  const pages = readdirSync(docs).filter((name) => name.endsWith('.md'));
  const shown = pages.flatMap((name) =>
    [...readFileSync(join(docs, name), 'utf8').matchAll(/^```jsonc\n([\s\S]*?)^```$/gm)].map(([, text = '']) => ({
      name,
      text,
    })),
  );
  expect(shown.map(({ name }) => name)).toContain('settings.md');
  for (const { name, text } of shown) {
    validate(parse(text, [], { allowTrailingComma: true }));
    expect({ name, errors: validate.errors, told: await told(text) }).toEqual({ name, errors: null, told: [] });
  }
});
