import { describe, expect, test } from 'vitest';
import { skillFile } from '../../../test/rig/definition-file.ts';
import { chainSkills } from './chain-skills.ts';
import { readSkills } from './read-skills.ts';

function skillsOf(bodies: Record<string, string>) {
  const files = Object.entries(bodies).map(([name, body]) => skillFile(`/s/${name}/SKILL.md`, 'description: d', body));
  return readSkills(files, { productKeys: ['rein'] }).skills;
}

function scan(text: string): { name: string }[] {
  return [...text.matchAll(/@skill:([a-z0-9]+)/g)].map(([, name = '']) => ({ name }));
}

function chain(bodies: Record<string, string>) {
  const skills = skillsOf(bodies);
  const { skills: loaded, diagnostics } = chainSkills(skills[0]!, skills, scan);
  return { loaded: loaded.map(({ name }) => name), diagnostics };
}

describe('chainSkills', () => {
  test('goes breadth first, each skill once, around circles', () => {
    const bodies = { a: '@skill:c @skill:b @skill:c', b: '@skill:a', c: '@skill:d', d: '@skill:b @skill:d' };
    expect(chain(bodies)).toEqual({ loaded: ['a', 'c', 'b', 'd'], diagnostics: [] });
  });

  test('a skill that is not accessible stays text, and is told of at its line', () => {
    expect(chain({ a: 'One.\nSee @skill:none.\n' })).toEqual({
      loaded: ['a'],
      diagnostics: [
        {
          severity: 'info',
          code: 'skills/unknown-reference',
          message: 'refers to the skill "none", which does not exist or is not allowed here; the text stays as it is',
          path: '/s/a/SKILL.md',
          line: 5,
        },
      ],
    });
  });

  test('ends four references deep', () => {
    const bodies = Object.fromEntries([1, 2, 3, 4, 5, 6].map((at) => [`s${at}`, `@skill:s${at + 1}`]));
    expect(chain(bodies)).toEqual({
      loaded: ['s1', 's2', 's3', 's4', 's5'],
      diagnostics: [
        {
          severity: 'warning',
          code: 'skills/chain-cut',
          message: 'skills refer to one another further than is followed (16 skills, 4 deep); not loaded: s6',
          path: '/s/s1/SKILL.md',
          data: { names: ['s6'] },
        },
      ],
    });
  });

  test('loads sixteen skills at most', () => {
    const names = Array.from({ length: 20 }, (_, at) => `s${String(at).padStart(2, '0')}`);
    const bodies = Object.fromEntries(
      names.map((name, at) => [name, at === 0 ? names.map((one) => `@skill:${one}`).join(' ') : '.']),
    );
    const { loaded, diagnostics } = chain(bodies);
    expect([loaded, diagnostics.map(({ data }) => data)]).toEqual([names.slice(0, 16), [{ names: names.slice(16) }]]);
  });
});
