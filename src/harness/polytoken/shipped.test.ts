import { describe, expect, test } from 'vitest';
import { subagentList } from '../../instructions/index.ts';
import { specsOf, turn } from '../test-scenario.ts';
import { renderShipped, shippedTextsKeepTheirRules } from '../test-shipped.ts';
import { POLYTOKEN_FORM } from './form.ts';
import { POLYTOKEN_FACETS, POLYTOKEN_RESOURCES } from './shipped.ts';
import { POLYTOKEN_SUBAGENTS } from './subagents.ts';
import {
  polytokenExitFace,
  polytokenFacetFace,
  polytokenSkillFace,
  polytokenSubagentFace,
  polytokenTools,
} from './tools.ts';

const TOOLS = polytokenTools(turn().settings);
const SHIPPED = { scheme: 'polytoken', resources: POLYTOKEN_RESOURCES };
const SESSION_FACES = [
  polytokenSkillFace([]),
  polytokenFacetFace(POLYTOKEN_FACETS.map(({ name }) => name)),
  polytokenSubagentFace(subagentList(POLYTOKEN_SUBAGENTS.map((shipped) => ({ ...shipped, file: null })))),
];
const ALL = [...TOOLS, ...SESSION_FACES].map(({ name }) => name);
const LATER = [...POLYTOKEN_FORM.laterTools, polytokenExitFace({}).name];
const WITH_SUBAGENTS = ['subagent', 'message_subagent'];
const READ_ONLY = ALL.filter((name) => !['file_edit_search_replace', 'file_write', 'switch_facet'].includes(name));

const facet = (name: string, tools: readonly string[]): string =>
  renderShipped(`polytoken://facets/${name}.md`, SHIPPED, tools);
const headings = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('# '));

shippedTextsKeepTheirRules({
  ...SHIPPED,
  facets: POLYTOKEN_FACETS,
  subagents: POLYTOKEN_SUBAGENTS,
  all: ALL,
  readOnly: READ_ONLY,
  later: LATER,
});

describe('the base prompt', () => {
  const SECTIONS = ['How to work', 'Tools', 'Care', 'Project instructions', 'Answers', 'Environment'];

  test('is the whole of the facet execute', () => {
    expect(facet('execute', ALL)).toBe(renderShipped('polytoken://system_prompts/facet.md', SHIPPED, ALL));
    expect(headings(facet('execute', ALL))).toEqual(SECTIONS.map((name) => `# ${name}`));
  });

  test('has no section on tools where there is nothing to say of them', () => {
    const without = ['# How to work', '# Care', '# Project instructions', '# Answers', '# Environment'];
    expect([headings(facet('execute', [])), headings(facet('execute', ['file_read', 'todo_list']))]).toEqual([
      without,
      without,
    ]);
  });

  test('with all tools', async () => {
    await expect(facet('execute', ALL)).toMatchFileSnapshot('./goldens/execute.md');
  });

  test('and the tools stay below 20 KB', () => {
    const tools = specsOf([...TOOLS, ...SESSION_FACES]);
    expect(Buffer.byteLength(facet('execute', ALL) + JSON.stringify(tools))).toBeLessThan(20 * 1024);
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

test('no text speaks of another program', () => {
  expect(Object.values(POLYTOKEN_RESOURCES).filter((text) => /\brein\b/i.test(text))).toEqual([]);
});
