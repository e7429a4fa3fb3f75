import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { boundWasmMemory } from './bound-wasm-memory.ts';

const EMPTY = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

test('the memory of the engine’s module is bounded, and nothing else of it changes', () => {
  const file = createRequire(import.meta.url).resolve('minijinja-js/dist/bundler/minijinja_js_bg.wasm');
  const bytes = readFileSync(file);
  const bounded = boundWasmMemory(bytes, 512);
  expect(new WebAssembly.Module(bounded)).toBeDefined();
  expect(bounded.length - bytes.length).toBeLessThanOrEqual(4);
  expect(Buffer.from(boundWasmMemory(bounded, 512)).equals(bounded)).toBe(true);
});

test('a memory with and without a maximum gets the new one', () => {
  const expected = [...EMPTY, 5, 5, 1, 1, 17, 0x80, 4];
  expect([...boundWasmMemory(Uint8Array.from([...EMPTY, 5, 3, 1, 0, 17]), 512)]).toEqual(expected);
  expect([...boundWasmMemory(Uint8Array.from([...EMPTY, 5, 4, 1, 1, 17, 99]), 512)]).toEqual(expected);
});

test('a module that cannot be bounded is refused', () => {
  for (const rest of [[], [5, 3, 1, 3, 17], [5, 3, 1, 0, 99], [5, 5, 2, 0, 1, 0, 1], [5, 0x80], [5, 3, 1, 0]]) {
    expect(() => boundWasmMemory(Uint8Array.from([...EMPTY, ...rest]), 50)).toThrow(
      'the template engine is not as expected',
    );
  }
});
