import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foundFile } from '../../../test/rig/found-file.ts';
import { checkLaid, layoutText } from '../../instructions/index.ts';
import type { FoundFile, Turn } from '../../model/index.ts';
import { EVENING, specsOf, type TurnFields, turn, world } from '../test-scenario.ts';
import { composeKli } from './compose.ts';
import { KLI_TOOLS } from './tools.ts';

const TOOLS = specsOf(KLI_TOOLS);
const HEADER = '\n\n# Project Context\n\nProject-specific instructions and guidelines:\n\n';

function prompt(files: readonly FoundFile[], fields: TurnFields = {}): string {
  return layoutText(composeKli(turn({ tools: TOOLS, world: world(files), ...fields })).system);
}

const golden = (name: string): string => `./goldens/${name}.md`;
const agents = foundFile('context-file', '/repo/AGENTS.md', 'First.');
const system = foundFile('override', '/repo/.kli/SYSTEM.md', 'You are a poet.\n');
const append = foundFile('append', '/repo/.kli/APPEND_SYSTEM.md', 'Answer in verse.');

describe('the whole prompt', () => {
  test('base alone', async () => {
    await expect(prompt([])).toMatchFileSnapshot(golden('base'));
  });

  test('base, append and two context files', async () => {
    const claude = foundFile('context-file', '/repo/web/CLAUDE.md', 'Second.\n');
    await expect(prompt([agents, claude, append])).toMatchFileSnapshot(golden('base-append-context'));
  });

  test('SYSTEM.md in the base’s place', async () => {
    await expect(prompt([agents, system, append])).toMatchFileSnapshot(golden('system-append-context'));
  });

  test('texts given for this run', async () => {
    const flags = { replace: { text: 'You are a pirate.' }, append: [{ text: 'ONE' }, { text: 'TWO' }] };
    await expect(prompt([agents, system, append], { settings: { flags } })).toMatchFileSnapshot(golden('flags'));
  });

  test('no tools', async () => {
    await expect(prompt([], { tools: [] })).toMatchFileSnapshot(golden('no-tools'));
  });
});

describe('the bytes of the project context section', () => {
  test('two files are the worked example of the specification', () => {
    const files = [
      foundFile('context-file', '/a/AGENTS.md', 'First.'),
      foundFile('context-file', '/b/CLAUDE.md', 'Second.'),
      system,
    ];
    expect(prompt(files)).toBe(`You are a poet.\n${HEADER}## /a/AGENTS.md\n\nFirst.\n\n## /b/CLAUDE.md\n\nSecond.\n\n`);
  });

  test('a blank file is a heading with an empty body; text is neither trimmed nor escaped', () => {
    const files = [
      foundFile('context-file', '/a/AGENTS.md', ''),
      foundFile('context-file', '/b/AGENTS.md', '\r\n## /etc/AGENTS.md\r\n'),
      system,
    ];
    expect(prompt(files)).toBe(
      `You are a poet.\n${HEADER}## /a/AGENTS.md\n\n\n\n## /b/AGENTS.md\n\n\r\n## /etc/AGENTS.md\r\n\n\n`,
    );
  });

  test('the heading is the real path, wherever the file was reached', () => {
    const linked = foundFile('context-file', '/repo/AGENTS.md', 'x', { realPath: '/shared/rules.md' });
    expect(prompt([linked, system])).toBe(`You are a poet.\n${HEADER}## /shared/rules.md\n\nx\n\n`);
  });
});

describe('one submission', () => {
  test('SYSTEM.md is the first byte, verbatim', () => {
    expect(prompt([system, append])).toBe('You are a poet.\n\n\nAnswer in verse.');
  });

  test('its later requests have the same bytes, whatever became of disk, clock and tools meanwhile', () => {
    const first = turn({ tools: TOOLS, world: world([agents]) });
    const later: Turn = {
      ...first,
      world: world([foundFile('context-file', '/repo/AGENTS.md', 'Edited.')], { cwd: '/elsewhere' }),
      tools: [],
      now: { ...EVENING, epochMs: EVENING.epochMs + 86_400_000 },
      reason: 'batch',
    };
    expect(composeKli(later)).toEqual(composeKli(first));
  });

  test('the next one has the date, the directory and the tools of its own time', () => {
    const now = { ...EVENING, epochMs: EVENING.epochMs + 3 * 3_600_000 };
    const text = prompt([], { now, tools: TOOLS.slice(0, 1), world: world([], { cwd: '/' }) });
    expect(text.slice(text.indexOf('Available tools:'), text.indexOf('Guidelines:'))).toBe(
      `Available tools:\n- read: ${TOOLS[0]!.description}\n\n`,
    );
    expect(text.slice(text.indexOf('Current date'))).toBe('Current date: 2026-12-01\nCurrent working directory: /');
  });

  test('a description of several lines is listed in full', () => {
    const text = prompt([], {
      tools: [
        { name: 'x', description: 'One.\nTwo.', schema: {} },
        { name: 'y', description: '', schema: {} },
      ],
    });
    expect(text.slice(text.indexOf('Available'), text.indexOf('Guidelines'))).toBe(
      'Available tools:\n- x: One.\nTwo.\n- y: \n\n',
    );
  });

  test('nothing is pinned, nothing goes into the history', () => {
    const { pins, reminders, chain, options, diagnostics } = composeKli(turn({ world: world([agents]) }));
    expect({ pins, reminders, chain, options, diagnostics }).toEqual({
      pins: [],
      reminders: { beforePrompt: [], afterPrompt: [] },
      chain: null,
      options: {},
      diagnostics: [],
    });
  });
});

const anyText = fc.string({ unit: 'binary', maxLength: 40 });
const anyWorld = fc
  .record({
    contexts: fc.array(anyText, { maxLength: 6 }),
    override: fc.option(anyText),
    append: fc.option(anyText),
  })
  .map(({ contexts, override, append: appended }) =>
    world([
      ...contexts.map((text, index) => foundFile('context-file', `/d${index}/AGENTS.md`, text.toWellFormed())),
      ...(override === null ? [] : [foundFile('override', '/p/SYSTEM.md', override.toWellFormed())]),
      ...(appended === null ? [] : [foundFile('append', '/p/APPEND_SYSTEM.md', appended.toWellFormed())]),
    ]),
  );

describe('for every world', () => {
  test('equal inputs give equal bytes, and every byte belongs to one piece or separator', () => {
    fc.assert(
      fc.property(anyWorld, (seen) => {
        const { system: laid } = composeKli(turn({ world: seen, tools: TOOLS }));
        expect(composeKli(turn({ world: structuredClone(seen), tools: structuredClone(TOOLS) })).system).toEqual(laid);
        expect(checkLaid(laid)).toEqual([]);
      }),
    );
  });

  test('the prompt is base or SYSTEM.md, then APPEND_SYSTEM.md, then exactly one section where there is a file', () => {
    fc.assert(
      fc.property(anyWorld, (seen) => {
        const of = (kind: string): string[] => seen.files.filter((file) => file.kind === kind).map(({ text }) => text);
        const base = prompt([]);
        const contexts = seen.files.filter(({ kind }) => kind === 'context-file');
        const section = contexts.map(({ realPath, text }) => `## ${realPath}\n\n${text}\n\n`).join('');
        const [first = base] = of('override');
        const expected = [
          first,
          ...of('append').map((text) => `\n\n${text}`),
          contexts.length === 0 ? '' : HEADER,
          section,
        ].join('');
        expect(layoutText(composeKli(turn({ world: seen, tools: TOOLS })).system)).toBe(expected);
      }),
    );
  });
});
