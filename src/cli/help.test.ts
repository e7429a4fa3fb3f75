import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { helpText } from './help.ts';
import { COMMANDS, COMMANDS_NOT_BUILT, OPTIONS } from './table.ts';
import { VERSION } from './version.ts';

test('the version is that of the package', () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    version: string;
  };
  expect(VERSION).toBe(version);
});

test('every option a command names is described, and every described one belongs to a command', () => {
  const used = new Set(COMMANDS.flatMap(({ options }) => options));
  expect([...used].sort()).toEqual(OPTIONS.map(({ name }) => name).sort());
});

test('what is not built is not in the help', () => {
  const all = COMMANDS.map(helpText).join('');
  const words = [...COMMANDS_NOT_BUILT.map((name) => `rein ${name}`)];
  expect(words.filter((word) => all.includes(word))).toEqual([]);
});

test('no line of the help is wider than a hundred columns', () => {
  const wide = COMMANDS.flatMap((command) => helpText(command).split('\n')).filter((line) => line.length > 100);
  expect(wide).toEqual([]);
});

test('the help of a command gives its usage, what it does and its options', () => {
  const demo = COMMANDS.find(({ name }) => name === 'demo');
  expect(demo && helpText(demo)).toBe(`Usage: rein demo [--keep]

A sample repository, a scripted model, the real loop; needs no key and no network.

Options:
  --keep                            leave the temporary directory in place
  -h, --help                        this help
`);
});
