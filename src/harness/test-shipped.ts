import { describe, expect, test } from 'vitest';
import { readSubagents, renderTemplate } from '../instructions/index.ts';
import type { ShippedFacet, ShippedSubagent } from './faceted/form.ts';

type Shipped = { scheme: string; resources: Readonly<Record<string, string>> };

const VARIABLES = {
  session_cwd: '/repo',
  platform: 'linux',
  shell: '/bin/bash',
  session_date: '2026-11-30',
  active_plan: null,
};

/** A shipped text as it reaches the model where these tools are offered; what is wrong with it, in brackets. */
export function renderShipped(uri: string, { scheme, resources }: Shipped, tools: readonly string[]): string {
  const result = renderTemplate(
    {
      id: 'shipped',
      name: uri,
      text: resources[uri] ?? '',
      line: 1,
      context: {
        variables: VARIABLES,
        lenient: [],
        tools: tools.map((name) => ({ name, description: '' })),
        mcp: [],
        skills: [],
        variant: null,
      },
      transclude: {
        base: null,
        fragments: Object.fromEntries(Object.entries(resources).map(([name, text]) => [name, { text }])),
        schemes: [scheme],
      },
      embedded: [],
    },
    {},
  );
  if ('ask' in result) return '[needs the engine]';
  if (result.type === 'text') return result.segments.map(({ text }) => text).join('');
  return `[${JSON.stringify(result)}]`;
}

/** The tools that a shipped text asks for by `has_tool`. */
function toolsAskedFor(resources: Readonly<Record<string, string>>): string[] {
  const asked = Object.values(resources).flatMap((text) => [...text.matchAll(/has_tool\("([^"]*)"\)/g)]);
  return [...new Set(asked.map(([, name = '']) => name))].sort();
}

type ShippedTexts = Shipped & {
  facets: readonly ShippedFacet[];
  subagents: readonly ShippedSubagent[];
  /** Names of tools: all of this version, those that change nothing, and those of later versions. */
  all: readonly string[];
  readOnly: readonly string[];
  later: readonly string[];
};

/** What holds for the shipped texts of every harness that has facets. */
export function shippedTextsKeepTheirRules(shipped: ShippedTexts): void {
  const { resources, facets, subagents, all, readOnly, later } = shipped;
  describe('the shipped texts', () => {
    test('each renders without the engine, with whatever tools, and transcludes only what is shipped', () => {
      const sets = [[], all, readOnly, [...readOnly, ...later], ...all.map((name) => [name])];
      const wrong = Object.keys(resources).flatMap((uri) =>
        sets.map((tools) => renderShipped(uri, shipped, tools)).filter((text) => /^\[|\{[{%#]|\n{3}/.test(text)),
      );
      expect(wrong).toEqual([]);
    });

    test('none is longer than what a prompt can spare for it', () => {
      const long = Object.entries(resources).filter(([, text]) => Buffer.byteLength(text) > 4 * 1024);
      expect(long.map(([uri]) => uri)).toEqual([]);
    });

    test('none names a tool that this version or a later one does not have', () => {
      expect(toolsAskedFor(resources).filter((name) => ![...all, ...later].includes(name))).toEqual([]);
    });

    test('a tool that is not offered is not spoken of', () => {
      const spoken = Object.keys(resources).flatMap((uri) => {
        const text = renderShipped(uri, shipped, []);
        return [...all, ...later].filter((name) => text.includes(`\`${name}\``)).map((name) => `${uri}: ${name}`);
      });
      expect(spoken).toEqual([]);
    });

    test('each facet denies and leaves undeferred tools that there are or will be', () => {
      const named = facets.flatMap(({ keys }) => [
        ...(keys.tools_deny as string[]),
        ...(keys.undeferred_tools as string[]),
      ]);
      expect(named.filter((name) => ![...all, ...later].includes(name))).toEqual([]);
    });

    test('each subagent is read without a word, and names no tool that changes anything', () => {
      const { subagents: read, diagnostics } = readSubagents([], subagents, {
        productKeys: ['rein'],
        knownTools: [...all, ...later],
      });
      expect([read.length, diagnostics, read.filter(({ keys }) => keys.spawns)]).toEqual([subagents.length, [], []]);
      const named = read.flatMap(({ keys }) => keys.tools ?? []).filter((name) => !name.startsWith('tag!'));
      expect(named.filter((name) => ![...readOnly, ...later].includes(name))).toEqual([]);
    });
  });
}
