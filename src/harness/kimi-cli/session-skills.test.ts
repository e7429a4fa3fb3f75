import { expect, test } from 'vitest';
import { sessionSkills } from './session-skills.ts';

const block = (...lines: readonly string[]): string =>
  ['<skills_instructions>', '### Available skills', ...lines, '</skills_instructions>'].join('\n');

function read(text: string): unknown {
  const flags = { replace: null, append: [{ text }] };
  return sessionSkills({ flags }).map(({ name, description, path }) => [name, description, path]);
}

test('an entry of one line, of several, without a description, and by an alias', () => {
  expect(
    read(
      block(
        '- one: Does "this": and that (well). (file: /s/one/SKILL.md)',
        '- plugin:two: First',
        '  second. (file: r1/two/SKILL.md)',
        '- three: (file: /s/three)',
      ),
    ),
  ).toEqual([
    ['one', 'Does "this": and that (well).', '/s/one/SKILL.md'],
    ['plugin:two', 'First\n  second.', 'r1/two/SKILL.md'],
    ['three', '', '/s/three'],
  ]);
});

test('no list, no block, or a block that is not the whole text has none', () => {
  expect([
    read('<skills_instructions>\n- one: x (file: /y)\n</skills_instructions>'),
    read('- one: x (file: /y)'),
    read(`before ${block('- one: x (file: /y)')}`),
    read('<skills_instructions></skills_instructions>'),
    read(block('- two words: x (file: /y)', '- none (file: /y)', 'text')),
  ]).toEqual([[], [], [], [], []]);
});

test('those that the caller gave come first', () => {
  const given = [
    { name: 'own', description: 'Own.', path: '/o/SKILL.md' },
    { name: 'not a name', description: '', path: '/x' },
  ];
  const flags = { replace: null, append: [{ text: block('- one: x (file: /y)') }] };
  expect(sessionSkills({ flags, sessionSkills: given }).map(({ name, scope }) => [name, scope])).toEqual([
    ['own', 'Extra'],
    ['one', 'Extra'],
  ]);
});
