import { expect, test } from 'vitest';
import type { TemplateEnginePort } from '../host/index.ts';
import { createMemoryHost } from '../host/memory/index.ts';
import type { RenderRequest, RenderResult } from '../model/index.ts';
import { createTemplates } from './templates.ts';

const templates = createTemplates(createMemoryHost().templates);

type Given = {
  variables?: RenderRequest['context']['variables'];
  lenient?: string[];
  fragments?: Record<string, string | { text: string; literal: true }>;
  embedded?: string[];
  line?: number;
  transclude?: null;
};

function request(text: string, given: Given = {}): RenderRequest {
  const { variables = {}, lenient = [], fragments = {}, embedded = [], line = 1 } = given;
  const texts = Object.entries(fragments).map(([key, fragment]) => [
    key,
    typeof fragment === 'string' ? { text: fragment } : fragment,
  ]);
  const transclude = { base: '/repo', schemes: ['rein', 'other'], fragments: Object.fromEntries(texts) };
  return {
    id: 'facet:x',
    name: '/repo/x.md',
    text,
    line,
    context: {
      variables,
      lenient,
      tools: [{ name: 'read', description: 'Reads a file.' }],
      mcp: ['search'],
      skills: ['review'],
      variant: 'claude',
    },
    transclude: given.transclude === null ? null : transclude,
    embedded,
  };
}

async function rendered(text: string, given?: Given): Promise<RenderResult> {
  return templates.render(request(text, given));
}

async function shown(text: string, given?: Given): Promise<unknown> {
  const result = await rendered(text, given);
  if (result.type === 'text') return result.segments.map((segment) => segment.text).join('');
  return result.type === 'missing' ? result : result.fault;
}

function fault(code: string, message: string, rest: object = {}): object {
  return { code, message, name: '/repo/x.md', line: 1, column: null, variable: null, ...rest };
}

test('loops, filters, macros and functions work', async () => {
  expect(
    await shown('{% for n in names %}{{ loop.index }}. {{ n|title }}\n{% endfor %}', {
      variables: { names: ['a', 'b'] },
    }),
  ).toBe('1. A\n2. B\n');
  expect(await shown('{{ get_tool("read").description }} {{ get_tool("no") is none }} {{ has_tool("read") }}')).toBe(
    'Reads a file. true true',
  );
  expect(
    await shown('{{ has_mcp("search") }} {{ has_skill("no") }} {{ is_model_variant("claude") }} {{ has_tool(1) }}'),
  ).toBe('true false true false');
  expect(await shown('{{ "<&>"|upper }}')).toBe('<&>');
});

test('each stretch of the text knows the innermost fragment or embedded text it came from', async () => {
  const fragments = {
    '/repo/a.md': '(a {{ transclude("sub/b.md") }} {{ "x"|upper }})\n',
    '/repo/sub/b.md': '[b {{ embedded(0) }}]',
    'rein://raw.md': { text: '{{ raw }}\n', literal: true as const },
  };
  const text = '{{ "1"|upper }} {{ transclude("a.md") }} {{ transclude("other://raw.md") }}';
  expect(await rendered(text, { fragments, embedded: ['E'] })).toEqual({
    type: 'text',
    segments: [
      { text: '1 ', from: null },
      { text: '(a ', from: '/repo/a.md' },
      { text: '[b ', from: '/repo/sub/b.md' },
      { text: 'E', from: 'embedded:0' },
      { text: ']', from: '/repo/sub/b.md' },
      { text: ' X)', from: '/repo/a.md' },
      { text: ' ', from: null },
      { text: '{{ raw }}\n', from: 'rein://raw.md' },
    ],
    warnings: [],
  });
});

test('a spliced text that is changed on its way counts as the template’s own', async () => {
  const fragments = { '/repo/a.md': 'a', '/repo/b.md': ' b ' };
  expect(
    await rendered('{{ transclude("a.md") }}{{ transclude("b.md")|trim }}{{ transclude("a.md")|length }}', {
      fragments,
    }),
  ).toEqual({
    type: 'text',
    segments: [{ text: 'ab1', from: null }],
    warnings: [],
  });
});

test('a text that holds or makes marks forges no origin', async () => {
  const marks = '\u{F0000}\u{F0102}\u{FFFFD}';
  const text = `${marks}{{ "\\udb80\\udc02\\udb80\\udc00" }}{{ transclude("a.md") }}{{ "x"|upper }}`;
  const result = await rendered(text, { fragments: { '/repo/a.md': `A${marks}` } });
  const segments = result.type === 'text' ? result.segments : [];
  expect(segments.map((segment) => segment.text).join('')).toBe(`${marks}\u{F0002}\u{F0000}A${marks}X`);
  expect(segments.filter(({ from }) => from !== null)).toEqual([{ text: `A${marks}`, from: '/repo/a.md' }]);
});

test('names that a template computes are found, and what is not known is asked for', async () => {
  const fragments = { '/repo/a1.md': 'ONE', '/repo/a2.md': '{{ transclude("a" ~ 3 ~ ".md") }}' };
  const text = '{% for n in [1, 2] %}{{ transclude("a" ~ n ~ ".md") }}{% endfor %}{{ transclude("b.md") }}';
  expect(await shown(text, { fragments })).toEqual({ type: 'missing', paths: ['/repo/a3.md', '/repo/b.md'] });
  expect(await shown(text, { fragments: { ...fragments, '/repo/a3.md': '3', '/repo/b.md': 'B' } })).toBe('ONE3B');
});

test('an undefined name is told with its place', async () => {
  const place = { line: 11, variable: 'user' };
  expect(await shown('a\n{{ user|d("") }}é{{ user }}', { line: 10 })).toEqual(
    fault('undefined', 'user is not defined', { ...place, column: 21 }),
  );
  expect(await shown('{% if plan.owner and true %}{% endif %}', { variables: { plan: {} } })).toEqual(
    fault('undefined', 'plan.owner is not defined', { variable: 'plan.owner', column: 7 }),
  );
  expect(await shown('{% for a in l %}{{ a.b }}{% endfor %}', { variables: { l: [{}] } })).toEqual(
    fault('undefined', 'a.b is not defined', { variable: 'a.b', column: 20 }),
  );
  expect(await shown('{{ user.name.x|d }}')).toEqual(
    fault('undefined', 'user is not defined', { variable: 'user', column: 4 }),
  );
  expect(await shown('{{ lookup("x") }}')).toEqual(
    fault('undefined', 'lookup is not defined', { variable: 'lookup', column: 4 }),
  );
  expect(await shown('{{ transclude("x") }}', { transclude: null })).toEqual(
    fault('undefined', 'transclude is not defined', { variable: 'transclude', column: 4 }),
  );
});

test('a fault in a fragment names the fragment and its own line', async () => {
  expect(await shown('\n{{ transclude("a.md") }}', { line: 5, fragments: { '/repo/a.md': 'x\n\n{{ y }}' } })).toEqual(
    fault('undefined', 'y is not defined', { name: '/repo/a.md', line: 3, column: 4, variable: 'y' }),
  );
});

test('faults of syntax and of use are one sentence', async () => {
  expect([
    await shown('a\n{% if x %}'),
    await shown('{{ "a'),
    await shown('{{ 1|nothing }}'),
    await shown('{{ "a" + 1 }}'),
    await shown('{% include "a" %}'),
    await shown('{{ embedded(7) }}{{ 1|string }}'),
  ]).toEqual([
    fault('syntax', 'unexpected end of input, expected end of block', { line: 2, column: 9 }),
    fault('syntax', 'unexpected end of string', { column: 6 }),
    fault('failed', 'filter nothing is unknown', { column: 6 }),
    fault('failed', 'tried to use + operator on unsupported types string and number', { column: 4 }),
    fault('failed', 'templates cannot include, import or extend others; transclude can', { column: 4 }),
    fault('transclude', 'there is no such embedded text', { line: null }),
  ]);
});

test('refused, circular and deep transcludes are told at their call', async () => {
  const use = '{{ "x"|upper }}\n';
  const chain = Object.fromEntries(
    Array.from({ length: 10 }, (_, level) => [`/repo/${level}.md`, `{{ transclude("${level + 1}.md") }}`]),
  );
  expect([
    await shown(`${use}{{ transclude("../a.md") }}`, { line: 4 }),
    await shown(`${use}{{ transclude("a.md") }}`, {
      fragments: { '/repo/a.md': '\n{{ transclude("b.md") }}', '/repo/b.md': '{{ transclude("./a.md") }}' },
    }),
    await shown(`${use}{{ transclude("0.md") }}`, { fragments: chain }),
    await shown('{% for i in range(300) %}{{ transclude("a.md") }}{% endfor %}', { fragments: { '/repo/a.md': 'a' } }),
    await shown('{{ transclude(12) }}'),
  ]).toEqual([
    fault('transclude', '"../a.md" leaves the template\'s directory', { line: 5 }),
    fault('transclude', 'the fragments transclude each other in a circle: /repo/a.md → /repo/b.md → /repo/a.md', {
      name: '/repo/b.md',
    }),
    fault('limit', 'fragments transclude each other more than 8 levels deep', { name: '/repo/7.md' }),
    fault('limit', 'more than 256 texts are transcluded or embedded in one rendering'),
    fault('transclude', 'transclude takes one text', { line: null }),
  ]);
});

test('missing fields below a lenient name render as nothing, with a warning for each', async () => {
  const given = { lenient: ['vars'], variables: { vars: { team: { lead: 'Ada' } } } };
  const text = [
    '{{ vars.team.lead }}|{{ vars.team.size }}|{{ vars["a"].b.c }}|{{ vars.color|d("red") }}|{{ vars.x.y|default("z") }}',
    '{% if vars.flag %}on{% else %}off{% endif %}|{{ vars.team.size is defined }}|{% for m in vars.list %}{{ m }}{% endfor %}|',
  ].join('\n');
  expect(await rendered(text, given)).toEqual({
    type: 'text',
    segments: [{ text: 'Ada|||red|z\noff|false||', from: null }],
    warnings: [
      'vars.team.size is not set and renders as nothing (/repo/x.md)',
      'vars.a is not set and renders as nothing (/repo/x.md)',
      'vars.x is not set and renders as nothing (/repo/x.md)',
      'vars.flag is not set and renders as nothing (/repo/x.md)',
      'vars.list is not set and renders as nothing (/repo/x.md)',
    ],
  });
  expect(await shown('{{ vars.a }}', { lenient: ['vars'] })).toBe('');
  expect(await shown('{{ vars.a }}{{ other.b }}', given)).toEqual(
    fault('undefined', 'other is not defined', { variable: 'other' }),
  );
});

test('what the engine used up, and an engine that does not work, are told', async () => {
  const failing = (failure: { why: 'time' | 'memory' } | { why: 'broken'; reason: string }): TemplateEnginePort => ({
    prepare: () => undefined,
    run: async () => ({ type: 'failed', failure }),
  });
  const faults = [{ why: 'time' as const }, { why: 'memory' as const }, { why: 'broken' as const, reason: 'no file' }];
  const results = await Promise.all(
    faults.map((given) => createTemplates(failing(given)).render(request('{{ 1|x }}'))),
  );
  expect(results).toEqual(
    [
      fault('limit', 'the template takes too long to render', { line: null }),
      fault('limit', 'the template needs more memory than a rendering may use', { line: null }),
      fault('failed', 'the template engine does not work here: no file', { line: null }),
    ].map((expected) => ({ type: 'failed', fault: expected })),
  );
});

test('output over four megabytes is refused', async () => {
  expect(await shown('{{ "x" * 4194304 }}')).toHaveLength(4 * 1024 * 1024);
  expect(await shown('{{ "x" * 4194305 }}')).toEqual(
    fault('limit', 'the rendered text is longer than 4096 KiB', { line: null }),
  );
  expect(await shown('{{ "é" * 2200000 }}')).toEqual(
    fault('limit', 'the rendered text is longer than 4096 KiB', { line: null }),
  );
});

test('the same request gives the same answer, keys of objects in one order', async () => {
  const left = { variables: { o: { b: 1, a: 2 } } };
  const right = { variables: { o: { a: 2, b: 1 } } };
  expect([await shown('{{ o|tojson }}', left), await shown('{{ o|tojson }}', right)]).toEqual([
    '{"a":2,"b":1}',
    '{"a":2,"b":1}',
  ]);
});
