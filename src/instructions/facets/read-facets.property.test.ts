import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foundFile } from '../../../test/rig/found-file.ts';
import type { FoundFile, Json } from '../../model/index.ts';
import { readSkills } from '../skills/read-skills.ts';
import { readSubagents } from '../subagents/read-subagents.ts';
import { FACET_KEYS } from './read-facet-keys.ts';
import { readFacets } from './read-facets.ts';

const RULES = { productKeys: ['rein'], knownTools: ['read'] };
const RESTRICTING = ['tools', 'tools_deny', 'skills_allow', 'skills_deny'];

const word = fc.oneof(fc.constantFrom('read', 'tag!ALL', 'mcp__a', ''), fc.string());
const value = fc.oneof(fc.jsonValue(), fc.array(word), word) as fc.Arbitrary<Json>;
const name = fc.oneof(
  fc.constantFrom(...FACET_KEYS, 'exit_tool_schema', 'inherit_tools', 'tags', 'disable_model_invocation', '__proto__'),
  fc.string(),
);
const section = fc.oneof(value, fc.dictionary(name, value)) as fc.Arbitrary<Json>;

function fileWith(kind: string, path: string, data: Record<string, Json>): FoundFile {
  const text = `---\n${Object.keys(data).join('\n')}\n---\nBody.\n`;
  const bodyStart = text.length - 'Body.\n'.length;
  const lines = Object.fromEntries(Object.keys(data).map((key, index) => [key, index + 2]));
  const frontMatter = { read: 'yaml', data, bodyStart, bodyLine: 4, lines, faults: [] } as const;
  return foundFile(kind, path, text, { frontMatter });
}

test('a facet either keeps a list that restricts as it is written, or is not used', () => {
  fc.assert(
    fc.property(fc.constantFrom(...RESTRICTING), value, (key, list) => {
      const file = fileWith('facet', '/f/a.md', { name: 'a', rein: { [key]: list } });
      const { facets, diagnostics } = readFacets([file], [], RULES);
      const [facet] = facets;
      const { tools, toolsDeny, skillsAllow, skillsDeny } = facet?.keys ?? {};
      const kept = { tools, tools_deny: toolsDeny, skills_allow: skillsAllow, skills_deny: skillsDeny }[key];
      if (facet === undefined) expect(diagnostics.some(({ severity }) => severity === 'error')).toBe(true);
      else expect(kept).toEqual((list as string[]).map((entry) => entry.trim()));
    }),
  );
});

test('whatever front matter holds, reading it says where it is wrong and never fails', () => {
  fc.assert(
    fc.property(section, value, (rein, description) => {
      const facet = readFacets([fileWith('facet', '/f/a.md', { name: 'a', description, rein })], [], RULES);
      const skill = readSkills(
        [fileWith('skill', '/s/a/SKILL.md', { description, 'allowed-tools': description, rein })],
        RULES,
      );
      const subagent = readSubagents([fileWith('subagent', '/a/a.md', { name: 'a', description, rein })], [], RULES);
      const all = [...facet.diagnostics, ...skill.diagnostics, ...subagent.diagnostics];
      expect(all.filter(({ path, line, column }) => path === undefined || !line || !column)).toEqual([]);
      expect(all.filter(({ message }) => message.includes('\n'))).toEqual([]);
      expect(skill.skills.filter((one) => /[\r\n]/.test(one.description))).toEqual([]);
    }),
  );
});
