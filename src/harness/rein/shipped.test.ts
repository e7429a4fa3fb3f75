import { describe, expect, test } from 'vitest';
import { layoutText, subagentList } from '../../instructions/index.ts';
import { specsOf } from '../test-scenario.ts';
import { renderShipped, shippedTextsKeepTheirRules } from '../test-shipped.ts';
import { REIN_FORM } from './form.ts';
import { REIN_FACETS, REIN_RESOURCES } from './shipped.ts';
import { REIN_SUBAGENTS } from './subagents.ts';
import { REIN_TOOLS, reinExitFace, reinFacetFace, reinSkillFace, reinSubagentFace } from './tools.ts';

const SHIPPED = { scheme: 'rein', resources: REIN_RESOURCES };
const SESSION_FACES = [
  reinSkillFace([]),
  reinFacetFace(REIN_FACETS.map(({ name }) => name)),
  reinSubagentFace(subagentList(REIN_SUBAGENTS.map((shipped) => ({ ...shipped, file: null })))),
];
const ALL = [...REIN_TOOLS, ...SESSION_FACES].map(({ name }) => name);
const LATER = [...REIN_FORM.laterTools, reinExitFace({}).name];
const WITH_SUBAGENTS = ['subagent', 'message_subagent'];
const READ_ONLY = ALL.filter((name) => !['edit', 'write', 'switch_facet'].includes(name));

const facet = (name: string, tools: readonly string[]): string =>
  renderShipped(`rein://facets/${name}.md`, SHIPPED, tools);
const headings = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('# '));

shippedTextsKeepTheirRules({
  ...SHIPPED,
  facets: REIN_FACETS,
  subagents: REIN_SUBAGENTS,
  all: ALL,
  readOnly: READ_ONLY,
  later: LATER,
});

describe('the base prompt', () => {
  const SECTIONS = ['How to work', 'Tools', 'Care', 'Project instructions', 'Answers', 'Environment'];

  test('is the whole of the facet execute', () => {
    expect(facet('execute', ALL)).toBe(renderShipped('rein://system_prompts/facet.md', SHIPPED, ALL));
    expect(headings(facet('execute', ALL))).toEqual(SECTIONS.map((name) => `# ${name}`));
  });

  test('has no section on tools where there is nothing to say of them', () => {
    const without = ['# How to work', '# Care', '# Project instructions', '# Answers', '# Environment'];
    expect([headings(facet('execute', [])), headings(facet('execute', ['read', 'todo']))]).toEqual([without, without]);
  });

  test('with all tools', async () => {
    await expect(facet('execute', ALL)).toMatchFileSnapshot('./goldens/execute.md');
  });

  test('and the tools leave room in the 16 KB of a first request', () => {
    const tools = specsOf([...REIN_TOOLS, ...SESSION_FACES]).filter(({ name }) => !name.endsWith('_plan'));
    expect(Buffer.byteLength(facet('execute', ALL) + JSON.stringify(tools))).toBeLessThan(15 * 1024);
  });
});

describe('the other facets', () => {
  test('plan, with the tools that it leaves', async () => {
    await expect(facet('plan', READ_ONLY)).toMatchFileSnapshot('./goldens/plan.md');
  });

  test('plan, where nothing is handed over and there are no subagents', async () => {
    const text = facet(
      'plan',
      READ_ONLY.filter((name) => !['handoff_plan', ...WITH_SUBAGENTS].includes(name)),
    );
    await expect(text.slice(text.indexOf('# Planning'))).toMatchFileSnapshot('./goldens/plan-alone.md');
  });

  test('orchestrate, without subagents and with them', async () => {
    const shown = [ALL.filter((name) => !WITH_SUBAGENTS.includes(name)), ALL].map((tools) => {
      const text = facet('orchestrate', tools);
      return text.slice(text.indexOf('# Orchestrating'));
    });
    await expect(shown.join('\n\n---\n\n')).toMatchFileSnapshot('./goldens/orchestrate.md');
  });
});

test('the tool that switches facets names them', () => {
  expect(layoutText(reinFacetFace(['plan', 'mine']).description)).toBe(
    'Switch the facet: from the next request on, other instructions and tools are in force. Only where the user wants it. Facets: plan, mine.',
  );
});
