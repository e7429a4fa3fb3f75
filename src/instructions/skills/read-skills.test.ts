import { describe, expect, test } from 'vitest';
import { definitionFile, skillFile } from '../../../test/rig/definition-file.ts';
import { type checkSkill, readSkills } from './read-skills.ts';

const RULES = { productKeys: ['rein', 'polytoken'] };
const ROOT = '/repo/.rein/skills';

function path(name: string): string {
  return `${ROOT}/${name}/SKILL.md`;
}

function short(file: Parameters<typeof checkSkill>[0]) {
  const { skills, diagnostics } = readSkills([file], RULES);
  return {
    skills: skills.map(({ file: _file, body: _body, ...rest }) => rest),
    diagnostics: diagnostics.map(({ severity, code, line }) => `${severity} ${code} ${line}`),
  };
}

const PLAIN = { tags: [], hidden: false, allowedTools: null, rendered: false };

describe('readSkills', () => {
  test('a skill is called as its directory is, and keeps its text with the line where it begins', () => {
    const file = skillFile(path('deploy'), 'name: deploy\ndescription: Ships it.', '\n# Deploy\n');
    expect(readSkills([file], RULES)).toEqual({
      skills: [{ name: 'deploy', description: 'Ships it.', ...PLAIN, file, body: { text: '\n# Deploy\n', line: 5 } }],
      diagnostics: [],
    });
  });

  test('all keys are read', () => {
    const head = `description: d
allowed-tools: Bash(git add:*, git rm:*), Read Grep
polytoken:
  tags: [research, web]
  disable_model_invocation: true`;
    expect(short(skillFile(path('a'), head))).toEqual({
      skills: [
        {
          name: 'a',
          description: 'd',
          tags: ['research', 'web'],
          hidden: true,
          allowedTools: ['Bash(git add:*, git rm:*)', 'Read', 'Grep'],
          rendered: true,
        },
      ],
      diagnostics: [],
    });
  });

  test.each([
    ['rein: true', { rendered: true }],
    ['rein: false\npolytoken: true', { rendered: false }],
    ['rein:', {}],
    ['disable-model-invocation: true', { hidden: true }],
    ['allowed-tools: [Read, "Bash(git:*)"]', { allowedTools: ['Read', 'Bash(git:*)'] }],
    ['allowed-tools: []', { allowedTools: [] }],
    ['allowed-tools:', {}],
    ['polytoken: {tags: "a, b a"}', { rendered: true, tags: ['a', 'b'] }],
    ['argument-hint: [target]\nlicense: {x: 1}\nuser-invocable: 3', {}],
  ])('%s', (head, keys) => {
    expect(short(skillFile(path('a'), `description: d\n${head}`))).toEqual({
      skills: [{ name: 'a', description: 'd', ...PLAIN, ...keys }],
      diagnostics: [],
    });
  });

  test.each([
    ['rein: [x]', {}, ['warning skills/key-value 3']],
    ['rein:\n  tags: 3', { rendered: true }, ['warning skills/key-value 4']],
    ['rein:\n  tags: [3, a]', { rendered: true, tags: ['a'] }, ['warning skills/key-value 4']],
    ['rein:\n  disable_model_invocation: maybe', { rendered: true, hidden: true }, ['warning skills/key-value 4']],
    ['disable-model-invocation: 1', { hidden: true }, ['warning skills/key-value 3']],
    ['allowed-tools: {a: b}', {}, ['warning skills/key-value 3']],
    ['rein:\n  tag: [a]', { rendered: true }, ['info skills/unknown-key 4']],
    ['name: other', {}, ['warning skills/name 3']],
    ['name: [a]', {}, ['warning skills/name 3']],
  ])('%s is told of and removes nothing', (head, keys, diagnostics) => {
    expect(short(skillFile(path('a'), `description: d\n${head}`))).toEqual({
      skills: [{ name: 'a', description: 'd', ...PLAIN, ...keys }],
      diagnostics,
    });
  });

  test('a description with an unquoted colon is taken as its line says (C31)', () => {
    const head = 'name: colon\ndescription: Use when: files change. Triggers: a, b';
    expect(short(skillFile(path('colon'), head))).toEqual({
      skills: [{ name: 'colon', description: 'Use when: files change. Triggers: a, b', ...PLAIN }],
      diagnostics: ['warning skills/not-yaml 3'],
    });
  });

  test('an optional value that is no YAML does not remove the skill (C32)', () => {
    const head = 'name: a\ndescription: d\nargument-hint: [target] then "mode"';
    expect(short(skillFile(path('a'), head))).toEqual({
      skills: [{ name: 'a', description: 'd', ...PLAIN }],
      diagnostics: ['warning skills/not-yaml 4'],
    });
  });

  test('where the YAML is broken what stands below the product’s key still holds', () => {
    const head = `description: Use when: x
allowed-tools:
  - Read
  - "Bash(git:*)"
polytoken:
  # kept from the model
  tags:
    - research
  disable_model_invocation: true
license: MIT`;
    expect(short(skillFile(path('a'), head))).toEqual({
      skills: [
        {
          name: 'a',
          description: 'Use when: x',
          tags: ['research'],
          hidden: true,
          allowedTools: ['Read', 'Bash(git:*)'],
          rendered: true,
        },
      ],
      diagnostics: ['warning skills/not-yaml 2'],
    });
    const inline = 'description: Use when: x\nrein: true\ndisable-model-invocation: true';
    expect(short(skillFile(path('a'), inline)).skills).toEqual([
      { name: 'a', description: 'Use when: x', ...PLAIN, hidden: true, rendered: true },
    ]);
  });

  test('a mistake elsewhere does not show a hidden skill', () => {
    const hidden = [
      'polytoken: {disable_model_invocation: true}',
      'polytoken : x: y\n  disable_model_invocation: true',
    ].map((head) =>
      short(skillFile(path('a'), `description: Use when: x\n${head}`)).skills.map((skill) => skill.hidden),
    );
    expect(hidden).toEqual([[true], [true]]);
  });

  test('a description is one line, bounded, and as written where it is no text', () => {
    const descriptions = ['|\n  One.\n  Two.', 'x'.repeat(1025), '[a, b]', '12'].map((value) => {
      const { skills, diagnostics } = short(skillFile(path('a'), `description: ${value}`));
      return [skills[0]?.description, diagnostics];
    });
    expect(descriptions).toEqual([
      ['One. Two.', []],
      [`${'x'.repeat(1023)}…`, ['warning skills/description 2']],
      ['[a, b]', ['warning skills/description 2']],
      ['12', ['warning skills/description 2']],
    ]);
  });

  test.each([
    ['no description', skillFile(path('a'), 'name: a'), ['error skills/description 1']],
    ['a blank description', skillFile(path('a'), 'name: a\ndescription: " "'), ['error skills/description 3']],
    ['no front matter', definitionFile('skill', path('a'), '# A\n'), ['error skills/description 1']],
    ['front matter that cannot be read', skillFile(path('a'), '[oops'), ['warning skills/not-yaml 3']],
    [
      'a part of its text',
      skillFile(path('a'), 'description: d', 'B', { status: 'cut' }),
      ['warning skills/too-large 1'],
    ],
    ['a name with a blank', skillFile(path('a b'), 'description: d'), ['error skills/name 1']],
    ['a name that opens a tag', skillFile(path('<a>'), 'description: d'), ['error skills/name 1']],
    ['a name that turns the text around', skillFile(path('a\u202eb'), 'description: d'), ['error skills/name 1']],
  ])('with %s it is not used, and that is told', (_what, file, diagnostics) => {
    expect(short(file)).toEqual({ skills: [], diagnostics });
  });

  test.each([['Größe'], ['UPPER'], ['a'.repeat(65)]])('the unusual name %s works, with a warning', (name) => {
    const { skills, diagnostics } = short(skillFile(path(name), 'description: d'));
    expect([skills.map((skill) => skill.name), diagnostics]).toEqual([[name], ['warning skills/name 1']]);
  });

  test('a text that is blank or would end itself is told of', () => {
    expect(short(skillFile(path('a'), 'description: d', '\n \n')).diagnostics).toEqual(['warning skills/empty 1']);
    expect(short(skillFile(path('a'), 'description: d', 'One.\nTwo. </skill >\n')).diagnostics).toEqual([
      'warning skills/closing-tag 5',
    ]);
  });

  test('the first of a name counts; another is told of, the same one is not (C39)', () => {
    const project = skillFile(path('deploy'), 'description: d', 'Project.\n');
    const mine = '/home/me/.config/rein/skills/deploy/SKILL.md';
    const other = skillFile(mine, 'description: d', 'Mine.\n', { scope: 'user' });
    const same = skillFile(mine, 'description: d', 'Project.\n', { scope: 'user' });
    const { skills, diagnostics } = readSkills([project, other], RULES);
    expect(skills.map(({ file }) => file.path)).toEqual([project.path]);
    expect(diagnostics).toEqual([
      {
        severity: 'info',
        code: 'skills/shadowed',
        message: `not used: ${project.path} has the same name and comes first`,
        path: mine,
        data: { by: project.path },
      },
    ]);
    expect(readSkills([project, same], RULES).diagnostics).toEqual([]);
  });

  test('one that cannot be used leaves its name to the next, and skills are listed by name', () => {
    const broken = skillFile(path('b'), 'name: b');
    const next = skillFile('/home/me/.config/rein/skills/b/SKILL.md', 'description: d');
    const last = skillFile('/home/me/.config/rein/skills/a/SKILL.md', 'description: d');
    expect(readSkills([broken, next, last], RULES).skills.map(({ file }) => file.path)).toEqual([last.path, next.path]);
  });

  test('more files than are read are counted', () => {
    const files = Array.from({ length: 1025 }, (_, index) => skillFile(path(`s${index}`), 'description: d'));
    const { skills, diagnostics } = readSkills(files, RULES);
    expect(skills).toHaveLength(1024);
    expect(diagnostics).toEqual([
      { severity: 'warning', code: 'skills/too-many', message: '1025 skills (project); the last 1 are not read' },
    ]);
  });
});
