import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parsePlain } from '../../src/instructions/template/plain-template.ts';

const harnesses = join(import.meta.dirname, '../../src/harness');

/** Templates are written in braces; a prompt without any is plain by itself. */
function shippedPrompts(): string[] {
  const files = readdirSync(harnesses, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
  return files.filter((file) => /^[^/]+\/prompts\/.*\.md$/.test(file)).sort();
}

test('every shipped prompt renders without the template engine', () => {
  const prompts = shippedPrompts();
  expect(prompts.length).toBeGreaterThan(0);
  expect(prompts.filter((file) => parsePlain(readFileSync(join(harnesses, file), 'utf8')) === null)).toEqual([]);
});
