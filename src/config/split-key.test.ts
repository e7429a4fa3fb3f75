import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dottedKey } from './shown-key.ts';
import { splitKey } from './split-key.ts';

test.each([
  ['shell.timeout_ms', ['shell', 'timeout_ms']],
  ['providers."llama.cpp".retries', ['providers', 'llama.cpp', 'retries']],
  [
    'providers.ollama.models."qwen2.5:7b".context_window',
    ['providers', 'ollama', 'models', 'qwen2.5:7b', 'context_window'],
  ],
  ['providers.ollama.models.qwen3-coder:30b', ['providers', 'ollama', 'models', 'qwen3-coder:30b']],
  ['"a\\"b"', ['a"b']],
  ['', null],
  ['a.', null],
  ['.a', null],
  ['a..b', null],
  ['"a', null],
  ['"a"b', null],
  ['a"b"', null],
  ['""', null],
])('the key %s is the names %j', (key, names) => {
  expect(splitKey(key)).toEqual(names);
});

test('a key that messages and reports show is the one that is taken', () => {
  const name = fc.string({ minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 3 }), (path) => {
      expect(splitKey(dottedKey(path))).toEqual(path);
    }),
  );
});
