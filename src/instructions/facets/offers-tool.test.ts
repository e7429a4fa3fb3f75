import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FacetKeys } from './facet.ts';
import { type NamedTool, offersTool } from './offers-tool.ts';
import { readFacetKeys } from './read-facet-keys.ts';

const { keys: NONE } = readFacetKeys({ key: null, value: undefined }, { path: '', position: () => ({}) });

function withKeys(keys: Partial<FacetKeys>): { keys: FacetKeys } {
  return { keys: { ...NONE, ...keys } };
}

const READ: NamedTool = { name: 'read' };
const SWITCH: NamedTool = { name: 'switch_facet' };
const SEARCH: NamedTool = { name: 'mcp__docs__search', mcpServer: 'docs' };
const OTHER: NamedTool = { name: 'mcp__docs__b__search', mcpServer: 'docs__b' };
const ALL = [READ, SWITCH, SEARCH, OTHER];

function offered(keys: Partial<FacetKeys>): string[] {
  return ALL.filter((tool) => offersTool(withKeys(keys), tool, ['switch_facet'])).map(({ name }) => name);
}

describe('offersTool', () => {
  test.each<[string, Partial<FacetKeys>, NamedTool[]]>([
    ['no list is all but what must be named', {}, [READ, SEARCH, OTHER]],
    ['an empty list is none', { tools: [] }, []],
    ['names are literal', { tools: ['read', 'Switch_facet'] }, [READ]],
    ['tag!ALL is what no server has', { tools: ['tag!ALL', 'switch_facet'] }, [READ, SWITCH]],
    ['tag!ALL_MCP is what servers have', { tools: ['tag!ALL_MCP'] }, [SEARCH, OTHER]],
    ['a server is that server alone', { tools: ['mcp__docs'] }, [SEARCH]],
    ['a server’s tool is that tool alone', { tools: ['mcp__docs__b__search'] }, [OTHER]],
    ['a denial follows', { tools: ['tag!ALL', 'tag!ALL_MCP'], toolsDeny: ['read', 'tag!ALL_MCP'] }, []],
    ['a denied server is known by its tools’ names, too', { toolsDeny: ['mcp__docs'] }, [READ]],
    ['denying all has no exception', { tools: ['switch_facet'], toolsDeny: ['tag!ALL'] }, []],
  ])('%s', (_title, keys, expected) => {
    expect(offered(keys)).toEqual(expected.map(({ name }) => name));
  });

  test('an entry never reaches beyond what the same facet has without a list or by name, and a denial only takes', () => {
    const entries = fc.array(fc.constantFrom('read', 'switch_facet', 'tag!ALL', 'tag!ALL_MCP', 'mcp__docs', 'x'));
    fc.assert(
      fc.property(entries, entries, (tools, toolsDeny) => {
        const before = offered({ tools });
        const after = offered({ tools, toolsDeny });
        expect(before.filter((name) => after.includes(name))).toEqual(after);
        expect(before.filter((name) => name === 'switch_facet' && !tools.includes(name))).toEqual([]);
      }),
    );
  });
});
