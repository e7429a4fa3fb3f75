import { describe, expect, test } from 'vitest';
import { specsOf, turn } from '../test-scenario.ts';
import { renderShipped, toolsAskedFor } from '../test-shipped.ts';
import { POLYTOKEN_FORM } from './form.ts';
import { POLYTOKEN_FACETS, POLYTOKEN_RESOURCES } from './shipped.ts';
import { polytokenFacetFace, polytokenSkillFace, polytokenTools } from './tools.ts';

const TOOLS = polytokenTools(turn().settings);
const SHIPPED = { scheme: 'polytoken', resources: POLYTOKEN_RESOURCES };
const SESSION_FACES = [polytokenSkillFace([]), polytokenFacetFace(POLYTOKEN_FACETS.map(({ name }) => name))];
const ALL = [...TOOLS, ...SESSION_FACES].map(({ name }) => name);
const LATER = POLYTOKEN_FORM.laterTools;
const READ_ONLY = ALL.filter((name) => !['file_edit_search_replace', 'file_write', 'switch_facet'].includes(name));

const facet = (name: string, tools: readonly string[]): string =>
  renderShipped(`polytoken://facets/${name}.md`, SHIPPED, tools);
const headings = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('# '));

describe('the shipped texts', () => {
  test('each renders without the engine, with whatever tools, and transcludes only what is shipped', () => {
    const sets = [[], ALL, READ_ONLY, [...READ_ONLY, ...LATER], ...ALL.map((name) => [name])];
    const wrong = Object.keys(POLYTOKEN_RESOURCES).flatMap((uri) =>
      sets.map((tools) => renderShipped(uri, SHIPPED, tools)).filter((text) => /^\[|\{[{%#]|\n{3}/.test(text)),
    );
    expect(wrong).toEqual([]);
  });

  test('none is longer than what a prompt can spare for it', () => {
    const long = Object.entries(POLYTOKEN_RESOURCES).filter(([, text]) => Buffer.byteLength(text) > 4 * 1024);
    expect(long.map(([uri]) => uri)).toEqual([]);
  });

  test('none names a tool that this version or a later one does not have', () => {
    expect(toolsAskedFor(POLYTOKEN_RESOURCES).filter((name) => ![...ALL, ...LATER].includes(name))).toEqual([]);
  });

  test('a tool that is not offered is not spoken of', () => {
    const spoken = Object.keys(POLYTOKEN_RESOURCES).flatMap((uri) => {
      const text = renderShipped(uri, SHIPPED, []);
      return [...ALL, ...LATER].filter((name) => text.includes(`\`${name}\``)).map((name) => `${uri}: ${name}`);
    });
    expect(spoken).toEqual([]);
  });

  test('each facet denies and leaves undeferred tools that there are or will be', () => {
    const named = POLYTOKEN_FACETS.flatMap(({ keys }) => [
      ...(keys.tools_deny as string[]),
      ...(keys.undeferred_tools as string[]),
    ]);
    expect(named.filter((name) => ![...ALL, ...LATER].includes(name))).toEqual([]);
  });
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

  test('and the tools stay below 16 KB', () => {
    const tools = specsOf([...TOOLS, ...SESSION_FACES]);
    expect(Buffer.byteLength(facet('execute', ALL) + JSON.stringify(tools))).toBeLessThan(16 * 1024);
  });
});

describe('the other facets', () => {
  test('plan, with the tools that it leaves', async () => {
    await expect(facet('plan', READ_ONLY)).toMatchFileSnapshot('./goldens/plan.md');
  });

  test('plan, where there are plans and subagents', async () => {
    const text = facet('plan', [...READ_ONLY, ...LATER]);
    await expect(text.slice(text.indexOf('# Planning'))).toMatchFileSnapshot('./goldens/plan-later.md');
  });

  test('orchestrate, without subagents and with them', async () => {
    const shown = [ALL, [...ALL, ...LATER]].map((tools) => {
      const text = facet('orchestrate', tools);
      return text.slice(text.indexOf('# Orchestrating'));
    });
    await expect(shown.join('\n\n---\n\n')).toMatchFileSnapshot('./goldens/orchestrate.md');
  });
});

test('no text speaks of another program', () => {
  expect(Object.values(POLYTOKEN_RESOURCES).filter((text) => /\brein\b/i.test(text))).toEqual([]);
});
