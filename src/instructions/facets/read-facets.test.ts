import { describe, expect, test } from 'vitest';
import { definitionFile, facetFile } from '../../../test/rig/definition-file.ts';
import { foundFile } from '../../../test/rig/found-file.ts';
import { checkFacet, readFacets } from './read-facets.ts';

const RULES = { productKeys: ['rein', 'polytoken'], knownTools: ['read', 'edit', 'shell', 'switch_facet'] };
const NO_KEYS = {
  model: null,
  fallbackModels: [],
  tools: null,
  toolsDeny: [],
  undeferredTools: [],
  skillsAllow: [],
  skillsDeny: [],
  facetTransitions: null,
  autonomousHint: null,
  compactionHint: null,
  color: null,
  colorLight: null,
  colorDark: null,
};
const SHIPPED = { name: 'plan', description: 'Plans.', uri: 'rein://facets/plan.md', text: 'Shipped.', keys: {} };
const SHIPPED_PLAN = {
  name: 'plan',
  description: 'Plans.',
  scope: 'shipped',
  path: null,
  uri: 'rein://facets/plan.md',
  file: null,
  body: { text: 'Shipped.', line: 1 },
  keys: NO_KEYS,
};

const PROJECT = '/repo/.rein/facets';
const USER = '/home/me/.config/rein/facets';

function user(name: string, head: string, body?: string) {
  return facetFile(`${USER}/${name}.md`, head, body, { scope: 'user' });
}

describe('readFacets', () => {
  test('the nearest file of a name replaces the others as a whole', () => {
    const near = facetFile(`${PROJECT}/plan.md`, 'name: plan', 'Project.\n');
    const far = user('plan', 'name: plan\ndescription: Mine.\npolytoken:\n  tools: [read]');
    expect(readFacets([near, far], [SHIPPED], RULES)).toEqual({
      facets: [
        {
          name: 'plan',
          description: '',
          scope: 'project',
          path: near.path,
          uri: null,
          file: near,
          body: { text: 'Project.\n', line: 4 },
          keys: NO_KEYS,
        },
      ],
      diagnostics: [
        {
          severity: 'info',
          code: 'facets/shadowed',
          message: `not used: ${near.path} has the same name and comes first`,
          path: far.path,
          data: { by: near.path },
        },
      ],
    });
  });

  test('the same bytes twice are one facet, and nothing is said of it', () => {
    const near = facetFile(`${PROJECT}/plan.md`, 'name: plan');
    const { facets, diagnostics } = readFacets([near, user('plan', 'name: plan')], [], RULES);
    expect([facets.map(({ path }) => path), diagnostics]).toEqual([[near.path], []]);
  });

  test.each([
    ['another name', 'name: plam', { code: 'facets/name', line: 2, column: 1 }],
    ['no name', 'description: x', { code: 'facets/name', line: 1, column: 1 }],
    ['a number as name', 'description: x\nname: 12', { code: 'facets/name', line: 3, column: 1 }],
    [
      'a text for a list that restricts',
      'name: plan\nrein:\n  tools: read',
      { code: 'facets/key-value', line: 4, column: 3 },
    ],
    [
      'a mapping for skills_allow',
      'name: plan\nrein:\n  model: a\n  skills_allow: {a: 1}',
      { code: 'facets/key-value', line: 5, column: 3 },
    ],
    [
      'an empty key that restricts',
      'name: plan\nrein: { tools_deny: }',
      { code: 'facets/key-value', line: 3, column: 9 },
    ],
    [
      'a transition of another form',
      'name: plan\nrein:\n  facet_transitions:\n    execute: {allowed: perhaps}',
      { code: 'facets/key-value', line: 5, column: 5 },
    ],
    ['a list for all keys', 'name: plan\nrein: [tools]', { code: 'facets/key-value', line: 3, column: 1 }],
    [
      'keys that its YAML loses',
      'name: plan\ndescription: a: b\nrein:\n  tools: [read]',
      { code: 'facets/not-yaml', line: 3, column: 14 },
    ],
  ])('with %s it is rejected at its place, and the next of its name is used', (_what, head, place) => {
    const file = facetFile(`${PROJECT}/plan.md`, head);
    const { facets, diagnostics } = readFacets([file], [SHIPPED], RULES);
    expect(facets).toEqual([SHIPPED_PLAN]);
    expect(diagnostics.map(({ message, ...rest }) => rest)).toEqual([{ severity: 'error', path: file.path, ...place }]);
  });

  test('without front matter, or with a part of its text, it is rejected', () => {
    const plain = definitionFile('facet', `${PROJECT}/a.md`, 'Only text.\n');
    const cut = facetFile(`${PROJECT}/b.md`, 'name: b', 'Body.', { status: 'cut', size: 9 });
    const unread = foundFile('facet', `${PROJECT}/c.md`, 'x');
    expect(readFacets([plain, cut, unread], [], RULES)).toEqual({
      facets: [],
      diagnostics: [
        {
          severity: 'error',
          code: 'facets/no-front-matter',
          message: 'a facet begins with front matter that has its name; the facet is not used',
          path: plain.path,
          line: 1,
          column: 1,
        },
        {
          severity: 'error',
          code: 'facets/too-large',
          message: 'it is too large (9 bytes); the facet is not used',
          path: cut.path,
          line: 1,
          column: 1,
        },
        {
          severity: 'error',
          code: 'facets/no-front-matter',
          message: 'a facet begins with front matter that has its name; the facet is not used',
          path: unread.path,
          line: 1,
          column: 1,
        },
      ],
    });
  });

  test('a name that could not stand in a tag or a command is rejected', () => {
    const codes = ['a b', 'a<b', 'x'.repeat(65)].map((name) =>
      checkFacet(facetFile(`${PROJECT}/${name}.md`, `name: ${name}`), RULES).map(({ code }) => code),
    );
    expect(codes).toEqual([['facets/name'], ['facets/name'], ['facets/name']]);
  });

  test('broken YAML without keys of the product is read line by line, with a warning', () => {
    const file = facetFile(`${PROJECT}/plan.md`, 'name: plan\ndescription: Use when: x');
    const { facets, diagnostics } = readFacets([file], [], RULES);
    expect(facets.map(({ name, description, keys }) => ({ name, description, keys }))).toEqual([
      { name: 'plan', description: 'Use when: x', keys: NO_KEYS },
    ]);
    expect(diagnostics.map(({ severity, code, line }) => ({ severity, code, line }))).toEqual([
      { severity: 'warning', code: 'facets/not-yaml', line: 3 },
    ]);
  });

  test('all keys are read, and facets are listed by name', () => {
    const head = `name: scribe
description: |
  Writes
  documents.
polytoken:
  model: big(high)
  fallback_models: [small]
  tools: [tag!ALL, mcp__docs]
  tools_deny: [shell]
  undeferred_tools: [read]
  skills_allow: [tag!research]
  skills_deny: [deploy]
  facet_transitions:
    execute: {}
    plan: {allowed: false}
    review: {condition: "\\n Ready?\\n"}
  autonomous_hint: Be calm.
  compaction_hint: Keep names.
  color: "#AABBCC"
  color_light: "#000000"
  color_dark: "#ffffff"`;
    const { facets, diagnostics } = readFacets([user('scribe', head)], [SHIPPED], RULES);
    expect(facets[0]).toEqual(SHIPPED_PLAN);
    expect(facets[1]?.description).toBe('Writes documents.');
    expect(facets[1]?.keys).toEqual({
      model: 'big(high)',
      fallbackModels: ['small'],
      tools: ['tag!ALL', 'mcp__docs'],
      toolsDeny: ['shell'],
      undeferredTools: ['read'],
      skillsAllow: ['tag!research'],
      skillsDeny: ['deploy'],
      facetTransitions: {
        execute: { allowed: true, condition: null },
        plan: { allowed: false, condition: null },
        review: { allowed: true, condition: 'Ready?' },
      },
      autonomousHint: 'Be calm.',
      compactionHint: 'Keep names.',
      color: '#aabbcc',
      colorLight: '#000000',
      colorDark: '#ffffff',
    });
    expect(diagnostics).toEqual([]);
  });

  test('the first product key that is there counts, and true or nothing below it are no keys', () => {
    const both = facetFile(`${PROJECT}/a.md`, 'name: a\npolytoken: {model: old}\nrein: {model: new}');
    const yes = facetFile(`${PROJECT}/b.md`, 'name: b\npolytoken: true');
    const blank = facetFile(`${PROJECT}/c.md`, 'name: c\npolytoken:');
    const { facets, diagnostics } = readFacets([both, yes, blank], [], RULES);
    expect(facets.map(({ keys }) => keys.model)).toEqual(['new', null, null]);
    expect(diagnostics).toEqual([]);
  });

  test('a key that would take something away, at the wrong place or misspelt, leaves the facet out', () => {
    const faults = (head: string) =>
      checkFacet(facetFile(`${PROJECT}/a.md`, head), RULES)
        .filter(({ severity }) => severity === 'error')
        .map(({ message, line, column }) => `${line}:${column} ${message}`);
    expect(faults('name: a\ndescription: x\ntools: Read, Grep')).toEqual([
      '4:1 tools has no effect here; it belongs below rein:; the facet is not used',
    ]);
    expect(faults('name: a\ndescription: x\nrein:\n  tool: [read]')).toEqual([
      '5:3 there is no key "tool" for facets; did you mean tools?; the facet is not used',
    ]);
    expect(faults('name: a\ndescription: x\nmodel: p/m\nrein:\n  modell: p/m')).toEqual([]);
  });

  test('what is wrong and takes nothing away is ignored, each at its line', () => {
    const head = `name: a
description: [x]
tools: [read]
rein:
  model: 3
  colour: "#ffffff"
  color: red
  undeferred_tools: read
  tools: [raed, mcp__any__thing, tag!ALL]
  fallback_models: [small]`;
    const diagnostics = checkFacet(facetFile(`${PROJECT}/a.md`, head), RULES);
    expect(diagnostics.map(({ severity, message, line, column }) => ({ severity, message, line, column }))).toEqual([
      { severity: 'warning', message: 'description must be a text; it is ignored', line: 3, column: 1 },
      { severity: 'warning', message: 'tools has no effect here; it belongs below rein:', line: 4, column: 1 },
      { severity: 'warning', message: 'model must be a text; it is ignored', line: 6, column: 3 },
      {
        severity: 'warning',
        message: 'undeferred_tools must be a list of at most 512 names; it is ignored',
        line: 9,
        column: 3,
      },
      {
        severity: 'warning',
        message: 'color must be a colour such as "#1e90ff", in quotes; it is ignored',
        line: 8,
        column: 3,
      },
      {
        severity: 'info',
        message: 'there is no key "colour" for facets; did you mean color?',
        line: 7,
        column: 3,
      },
      { severity: 'warning', message: 'tools: there is no tool "raed"; did you mean read?', line: 10, column: 11 },
      { severity: 'warning', message: 'fallback_models has no effect without model', line: 11, column: 3 },
    ]);
  });

  test('names of the language’s own properties are names like others', () => {
    const head = 'name: constructor\nrein:\n  facet_transitions:\n    toString: {allowed: false}';
    const { facets } = readFacets([facetFile(`${PROJECT}/constructor.md`, head)], [], RULES);
    expect(facets.map(({ name, keys }) => [name, keys.facetTransitions])).toEqual([
      ['constructor', { toString: { allowed: false, condition: null } }],
    ]);
  });

  test('a shipped facet with wrong keys is told of by its address', () => {
    expect(readFacets([], [{ ...SHIPPED, keys: { tools: 'read' } }], RULES)).toEqual({
      facets: [],
      diagnostics: [
        {
          severity: 'error',
          code: 'facets/key-value',
          message: 'tools must be a list of at most 512 names; the facet is not used',
          path: SHIPPED.uri,
        },
      ],
    });
  });

  test('more files than anybody has are not all read', () => {
    const files = Array.from({ length: 258 }, (_, index) => facetFile(`${PROJECT}/f${index}.md`, `name: f${index}`));
    const { facets, diagnostics } = readFacets(files, [], RULES);
    expect(facets).toHaveLength(256);
    expect(diagnostics).toEqual([
      { severity: 'warning', code: 'facets/too-many', message: '258 facets (project); the last 2 are not read' },
    ]);
  });

  test('many of the project take no room from the user’s', () => {
    const files = Array.from({ length: 300 }, (_, index) => facetFile(`${PROJECT}/f${index}.md`, `name: f${index}`));
    const mine = { ...facetFile('/home/me/.config/rein/facets/mine.md', 'name: mine'), scope: 'user' as const };
    const { facets } = readFacets([...files, mine], [], RULES);
    expect(facets.filter(({ scope }) => scope === 'user').map(({ name }) => name)).toEqual(['mine']);
  });
});
