import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { createNodeTemplates } from '../../src/host/node/node-templates.ts';
import type { RenderFault, RenderRequest, RenderResult } from '../../src/model/index.ts';
import { createTemplates } from '../../src/runtime/templates.ts';

const templates = createTemplates(createNodeTemplates());

function request(text: string, change: Partial<RenderRequest> = {}): RenderRequest {
  return {
    id: 'facet:x',
    name: '/repo/x.md',
    text,
    line: 1,
    context: { variables: { name: 'Ada' }, lenient: [], tools: [], mcp: [], skills: [], variant: null },
    transclude: { base: '/repo', schemes: ['rein'], fragments: { '/repo/a.md': { text: 'A{{ name|upper }}' } } },
    embedded: [],
    ...change,
  };
}

type Bombed = { result: RenderResult; ms: number; responsive: boolean; grownMb: number };

/** Renders while a timer of this thread ticks on. */
async function bomb(text: string, change?: Partial<RenderRequest>): Promise<Bombed> {
  let ticks = 0;
  let highest = 0;
  const before = process.memoryUsage.rss();
  const timer = setInterval(() => {
    ticks += 1;
    highest = Math.max(highest, process.memoryUsage.rss());
  }, 20);
  const started = performance.now();
  const result = await templates.render(request(text, change));
  const ms = performance.now() - started;
  clearInterval(timer);
  return { result, ms, responsive: ticks >= Math.floor(ms / 100), grownMb: (highest - before) / 1e6 };
}

function code({ result }: Bombed): RenderFault['code'] | 'text' {
  return result.type === 'failed' ? result.fault.code : 'text';
}

const DOUBLING =
  '{% set ns = namespace(s="xxxxxxxx") %}{% for i in range(100) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}{{ ns.s|length }}';

const LIMITED: Readonly<Record<string, string>> = {
  'nested loops': '{% for i in range(100000) %}{% for j in range(100000) %}x{% endfor %}{% endfor %}',
  'a doubled text': DOUBLING,
  'a multiplied text': '{{ ("x" * 1000000000)|length }}',
  'a text indented by much': `{{ ("a\\n" * 100000)|indent(100000)|length }}`,
  'giant output': '{% for i in range(100000) %}{{ "0123456789" * 20 }}{% endfor %}',
  'a macro that calls itself': '{% macro m(n) %}{{ m(n + 1) }}{% endmacro %}{{ m(1) }}',
  'a long chain of not': `{{ ${'not '.repeat(100_000)}1 }}`,
  'a long chain of filters': `{{ "a"${'|upper'.repeat(100_000)} }}`,
  'a long sum': `{{ 1${'+1'.repeat(200_000)} }}`,
  'a list multiplied by itself':
    '{% set ns = namespace(l=[1,2,3,4]) %}{% for i in range(60) %}{% set ns.l = ns.l + ns.l %}{% endfor %}{{ ns.l|list|length }}',
  'a hundred thousand slow filters': '{% for i in range(100000) %}{{ range(100000)|list|join|length }}{% endfor %}',
};

test.each(Object.entries(LIMITED))('%s ends within the bounds, while the program goes on', async (_, text) => {
  const bombed = await bomb(text);
  expect({ code: code(bombed), responsive: bombed.responsive }).toEqual({ code: 'limit', responsive: true });
  expect(bombed.ms).toBeLessThan(6_000);
  expect(bombed.grownMb).toBeLessThan(400);
});

test.each([
  ['a huge range', '{{ range(100000000) }}'],
  ['deep parentheses', `{{ ${'('.repeat(100_000)}1${')'.repeat(100_000)} }}`],
  ['deep blocks', '{% if true %}'.repeat(20_000)],
  ['a huge power', '{{ 10 ** 1000000 }}'],
  ['an include of itself', '{% include "template" %}{% include "/repo/x.md" %}'],
])('%s is refused', async (_, text) => {
  const bombed = await bomb(text);
  expect(['limit', 'failed', 'syntax']).toContain(code(bombed));
  expect(bombed.ms).toBeLessThan(6_000);
});

test('fragments that splice each other many times end within the bounds', async () => {
  const fragments = Object.fromEntries(
    Array.from({ length: 8 }, (_, level) => [
      `/repo/${level}.md`,
      { text: `{% for i in range(50) %}{{ transclude("${level + 1}.md") }}{% endfor %}` },
    ]),
  );
  const transclude = { base: '/repo', schemes: ['rein'], fragments: { ...fragments, '/repo/8.md': { text: 'x' } } };
  const bombed = await bomb('{{ transclude("0.md")|upper }}', { transclude });
  expect(code(bombed)).toBe('limit');
  expect(bombed.ms).toBeLessThan(6_000);
});

test('after every bomb the next template is rendered', async () => {
  for (const text of [DOUBLING, `{{ ${'not '.repeat(100_000)}1 }}`]) {
    await bomb(text);
    const { result } = await bomb('{{ name|upper }}');
    expect(result).toEqual({ type: 'text', segments: [{ text: 'ADA', from: null }], warnings: [] });
  }
});

test('no template reaches JavaScript', async () => {
  for (const text of [
    '{{ name.constructor("return process")()|d }}',
    '{{ transclude.constructor("return process")() }}',
    '{{ has_tool.__proto__.x }}',
    '{{ name["__proto__"]["x"] }}',
    '{{ get_tool("constructor").name }}',
    '{{ get_tool("__proto__").name }}',
    '{{ toString() }}',
    '{{ globalThis.process }}',
  ]) {
    const bombed = await bomb(text);
    expect([text, bombed.result.type]).toEqual([text, 'failed']);
  }
});

test('renderings that are asked for at once are answered one after the other', async () => {
  const results = await Promise.all(['a', 'b', 'c'].map((text) => templates.render(request(`{{ "${text}"|upper }}`))));
  expect(results.map((result) => (result.type === 'text' ? result.segments[0]?.text : result))).toEqual([
    'A',
    'B',
    'C',
  ]);
});

test('a worker that does not start is told', async () => {
  const broken = createTemplates(createNodeTemplates({ workerFile: '/repo/no-such-worker.cjs' }));
  const result = await broken.render(request('{{ name|upper }}'));
  expect(result.type === 'failed' ? [result.fault.code, result.fault.name] : result).toEqual(['failed', '/repo/x.md']);
});

test('an idle engine does not keep the program alive', () => {
  const sdk = pathToFileURL(join(import.meta.dirname, '../../dist/sdk.js')).href;
  const job = {
    main: 'x',
    sources: { x: { text: '{{ "a"|upper }}' } },
    embedded: [],
    variables: {},
    tools: [],
    mcp: [],
    skills: [],
    variant: null,
    limits: { depth: 8, splices: 256, output: 1000, fuel: 1000 },
    marks: null,
  };
  const script = `
    import { createNodeHost } from ${JSON.stringify(sdk)};
    const outcome = await createNodeHost().templates.run({ ...${JSON.stringify(job)}, targets: new Map() });
    console.log(JSON.stringify(outcome));`;
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', timeout: 20_000 });
  expect([run.status, run.stdout.trim(), run.stderr]).toEqual([
    0,
    JSON.stringify({ type: 'text', text: 'A', marked: null, splices: [] }),
    '',
  ]);
});
