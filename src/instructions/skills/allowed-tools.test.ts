import { describe, expect, test } from 'vitest';
import { skillFile } from '../../../test/rig/definition-file.ts';
import { allowedToolsOf, splitToolList, unknownAllowedTools } from './allowed-tools.ts';

const TOOLS = ['read', 'edit', 'shell', 'mcp__docs__search', 'mcp__docs2__search'];
const ALIASES = { bash: 'shell', webfetch: 'fetch' };
const FILE = skillFile('/s/a/SKILL.md', 'description: d\nallowed-tools: Read, Nope(x), Bash');

function skill(allowedTools: readonly string[] | null) {
  return { name: 'a', file: FILE, allowedTools };
}

function allowed(...lists: (string[] | null)[]): string[] | null {
  const names = allowedToolsOf(lists.map(skill), TOOLS, ALIASES);
  return names === null ? null : [...names];
}

describe('splitToolList', () => {
  test.each([
    ['', []],
    ['Read', ['Read']],
    [' Read,Write  Grep ', ['Read', 'Write', 'Grep']],
    ['Bash(git add:*, git rm:*) Read', ['Bash(git add:*, git rm:*)', 'Read']],
    ['Bash(open Read', ['Bash(open Read']],
    ['a) b', ['a)', 'b']],
  ])('%j', (text, entries) => {
    expect(splitToolList(text)).toEqual(entries);
  });
});

describe('allowedToolsOf', () => {
  test.each([
    ['no skill, or none with a list, narrows nothing', [null], null],
    ['an empty list leaves nothing', [[]], []],
    ['names count in any letter case', [['Edit', 'READ']], ['read', 'edit']],
    ['aliases are other programs’ names, and parentheses do not count', [['Bash(git:*)', 'bash(rm:*)']], ['shell']],
    ['an alias of a tool that is not there adds nothing', [['WebFetch', 'constructor']], []],
    ['a server’s tools by its name, with or without a star', [['mcp__docs', 'mcp__docs2__*']], TOOLS.slice(3)],
    ['a star is every tool', [['*']], TOOLS],
    ['several lists are joined', [['read'], null, ['edit']], ['read', 'edit']],
  ])('%s', (_title, lists, expected) => {
    expect(allowed(...lists)).toEqual(expected);
  });

  test('what no tool is called is told of, at its place', () => {
    expect(unknownAllowedTools([skill(['Read', 'Nope(x)', 'Bash'])], TOOLS, ALIASES)).toEqual([
      {
        severity: 'info',
        code: 'skills/unknown-tool',
        message: 'skill "a": allowed-tools names "Nope", and no such tool is offered',
        path: '/s/a/SKILL.md',
        line: 3,
        column: 22,
      },
    ]);
  });
});
