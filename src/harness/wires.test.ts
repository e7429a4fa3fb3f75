import { expect, test } from 'vitest';
import { wireRefusal } from './wires.ts';

test('a wire that a harness does not take is refused in the fixed words', () => {
  expect(wireRefusal('messages', 'kimi-cli')).toBe('wire_api = "messages" is not supported by harness = "kimi-cli"');
});
