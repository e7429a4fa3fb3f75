import { expect } from 'vitest';
import { FACETED, facetFile } from './rig/faceted.ts';
import { appendEvent } from './rig/stored-session.ts';
import { systemOf, type Workspace, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

/** A run that must not send anything: the lines of stderr. */
async function refused(w: Workspace, facet: string): Promise<string> {
  const before = w.requests().length;
  const { code, stdout, stderr } = await w.run(['-p', '--facet', facet, 'hello']);
  expect({ facet, code, stdout, sent: w.requests().length - before }).toEqual({ facet, code: 2, stdout: '', sent: 0 });
  return stderr;
}

/** The envelope of an embedded file in a prompt, parsed. */
function embedded(system: string): { before: string; path: string; text: string; after: string } {
  const found = /^([\s\S]*?)<embedded-file path="([^"]*)">\n([\s\S]*?)\n<\/embedded-file>([\s\S]*)$/.exec(system);
  if (found === null) throw new RangeError(`no envelope in ${system.slice(0, 200)}`);
  const [, before = '', path = '', text = '', after = ''] = found;
  return { before, path, text, after };
}

for (const { harness, inside, user, schemes, keys, names } of FACETED) {
  const facets = `${inside}/facets`;

  verifies('P8', `${harness}: a transcluded file is rendered with the facet’s context where it is named`, async () => {
    const w = await workspace(
      {
        '.git/': null,
        [`${facets}/scribe.md`]: facetFile('scribe', 'A {{ transclude("shared/a.md") }} Z'),
        [`${facets}/shared/a.md`]: '[{{ facet_name }}|{{ model_id }}|{{ transclude("shared/b.md") }}]',
        [`${facets}/shared/b.md`]: 'in {{ cwd }}',
      },
      { harness },
    );
    expect(await w.systemPrompt({ args: ['--facet', 'scribe'] })).toBe(`A [scribe|rehearsed|in ${w.project}] Z`);
  });

  verifies('P8', `${harness}: loops, filters and assignments are understood, too`, async () => {
    const body = [
      '{% set words = ["b", "a"] %}',
      '{%- for word in words|sort %}{{ loop.index }}{{ word|upper }} {% endfor %}',
      '{{- nothing|default("none") }}',
      '{%- if active_plan %} PLAN{% else %} no plan{% endif %}',
    ].join('\n');
    const w = await workspace({ '.git/': null, [`${user}/facets/loop.md`]: facetFile('loop', body) }, { harness });
    expect(await w.systemPrompt({ args: ['--facet', 'loop'] })).toBe('1A 2B none no plan');
  });

  verifies('P8', `${harness}: a facet that does not render is refused with file, line and variable`, async () => {
    const w = await workspace(
      {
        '.git/': null,
        [`${facets}/bad.md`]: facetFile('bad', 'one\ntwo {{ no_such_thing }}'),
        [`${facets}/through.md`]: facetFile('through', '{{ transclude("shared/worse.md") }}'),
        [`${facets}/shared/worse.md`]: 'one\n\n{% if other_thing.field == 1 %}x{% endif %}',
        [`${facets}/open.md`]: facetFile('open', 'one\n{% if facet_name %}'),
      },
      { harness },
    );
    expect(await refused(w, 'bad')).toMatch(/facets\/bad\.md:5\b.*no_such_thing/);
    expect(await refused(w, 'through')).toMatch(/facets\/shared\/worse\.md:3\b.*other_thing/);
    expect(await refused(w, 'open')).toMatch(/facets\/open\.md:[56]\b/);
  });

  verifies('P8', `${harness}: a facet that breaks in a session fails its turn and nothing else`, async () => {
    const w = await workspace(
      {
        '.git/': null,
        [`${facets}/scribe.md`]: facetFile('scribe', '{{ transclude("shared/a.md") }}'),
        [`${facets}/shared/a.md`]: 'V1',
      },
      { harness },
    );
    const session = w.stream(['--facet', 'scribe']);
    await session.prompt('one');
    w.write(`${facets}/shared/a.md`, '{{ no_such_thing }}');
    session.send({ type: 'prompt', text: 'two' });
    const error = await session.until(({ type }) => type === 'error');
    expect(JSON.stringify(error)).toMatch(/shared\/a\.md:1\b.*no_such_thing/);
    w.write(`${facets}/shared/a.md`, 'V2');
    await session.prompt('three');
    await session.end();
    expect(w.requests().map(systemOf)).toEqual(['V1', 'V2']);
  });

  verifies('P9', `${harness}: a fragment branches on the model and on the tools offered`, async () => {
    const fragment = [
      '{% if is_model_variant("claude") %}claude{% elif is_model_variant("openai") %}openai{% else %}other{% endif %}',
      ` {% if has_tool("${names.grep}") %}search{% else %}no search{% endif %}`,
      '{% if model_id == "gpt-5" %} five{% endif %}',
    ].join('');
    const w = await workspace(
      {
        '.git/': null,
        [`${facets}/any.md`]: facetFile('any', '{{ transclude("shared/branch.md") }}'),
        [`${facets}/few.md`]: facetFile(
          'few',
          '{{ transclude("shared/branch.md") }}',
          `${keys[0]}:\n  tools: [${names.read}]\n`,
        ),
        [`${facets}/shared/branch.md`]: fragment,
      },
      { harness },
    );
    const prompt = (facet: string, model: string): Promise<string> =>
      w.systemPrompt({ args: ['--facet', facet], env: { REIN_MODEL: model } });
    expect(await prompt('any', 'claude-opus-4-5')).toBe('claude search');
    expect(await prompt('any', 'gpt-5')).toBe('openai search five');
    expect(await prompt('few', 'rehearsed')).toBe('other no search');
    expect(await w.systemPrompt({ args: ['--facet', 'any', '--tools', names.read] })).toBe('other no search');
  });

  verifies('P10', `${harness}: paths start at the facet, whichever fragment names them`, async () => {
    const w = await workspace(
      {
        '.git/': null,
        [`${facets}/deep.md`]: facetFile('deep', '{{ transclude("a/b/one.md") }}'),
        [`${facets}/a/b/one.md`]: '1 {{ transclude("two.md") }} {{ transclude("a/b/two.md") }}',
        [`${facets}/two.md`]: 'outer',
        [`${facets}/a/b/two.md`]: 'inner',
      },
      { harness },
    );
    expect(await w.systemPrompt({ args: ['--facet', 'deep'] })).toBe('1 outer inner');
  });

  verifies('P10', `${harness}: a path that leaves the facet’s tree is refused, nothing is sent`, async () => {
    const w = await workspace(
      {
        '.git/': null,
        'secret.md': 'SECRET',
        [`${inside}/secret.md`]: 'SECRET',
        [`${facets}/fine.md`]: facetFile('fine', 'fine {{ transclude("a/../b.md") }}'),
        [`${facets}/b.md`]: 'b',
        [`${facets}/up.md`]: facetFile('up', '{{ transclude("../secret.md") }}'),
        [`${facets}/link.md`]: facetFile('link', '{{ transclude("linked.md") }}'),
        [`${facets}/linked.md`]: { link: '../../secret.md' },
        [`${facets}/away.md`]: facetFile('away', '{{ transclude("out/secret.md") }}'),
        [`${facets}/out`]: { link: '../..' },
        [`${facets}/through.md`]: facetFile('through', '{{ transclude("a/up.md") }}'),
        [`${facets}/a/up.md`]: '{{ transclude("../secret.md") }}',
        [`${facets}/missing.md`]: facetFile('missing', '{{ transclude("nowhere.md") }}'),
        [`${facets}/directory.md`]: facetFile('directory', '{{ transclude("a") }}'),
        [`${facets}/scheme.md`]: facetFile('scheme', `{{ transclude("${schemes[0]}://no/such.md") }}`),
        [`${facets}/loop.md`]: facetFile('loop', '{{ transclude("a/loop.md") }}'),
        [`${facets}/a/loop.md`]: '{{ transclude("a/again.md") }}',
        [`${facets}/a/again.md`]: '{{ transclude("a/loop.md") }}',
      },
      { harness },
    );
    w.write(`${facets}/absolute.md`, facetFile('absolute', `{{ transclude("${w.path('secret.md')}") }}`));
    const all = ['up', 'link', 'away', 'through', 'missing', 'directory', 'scheme', 'loop', 'absolute'];
    for (const facet of all) expect(await refused(w, facet)).not.toContain('SECRET');
    expect(await w.systemPrompt({ args: ['--facet', 'fine'] })).toBe('fine b');
  });

  verifies('P11', `${harness}: one fragment serves each facet of its tree`, async () => {
    const w = await workspace(
      {
        '.git/': null,
        ...Object.fromEntries(
          ['one', 'two'].flatMap((name) => [
            [`${facets}/${name}.md`, facetFile(name, `${name}: {{ transclude("shared/style.md") }}`)],
            [`${user}/facets/my-${name}.md`, facetFile(`my-${name}`, `${name}: {{ transclude("shared/style.md") }}`)],
          ]),
        ),
        [`${facets}/shared/style.md`]: 'project style for {{ facet_name }}',
        [`${user}/facets/shared/style.md`]: 'own style for {{ facet_name }}',
      },
      { harness },
    );
    const prompts: string[] = [];
    for (const facet of ['one', 'two', 'my-one', 'my-two'])
      prompts.push(await w.systemPrompt({ args: ['--facet', facet] }));
    expect(prompts).toEqual([
      'one: project style for one',
      'two: project style for two',
      'one: own style for my-one',
      'two: own style for my-two',
    ]);
  });

  verifies('P12', `${harness}: the shipped base stands where its URL is transcluded, else nowhere`, async () => {
    const w = await workspace({ '.git/': null }, { harness });
    const shipped = await w.run(['vfs', 'cat', `${schemes.at(-1)}://system_prompts/facet.md`]);
    expect({ code: shipped.code, isText: shipped.stdout.length > 20 }).toEqual({ code: 0, isText: true });
    for (const scheme of schemes) {
      const url = `{{ transclude("${scheme}://system_prompts/facet.md") }}`;
      w.write(`${facets}/base.md`, facetFile('base', url));
      w.write(`${facets}/more.md`, facetFile('more', `${url}\n\nHelp with documents.`));
      const base = await w.systemPrompt({ args: ['--facet', 'base'] });
      expect(base).toContain(names.read);
      expect(base).not.toMatch(/\{\{|\{%/);
      expect(await w.systemPrompt({ args: ['--facet', 'more'] })).toBe(`${base}\n\nHelp with documents.`);
    }
    w.write(`${facets}/bare.md`, facetFile('bare', 'Help with documents.'));
    expect(await w.systemPrompt({ args: ['--facet', 'bare'] })).toBe('Help with documents.');
  });

  verifies(
    'P13',
    `${harness}: a file named by @ is embedded when the facet is loaded, and its source is said`,
    async () => {
      const file = `${facets}/scribe.md`;
      const w = await workspace(
        {
          '.git/': null,
          [file]: facetFile('scribe', 'Before.\n\n@rules/style.md\n\nAfter {{ facet_name }}.'),
          [`${facets}/rules/style.md`]: 'Use @other.md and *stars*.',
          [`${facets}/rules/other.md`]: 'OTHER',
          [`${facets}/other.md`]: 'OTHER',
        },
        { harness },
      );
      const session = w.stream(['--facet', 'scribe']);
      await session.prompt('one');
      w.write(`${facets}/rules/style.md`, 'EDITED');
      await session.prompt('two');
      await session.carryOut({ type: 'reload' });
      await session.prompt('three');
      await session.end();
      const seen = w.requests().map((request) => embedded(systemOf(request)));
      expect(seen.map(({ before, text, after }) => [before, text, after])).toEqual([
        ['Before.\n\n', 'Use @other.md and *stars*.', '\n\nAfter scribe.'],
        ['Before.\n\n', 'Use @other.md and *stars*.', '\n\nAfter scribe.'],
        ['Before.\n\n', 'EDITED', '\n\nAfter scribe.'],
      ]);
      for (const { path } of seen) expect(path.endsWith('rules/style.md')).toBe(true);
    },
  );

  verifies('P14', `${harness}: template marks of an embedded file reach the model as they are`, async () => {
    const marks = '{{ facet_name }} {% if x %}y{% endif %} {# z #} {{ transclude("a.md") }} {% raw %} {% endraw %}';
    const w = await workspace(
      {
        '.git/': null,
        [`${facets}/scribe.md`]: facetFile('scribe', '@marks.txt'),
        [`${facets}/marks.txt`]: `${marks}\n</embedded-file>\n{{ also_this }}`,
      },
      { harness },
    );
    const { before, text, after } = embedded(await w.systemPrompt({ args: ['--facet', 'scribe'] }));
    expect([before, text, after]).toEqual(['', `${marks}\n&lt;/embedded-file>\n{{ also_this }}`, '']);
  });

  verifies('P14', `${harness}: a huge embedded file is cut, and says so`, async () => {
    const w = await workspace(
      {
        '.git/': null,
        [`${facets}/scribe.md`]: facetFile('scribe', '@huge.txt'),
        [`${facets}/huge.txt`]: 'line of text\n'.repeat(100_000),
      },
      { harness },
    );
    const { text } = embedded(await w.systemPrompt({ args: ['--facet', 'scribe'] }));
    expect(Buffer.byteLength(text)).toBeLessThan(66 * 1024);
    expect(text.startsWith('line of text\nline of text\n')).toBe(true);
    const [last = ''] = text.trimEnd().split('\n').slice(-1);
    expect(last).not.toBe('line of text');
    expect(text.slice(-400)).toMatch(/1,?300,?000|1,?23\d,?\d{3}/);
  });

  verifies('P15', `${harness}: a reference that cannot be read stays as it is written`, async () => {
    const body = 'See @nowhere/rules.md, @directory, @locked.md and mail ops@example.test about @param.';
    const w = await workspace(
      {
        '.git/': null,
        [`${facets}/scribe.md`]: facetFile('scribe', body),
        [`${facets}/directory/`]: null,
        [`${facets}/locked.md`]: { link: 'locked.md' },
      },
      { harness },
    );
    expect(await w.systemPrompt({ args: ['--facet', 'scribe'] })).toBe(body);
  });

  verifies('P42', `${harness}: the plan changes the prompt of a facet that renders it, and of no other`, async () => {
    const body = 'Work.{% if active_plan %} Plan: {{ active_plan.text }}{% endif %}';
    const w = await workspace({ '.git/': null, [`${facets}/planned.md`]: facetFile('planned', body) }, { harness });
    const shipped = await w.systemPrompt();
    appendEvent(w, { type: 'plan', op: 'write', path: w.path('plan.md'), text: '1. DO IT' });
    await w.print(['--continue', 'next']);
    expect(systemOf(w.requests().at(-1))).toBe(shipped);
    await w.print(['--continue', '--facet', 'planned', 'next']);
    expect(systemOf(w.requests().at(-1))).toBe('Work. Plan: 1. DO IT');
  });

  verifies('P61', `${harness}: a transcluded file is read at each render, without a reload`, async () => {
    const w = await workspace(
      {
        '.git/': null,
        [`${facets}/scribe.md`]: facetFile('scribe', 'Style: {{ transclude("shared/style.md") }}'),
        [`${facets}/shared/style.md`]: 'V1',
      },
      { harness },
    );
    const session = w.stream(['--facet', 'scribe']);
    for (const version of ['V1', 'V2', 'V3']) {
      w.write(`${facets}/shared/style.md`, version);
      await session.prompt('go');
    }
    await session.end();
    expect(w.requests().map(systemOf)).toEqual(['Style: V1', 'Style: V2', 'Style: V3']);
  });
}
