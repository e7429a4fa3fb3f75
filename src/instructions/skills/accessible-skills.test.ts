import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accessibleSkills, unknownSkill, visibleSkills } from './accessible-skills.ts';

const SKILLS = [
  { name: 'a', tags: ['research'], hidden: false },
  { name: 'b', tags: ['research', 'web'], hidden: true },
  { name: 'tag!c', tags: [], hidden: false },
];

function allowed(skillsAllow: string[], skillsDeny: string[] = []): string[] {
  return accessibleSkills(SKILLS, { skillsAllow, skillsDeny }).map(({ name }) => name);
}

describe('accessibleSkills', () => {
  test('an empty list allows all; one that matches nothing allows none', () => {
    expect([allowed([]), allowed(['nothing']), allowed(['tag!nothing'])]).toEqual([['a', 'b', 'tag!c'], [], []]);
  });

  test('names and tags are allowed, and denied after that', () => {
    expect([allowed(['b']), allowed(['tag!research']), allowed(['tag!research'], ['tag!web'])]).toEqual([
      ['b'],
      ['a', 'b'],
      ['a'],
    ]);
    expect([allowed([], ['a']), allowed(['a'], ['a'])]).toEqual([['b', 'tag!c'], []]);
  });

  test('a list never allows what is not there, a denial only takes, and the order stays', () => {
    const word = fc.constantFrom('a', 'b', 'c', 'tag!x', 'tag!y', 'z');
    const skill = fc.record({
      name: fc.constantFrom('a', 'b', 'c', 'd'),
      tags: fc.uniqueArray(fc.constantFrom('x', 'y')),
    });
    const skills = fc.uniqueArray(skill, { selector: ({ name }) => name });
    fc.assert(
      fc.property(skills, fc.array(word, { minLength: 1 }), fc.array(word), (all, skillsAllow, skillsDeny) => {
        const wide = accessibleSkills(all, { skillsAllow, skillsDeny: [] });
        const narrow = accessibleSkills(all, { skillsAllow, skillsDeny });
        const narrower = accessibleSkills(all, { skillsAllow: skillsAllow.slice(0, 1), skillsDeny });
        expect(all.filter((one) => wide.includes(one))).toEqual(wide);
        expect(wide.filter((one) => narrow.includes(one))).toEqual(narrow);
        expect(narrow.filter((one) => narrower.includes(one))).toEqual(narrower);
      }),
    );
  });
});

describe('visibleSkills', () => {
  test('leaves out what is hidden', () => {
    expect(visibleSkills(SKILLS).map(({ name }) => name)).toEqual(['a', 'tag!c']);
  });
});

describe('unknownSkill', () => {
  test('names the nearest and all', () => {
    expect(unknownSkill('deplyo', ['commit', 'deploy'])).toBe(
      'there is no skill "deplyo"; did you mean "deploy"? there are: commit, deploy',
    );
    expect(unknownSkill('x', [])).toBe('there is no skill "x"; there are none');
  });
});
