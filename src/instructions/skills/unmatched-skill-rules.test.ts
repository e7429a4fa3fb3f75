import { expect, test } from 'vitest';
import { facetFile } from '../../../test/rig/definition-file.ts';
import { readFacets } from '../facets/read-facets.ts';
import { unmatchedSkillRules } from './unmatched-skill-rules.ts';

const RULES = { productKeys: ['rein'], knownTools: [] };
const SKILLS = [{ name: 'deploy', tags: ['web'] }];

test('entries that match no skill are told of, each at its place with what is near', () => {
  const head = 'name: a\nrein:\n  skills_allow: [deploy, deplyo]\n  skills_deny:\n    - tag!web\n    - tag!wep';
  const [facet] = readFacets([facetFile('/f/a.md', head)], [], RULES).facets;
  const place = { severity: 'warning', code: 'facets/unknown-skill', path: '/f/a.md' };
  expect(unmatchedSkillRules(facet!, SKILLS, RULES)).toEqual([
    {
      ...place,
      message: 'skills_allow: "deplyo" matches no skill; did you mean deploy?',
      line: 4,
      column: 26,
    },
    { ...place, message: 'skills_deny: "tag!wep" matches no skill; did you mean tag!web?', line: 7, column: 7 },
  ]);
});

test('a shipped facet may speak of skills that nobody has', () => {
  const shipped = { name: 'a', uri: 'rein://facets/a.md', text: '', keys: { skills_allow: ['none'] } };
  const [facet] = readFacets([], [shipped], RULES).facets;
  expect(unmatchedSkillRules(facet!, SKILLS, RULES)).toEqual([]);
});
