import { expect, test } from 'vitest';
import type { RenderRequest, RenderResult, TemplateFragment } from '../../model/index.ts';
import { missingFragmentFault } from './engine-fault.ts';
import { renderTemplate } from './render-template.ts';

type Given = {
  variables?: RenderRequest['context']['variables'];
  fragments?: Record<string, TemplateFragment>;
  embedded?: string[];
  line?: number;
  name?: string;
};

function request(text: string, given: Given = {}): RenderRequest {
  const { variables = {}, fragments = {}, embedded = [], line = 1, name = '/repo/facets/x.md' } = given;
  return {
    id: 'facet:x',
    name,
    text,
    line,
    context: {
      variables,
      lenient: [],
      tools: [{ name: 'read', description: '' }],
      mcp: ['m'],
      skills: ['s'],
      variant: 'claude',
    },
    transclude: { base: '/repo/facets', schemes: ['rein', 'other'], fragments },
    embedded,
  };
}

/** The text, the fault as one line, the missing paths, or that the engine is asked. */
function shown(text: string, given?: Given): unknown {
  const result = renderTemplate(request(text, given), undefined);
  if ('ask' in result) return 'ask';
  if (result.type === 'missing') return result.paths;
  if (result.type === 'text') return result.segments.map((segment) => segment.text).join('');
  const { code, name, line, message } = result.fault;
  return `${code} ${name}:${line}: ${message}`;
}

test('text without markup stays as it is', () => {
  expect(renderTemplate(request('a } %} \uD800\r\n'), undefined)).toEqual({
    type: 'text',
    segments: [{ text: 'a } %} \uFFFD\r\n', from: null }],
    warnings: [],
  });
  expect(renderTemplate(request(''), undefined)).toEqual({ type: 'text', segments: [], warnings: [] });
});

test('values, conditions and whitespace control render without the engine', () => {
  const variables = { name: 'Ada', count: 3, yes: true, plan: { text: 'P' }, nothing: null, list: [] };
  const cases: Record<string, string> = {
    '{{ name }} {{ count }} {{ yes }} {{ plan.text }} {{ "}}" }}{# note #}\n': 'Ada 3 true P }}',
    '{% if has_tool("read") and not has_mcp("x") %}a{% else %}b{% endif %}': 'a',
    '{% if nothing or list %}a{% elif has_skill("s") == "x" %}{% endif %}': 'ask',
    '{% if nothing or list %}a{% elif name == "Ada" %}b{% else %}c{% endif %}': 'b',
    '{% if not name != "Ada" and (nothing or is_model_variant("claude")) %}a{% endif %}': 'a',
    'a \n{%- if yes -%} \n b \n{%- endif %} c': 'ab c',
    '{% if count == "3" %}a{% else %}b{% endif %}': 'b',
    '{% if yes %}{% if list %}a{% else %}b{% endif %}{% endif %}': 'b',
  };
  expect(Object.fromEntries(Object.keys(cases).map((text) => [text, shown(text, { variables })]))).toEqual(cases);
});

test('everything else is asked of the engine', () => {
  const variables = { name: 'Ada', plan: {}, half: 0.5, list: ['a'] };
  const texts = [
    ...[
      '{{ name|upper }}',
      '{{ missing }}',
      '{{ plan.text }}',
      '{% if missing %}{% endif %}',
      '{{ half }}',
      '{{ list }}',
    ],
    ...['{% for a in list %}{% endfor %}', '{% raw %}{% endraw %}', '{{ "a\\n" }}', '{{ "a" "b" }}', '{{ name', '{# x'],
    ...['{% endif %}', '{% if name %}', '{% if name %}{% else %}{% else %}{% endif %}', '{{ }}', '{{ has_tool }}'],
    ...[
      '{{ embedded(1) }}',
      '{{ embedded(01) }}',
      '{{ transclude(name) }}',
      '{{+ name }}',
      '{{ name +}}',
      '{{ true }}',
    ],
    ...[
      '{% if name == "a" == "b" %}{% endif %}',
      '{% if "a" == name %}{% endif %}',
      '{% else if name %}',
      '{{ name }-}',
    ],
    ...[`{% if ${'('.repeat(500)}name${')'.repeat(500)} %}{% endif %}`, '{% if name %}'.repeat(400), '{{ __proto__ }}'],
  ];
  expect(texts.filter((text) => shown(text, { variables }) !== 'ask')).toEqual([]);
});

test('what the engine answered is the answer, for that very request only', () => {
  const asked = renderTemplate(request('{{ "a"|upper }}'), undefined);
  const id = 'ask' in asked ? asked.ask.id : '';
  expect(id).toMatch(/^facet:x#[0-9a-f]{16}$/);
  const answer: RenderResult = { type: 'text', segments: [{ text: 'A', from: null }], warnings: [] };
  expect(renderTemplate(request('{{ "a"|upper }}'), { [id]: answer })).toBe(answer);
  const fragments = { '/repo/facets/a.md': { text: '' } };
  const again = renderTemplate(request('{{ "a"|upper }}', { fragments }), { [id]: answer });
  expect('ask' in again && again.ask.id !== id).toBe(true);
});

test('fragments are spliced in, each stretch with its innermost source', () => {
  const fragments = {
    '/repo/facets/a.md': { text: '<{{ transclude("./s/b.md") }}{{ embedded(0) }}>\n' },
    '/repo/facets/s/b.md': { text: '{{ name }}\n\n' },
    'rein://base.md': { text: '{{ literal }}\n', literal: true as const },
  };
  const text = 'x {{ transclude("a.md") }}{{ transclude(\'other://base.md\') }}{{ transclude("s/../a.md") }}\n';
  const given = { variables: { name: 'N' }, fragments, embedded: ['E'] };
  expect(renderTemplate(request(text, given), undefined)).toEqual({
    type: 'text',
    segments: [
      { text: 'x ', from: null },
      { text: '<', from: '/repo/facets/a.md' },
      { text: 'N\n', from: '/repo/facets/s/b.md' },
      { text: 'E', from: 'embedded:0' },
      { text: '>', from: '/repo/facets/a.md' },
      { text: '{{ literal }}\n', from: 'rein://base.md' },
      { text: '<', from: '/repo/facets/a.md' },
      { text: 'N\n', from: '/repo/facets/s/b.md' },
      { text: 'E', from: 'embedded:0' },
      { text: '>', from: '/repo/facets/a.md' },
    ],
    warnings: [],
  });
});

test('fragments that are not known yet are all asked for, those of branches not taken are not', () => {
  const variables = { no: false };
  const text = '{{ transclude("b.md") }}{% if no %}{{ transclude("c.md") }}{% endif %}{{ transclude("a/d.md") }}';
  expect(shown(text, { variables })).toEqual(['/repo/facets/b.md', '/repo/facets/a/d.md']);
});

test('a fragment outside the template’s directory, or unknown, is refused where it is used', () => {
  const fragments = { 'rein://system/facet.md': { text: '' } };
  const of = (target: string): unknown => shown(`\n{{ transclude("${target}") }}`, { fragments, line: 4 });
  const at = 'transclude /repo/facets/x.md:5: ';
  expect(
    [
      '../x.md',
      'a/../../x.md',
      '/etc/passwd',
      'C:/x',
      '~/x',
      '',
      ' ',
      'a/',
      '.',
      'rein://system/facets.md',
      'http://a/b',
    ].map(of),
  ).toEqual([
    `${at}"../x.md" leaves the template's directory`,
    `${at}"a/../../x.md" leaves the template's directory`,
    `${at}"/etc/passwd" is not relative to the template's directory`,
    `${at}"C:/x" is not relative to the template's directory`,
    `${at}"~/x" is not relative to the template's directory`,
    `${at}the name of the fragment is empty`,
    `${at}the name of the fragment is empty`,
    `${at}"a/" names a directory, not a file`,
    `${at}"." names a directory, not a file`,
    `${at}there is no "rein://system/facets.md"; did you mean rein://system/facet.md?`,
    `${at}there is no "http://"; known: rein:// and other://`,
  ]);
});

test('circles, depth, number and size are bounded', () => {
  const file = (name: string, text: string): [string, TemplateFragment] => [`/repo/facets/${name}.md`, { text }];
  const chain = Array.from({ length: 10 }, (_, level) => file(`${level}`, `{{ transclude("${level + 1}.md") }}`));
  const many = '{{ transclude("e.md") }}'.repeat(17);
  const given = {
    embedded: ['x'.repeat(20_000)],
    fragments: Object.fromEntries([
      ...chain,
      file('a', '\n{{ transclude("b.md") }}'),
      file('b', '{{ transclude("a.md") }}'),
      file('me', '{{ transclude("x.md") }}'),
      file('x', ''),
      file('d', many),
      file('e', ''),
    ]),
  };
  expect([
    shown('{{ transclude("a.md") }}', given),
    shown('{{ transclude("me.md") }}', given),
    shown('{{ transclude("0.md") }}', given),
    shown('{{ transclude("2.md") }}', {
      ...given,
      fragments: { ...given.fragments, '/repo/facets/9.md': { text: 'end' } },
    }),
    shown('{{ transclude("d.md") }}'.repeat(17), given),
    shown('{{ embedded(0) }}'.repeat(250), given),
  ]).toEqual([
    'transclude /repo/facets/b.md:1: the fragments transclude each other in a circle: /repo/facets/a.md → /repo/facets/b.md → /repo/facets/a.md',
    'transclude /repo/facets/me.md:1: the fragments transclude each other in a circle: /repo/facets/x.md → /repo/facets/me.md → /repo/facets/x.md',
    'limit /repo/facets/7.md:1: fragments transclude each other more than 8 levels deep',
    'end',
    'limit /repo/facets/d.md:1: more than 256 texts are transcluded or embedded in one rendering',
    'limit /repo/facets/x.md:null: the rendered text is longer than 4096 KiB',
  ]);
});

test('long hostile templates are judged at once', () => {
  const started = performance.now();
  for (const text of [
    '{{ "'.repeat(200_000),
    '{% if a %}'.repeat(100_000),
    '{#'.repeat(400_000),
    ' '.repeat(1e6),
    '\n\r'.repeat(500_000),
  ]) {
    shown(`${text}{{ a }}`);
  }
  shown(`{% if ${'yes or '.repeat(100_000)}yes %}{% endif %}`, { variables: { yes: false } });
  expect(performance.now() - started).toBeLessThan(2_000);
});

test('a fragment that is not there is told at the call that names it', () => {
  const fragments = { '/repo/facets/a.md': { text: 'x\n{{ transclude("s/gone.md") }}' } };
  const asked = request('{{ transclude("a.md") }}', { fragments });
  expect(missingFragmentFault(asked, '/repo/facets/s/gone.md')).toEqual({
    code: 'transclude',
    message: '"s/gone.md" cannot be read: /repo/facets/s/gone.md',
    name: '/repo/facets/a.md',
    line: 2,
    column: null,
    variable: null,
  });
});
