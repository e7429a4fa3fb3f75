import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT } from '../print/index.ts';
import { spelling } from './help.ts';
import { COMMANDS, COMMANDS_NOT_BUILT, OPTIONS } from './table.ts';

const cli = readFileSync(join(import.meta.dirname, '../../docs/cli.md'), 'utf8');

/** The first cells of all tables under a heading, code marks removed. */
function firstCells(heading: string): string[] {
  const section = cli.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `') || /^\| \d/.test(line))
    .map((line) => (line.split(' | ')[0] ?? '').replace(/^\| `?|`$/g, ''));
}

test('docs/cli.md has each option of the table once, spelt as in the help', () => {
  expect(firstCells('Options').sort()).toEqual(OPTIONS.map(spelling).sort());
});

test('docs/cli.md names each command, and what is not built yet', () => {
  const notBuilt = /^Not in this version yet[\s\S]*?\n\n/m.exec(cli)?.[0] ?? '';
  expect([...notBuilt.matchAll(/`(?:rein )?([a-z-]+)`/g)].map(([, word]) => word ?? '').sort()).toEqual(
    ['rein', '-p', ...COMMANDS_NOT_BUILT].sort(),
  );
  const head = cli.split(/^## /m)[0] ?? '';
  const listed = [...head.matchAll(/^ {4}rein ([a-z]+)/gm)].map(([, word]) => word);
  expect(listed).toEqual(COMMANDS.map(({ name }) => name).filter((name) => name !== ''));
});

test('docs/cli.md has each exit code', () => {
  expect(firstCells('Exit codes').map((cell) => Number.parseInt(cell, 10))).toEqual(Object.values(EXIT));
});
