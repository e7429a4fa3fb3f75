import { describe, expect, test } from 'vitest';
import { subagentFile } from '../../../test/rig/definition-file.ts';
import { formatDiagnostic } from '../../base/index.ts';
import type { FoundFile } from '../../model/index.ts';
import { DEFAULT_EXIT_SCHEMA } from './exit-schema.ts';
import { checkSubagent, readSubagents } from './read-subagents.ts';

const RULES = { productKeys: ['rein', 'polytoken'], knownTools: ['read', 'grep'] };
const SHIPPED = { name: 'a', description: 'Shipped.', uri: 'rein://subagents/a.md', text: 'S', keys: {} };

function said(file: FoundFile): string[] {
  return checkSubagent(file, RULES).map(formatDiagnostic);
}

describe('readSubagents', () => {
  test('takes the keys of facets and its own', () => {
    const head = `name: a
description: Reads.
rein:
  model: p/m
  tools: [read]
  tools_deny: [grep]
  skills_allow: ['tag!x']
  inherit_tools: false
  allow_subagent_spawn: true
  project_instructions: false
  exit_tool_schema: { type: object, properties: { n: { type: integer } } }`;
    const file = subagentFile('/r/a.md', head);
    expect(readSubagents([file], [SHIPPED], RULES)).toEqual({
      subagents: [
        {
          name: 'a',
          description: 'Reads.',
          scope: 'project',
          path: '/r/a.md',
          uri: null,
          file,
          body: { text: 'Body.\n', line: 14 },
          keys: {
            model: 'p/m',
            fallbackModels: [],
            tools: ['read'],
            toolsDeny: ['grep'],
            undeferredTools: [],
            skillsAllow: ['tag!x'],
            skillsDeny: [],
            inheritTools: false,
            spawns: true,
            projectInstructions: false,
            exitSchema: { type: 'object', properties: { n: { type: 'integer' } } },
          },
        },
      ],
      diagnostics: [],
    });
  });

  test('the project’s replaces the user’s, and that the shipped one; what is rejected leaves its name to the next', () => {
    const project = subagentFile('/r/a.md', 'name: b\ndescription: d');
    const user = subagentFile('/u/a.md', 'name: a\ndescription: User.', 'U', { scope: 'user' });
    const of = (files: FoundFile[]): (string | undefined)[] =>
      readSubagents(files, [SHIPPED], RULES).subagents.map(({ description }) => description);
    const good = subagentFile('/r/a.md', 'name: a\ndescription: Project.');
    expect([of([good, user]), of([project, user]), of([project])]).toEqual([['Project.'], ['User.'], ['Shipped.']]);
  });

  test('one that says nothing has all tools, cannot start others, and gives a summary', () => {
    const [one] = readSubagents([], [SHIPPED], RULES).subagents;
    expect(one?.keys).toMatchObject({
      tools: null,
      inheritTools: false,
      spawns: false,
      projectInstructions: true,
      exitSchema: DEFAULT_EXIT_SCHEMA,
    });
  });
});

describe('what is wrong with a file is told, at its place', () => {
  test.each([
    [
      'name: b\ndescription: d',
      ['/r/a.md:2:1: error: its name is "b", and the file’s is "a"; they must be the same; the subagent is not used'],
    ],
    ['name: a', ['/r/a.md:1:1: error: it needs a description, by which it is chosen; the subagent is not used']],
    [
      'name: a\ndescription: ""',
      ['/r/a.md:3:1: error: it needs a description, by which it is chosen; the subagent is not used'],
    ],
    [
      'name: a\ndescription: d\nrein:\n  allow_subagent_spawn: maybe',
      ['/r/a.md:5:3: warning: allow_subagent_spawn must be true or false; it is ignored'],
    ],
    [
      'name: a\ndescription: d\nrein:\n  inherit_tool: true',
      ['/r/a.md:5:3: info: there is no key "inherit_tool" for subagents; did you mean inherit_tools?'],
    ],
    [
      'name: a\ndescription: d\nrein:\n  inherit_tools: true\n  tools: [red]',
      [
        '/r/a.md:5:3: warning: with tools beside it, inherit_tools gives only those of the caller’s tools that are listed',
        '/r/a.md:6:11: warning: tools: there is no tool "red"; did you mean read?',
      ],
    ],
    [
      'name: a\ndescription: d\nrein:\n  tools: read',
      ['/r/a.md:5:3: error: tools must be a list of at most 512 names; the subagent is not used'],
    ],
    [
      'name: a\ndescription: d\nexit_tool_schema: {}',
      ['/r/a.md:4:1: warning: exit_tool_schema has no effect here; it belongs below rein:'],
    ],
    [
      'name: a\ndescription: d\nrein:\n  exit_tool_schema: { type: array }',
      ['/r/a.md:5:3: error: exit_tool_schema: it must be a JSON Schema with type: object; the subagent is not used'],
    ],
    [
      'name: a\ndescription: d\nrein:\n  exit_tool_schema:\n    type: object\n    properties:\n      n: { type: int }',
      [
        '/r/a.md:8:12: error: exit_tool_schema: type must be one of string, number, integer, boolean, object, array, null, or a list of them; the subagent is not used',
      ],
    ],
  ])('%j', (head, expected) => {
    expect(said(subagentFile('/r/a.md', head))).toEqual(expected);
  });
});
