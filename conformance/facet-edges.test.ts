import { expect } from 'vitest';
import { FACETED, facetFile, linesAbout, skillFile } from './rig/faceted.ts';
import { history, skillsIn } from './rig/history.ts';
import { callsThenDone, resultsOf } from './rig/tool-results.ts';
import { bodyOf, systemOf, toolNamesOf, type Workspace, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

function modelOf(w: Workspace, request: number = -1): string {
  return (bodyOf(w.requests().at(request)) as unknown as { model: string }).model;
}

/** All that a template may ask for (spec/polytoken.md 4.2). */
const VARIABLES = [
  'model_name',
  'model_variant',
  'model_id',
  'facet_name',
  'project_path',
  'cwd',
  'session_id',
  'current_date',
  'is_non_interactive',
  'available_tools',
  'available_undeferred_tools',
  'available_deferred_tools',
  'tool_library',
  'available_mcp_servers',
  'available_subagents',
  'available_skills',
  'auto_drain_notifications',
  'plan_integration_enabled',
  'project_vars',
  'project_metadata',
  'supports_vision',
  'can_read_images',
];
/** Those that may be none. */
const OPTIONAL = ['max_tool_batch_size', 'source_control', 'active_plan'];

for (const { harness, inside, user, keys, names, call } of FACETED) {
  const facets = `${inside}/facets`;
  const skills = `${inside}/skills`;
  const [key] = keys;

  verifies('P6', `${harness}: an empty list of tools gives none; an empty list of skills allows all`, async () => {
    const w = await workspace(
      {
        '.git/': null,
        [`${facets}/none.md`]: facetFile('none', 'NONE', `${key}:\n  tools: []\n`),
        [`${facets}/every.md`]: facetFile('every', 'EVERY', `${key}:\n  skills_allow: []\n`),
        [`${skills}/one/SKILL.md`]: skillFile('one', 'Number one.', 'ONE'),
      },
      { harness },
    );
    await w.print(['--facet', 'none', 'hello']);
    expect(toolNamesOf(w.requests()[0])).toEqual(['skill']);
    await w.print(['--facet', 'every', 'hello']);
    expect(toolNamesOf(w.requests()[1])).toContain('skill');
  });

  verifies('P6', `${harness}: a facet’s model comes before --model, without one the session’s stays`, async () => {
    const w = await workspace(
      {
        '.git/': null,
        [`${user}/facets/pinned.md`]: facetFile('pinned', 'PINNED', `${key}:\n  model: another\n`),
        [`${user}/facets/free.md`]: facetFile('free', 'FREE'),
      },
      { harness },
    );
    await w.print(['--model', 'chosen', '--facet', 'pinned', 'hello']);
    await w.print(['--model', 'chosen', '--facet', 'free', 'hello']);
    expect([modelOf(w, 0), modelOf(w, 1)]).toEqual(['another', 'chosen']);
  });

  verifies(
    'P6',
    `${harness}: of several models the first that can be had answers, with the effort asked for`,
    async () => {
      const provider = { base_url: '', models: { known: { reasoning: 'effort' } } };
      const made: Record<string, string> = {
        first: 'model: mine/known(high)',
        second: 'model: gone/other\n  fallback_models: ["@mg:group", mine/known]',
        own: 'model: gone/other\n  fallback_models: ["default_model:full", mine/known]',
        none: 'model: gone/other',
      };
      const w = await workspace(
        {
          '.git/': null,
          ...Object.fromEntries(
            Object.entries(made).map(([name, lines]) => [
              `${user}/facets/${name}.md`,
              facetFile(name, name, `${key}:\n  ${lines}\n`),
            ]),
          ),
        },
        { harness },
      );
      const settings = { model: 'mine/start', providers: { mine: { ...provider, base_url: w.server.url } } };
      w.write('~/.config/rein/settings.json', JSON.stringify(settings));
      const seen: unknown[] = [];
      for (const name of Object.keys(made)) {
        const before = w.requests().length;
        const { code, stderr } = await w.run(['-p', '--facet', name, 'hello'], {
          env: { REIN_MODEL: '', REIN_BASE_URL: '' },
        });
        const body = w.requests()[before]?.json as { model?: string; reasoning_effort?: string } | undefined;
        seen.push([name, code, body?.model, body?.reasoning_effort, /gone\/other/.test(stderr)]);
      }
      expect(seen).toEqual([
        ['first', 0, 'known', 'high', false],
        ['second', 0, 'known', undefined, true],
        ['own', 0, 'start', undefined, true],
        ['none', 0, 'start', undefined, true],
      ]);
    },
  );

  verifies('P6', `${harness}: a switch with a condition needs a person’s word`, async () => {
    const rules = `${key}:\n  tools: [switch_facet]\n  facet_transitions:\n    two: {condition: "Has the user agreed?"}\n`;
    const w = await workspace(
      {
        '.git/': null,
        [`${facets}/one.md`]: facetFile('one', 'ONE', rules),
        [`${facets}/two.md`]: facetFile('two', 'TWO'),
      },
      {
        harness,
        replies: [...callsThenDone([[['switch_facet', { facet: 'two' }]]]).slice(0, 1), { text: 'ok', repeat: true }],
      },
    );
    const { code, stderr } = await w.run(['-p', '--permission-mode', 'yolo', '--facet', 'one', 'hello']);
    expect({ code, said: stderr.includes('Has the user agreed?') }).toEqual({ code: 3, said: true });
    await w.print(['--continue', 'again']);
    expect(w.requests().map(systemOf)).toEqual(['ONE', 'ONE']);
  });

  verifies('P6', `${harness}: what is wrong in a facet’s file loses that facet alone, with its line`, async () => {
    const wrong = {
      'nameless.md': '---\ndescription: x\n---\nNAMELESS',
      'headless.md': 'HEADLESS',
      'broken.md': `---\nname: broken\n${key}:\n  tools: [a\n---\nBROKEN`,
      'lists.md': facetFile('lists', 'LISTS', `${key}:\n  tools_deny: everything\n`),
      'mapping.md': facetFile('mapping', 'MAPPING', `${key}: [tools]\n`),
    };
    const w = await workspace(
      {
        '.git/': null,
        ...Object.fromEntries(Object.entries(wrong).map(([name, text]) => [`${facets}/${name}`, text])),
        [`${facets}/good.md`]: facetFile('good', 'GOOD'),
      },
      { harness },
    );
    for (const name of Object.keys(wrong)) {
      const { code } = await w.run(['-p', '--facet', name.replace('.md', ''), 'hello']);
      expect([name, code]).toEqual([name, 2]);
    }
    expect(w.requests()).toEqual([]);
    const { stderr } = await w.print(['--facet', 'good', 'hello']);
    expect(systemOf(w.requests()[0])).toBe('GOOD');
    for (const name of Object.keys(wrong)) {
      const lines = linesAbout(w, stderr, `${facets}/${name}`);
      expect([name, lines.length, /\.md:\d/.test(lines[0] ?? '')]).toEqual([name, 1, true]);
    }
  });

  verifies('P6', `${harness}: the model switches only as the facet in force allows`, async () => {
    const rules = `${key}:\n  tools: [switch_facet]\n  facet_transitions:\n    two: {allowed: false}\n    three: {allowed: true}\n`;
    const w = await workspace(
      {
        '.git/': null,
        [`${facets}/one.md`]: facetFile('one', 'ONE', rules),
        [`${facets}/two.md`]: facetFile('two', 'TWO'),
        [`${facets}/three.md`]: facetFile('three', 'THREE'),
      },
      {
        harness,
        replies: callsThenDone([
          [['switch_facet', { facet: 'two' }]],
          [['switch_facet', { facet: 'gone' }]],
          [['switch_facet', { facet: 'three' }]],
        ]),
      },
    );
    await w.print(['--facet', 'one', 'hello']);
    expect(w.requests().map(systemOf)).toEqual(['ONE', 'ONE', 'ONE', 'THREE']);
  });

  verifies('P9', `${harness}: all documented values are there, as they are and not escaped`, async () => {
    const body = [
      ...VARIABLES.map((name) => `${name}={{ ${name} is defined and ${name} is not none }}`),
      ...OPTIONAL.map((name) => `${name}={% if ${name} %}set{% else %}unset{% endif %}`),
      '{{ "<a> & \\"b\\"" }} {{ "<i>"|safe }} {{ nothing|default("none") }}',
      '{{ has_mcp("x") }} {{ has_skill("one") }} {{ has_skill("two") }} {{ has_tool("nothing") }}',
      `{{ get_tool("${names.read}").name }} {{ available_skills[0].name }}: {{ available_skills[0].description }}`,
      '{{ project_vars.team.name }}|{{ project_metadata.count + 1 }}|{{ project_vars.gone.deeper }}|',
    ].join('\n');
    const w = await workspace(
      {
        '.git/': null,
        [`${facets}/all.md`]: facetFile('all', body),
        [`${inside}/project_vars.yaml`]: 'team:\n  name: "<core>"\ncount: 41\n',
        [`${skills}/one/SKILL.md`]: skillFile('one', 'Number one.', 'ONE'),
      },
      { harness },
    );
    const { stderr } = await w.print(['--facet', 'all', 'hello']);
    expect(systemOf(w.requests()[0]).split('\n')).toEqual([
      ...VARIABLES.map((name) => `${name}=true`),
      'max_tool_batch_size=unset',
      'source_control=set',
      'active_plan=unset',
      '<a> & "b" <i> none',
      'false true false false',
      `${names.read} one: Number one.`,
      '<core>|42||',
    ]);
    expect(stderr).toMatch(/project_vars\.gone/);
  });

  verifies('P8', `${harness}: a template without end is refused in bounded time, and nothing is sent`, async () => {
    const w = await workspace(
      {
        '.git/': null,
        [`${facets}/loop.md`]: facetFile('loop', '{% for a in range(1000000000) %}{{ a }}{% endfor %}'),
        [`${facets}/deep.md`]: facetFile('deep', '{% macro m(n) %}{{ m(n) }}{% endmacro %}{{ m(1) }}'),
        [`${facets}/wide.md`]: facetFile(
          'wide',
          '{% for a in range(9999) %}{% for b in range(9999) %}{{ transclude("x.md") }}{% endfor %}{% endfor %}',
        ),
        [`${facets}/x.md`]: 'x',
      },
      { harness },
    );
    for (const facet of ['loop', 'deep', 'wide']) {
      const started = Date.now();
      const { code, stdout } = await w.run(['-p', '--facet', facet, 'hello']);
      expect([facet, code, stdout, Date.now() - started < 15_000]).toEqual([facet, 2, '', true]);
    }
    expect(w.requests()).toEqual([]);
  });

  verifies(
    'P13',
    `${harness}: a reference counts from the facet, then from the project; not out of it untrusted`,
    async () => {
      const w = await workspace(
        {
          'outside.md': 'OUTSIDE',
          'repo/.git/': null,
          'repo/docs/style.md': 'FROM ROOT',
          [`repo/${facets}/scribe.md`]: facetFile(
            'scribe',
            '@docs/style.md and @../../../outside.md\n\n```\n@docs/style.md\n```',
          ),
          [`${user}/facets/own.md`]: facetFile('own', '@~/notes.md'),
          '~/notes.md': 'NOTES',
        },
        { harness },
      );
      expect(await w.systemPrompt({ cwd: 'repo', args: ['--facet', 'scribe'] })).toBe(
        '<embedded-file path="docs/style.md">\nFROM ROOT\n</embedded-file> and @../../../outside.md\n\n```\n@docs/style.md\n```',
      );
      expect(await w.systemPrompt({ cwd: 'repo', args: ['--facet', 'own'] })).toBe(
        '<embedded-file path="~/notes.md">\nNOTES\n</embedded-file>',
      );
    },
  );

  verifies('P14', `${harness}: what a skill embeds is literal and bounded, rendered or not`, async () => {
    const marks = '{{ facet_name }} {% if x %}';
    const w = await workspace(
      {
        '.git/': null,
        [`${skills}/plain/SKILL.md`]: skillFile('plain', 'Plain.', 'P @marks.txt'),
        [`${skills}/plain/marks.txt`]: marks,
        [`${skills}/made/SKILL.md`]: skillFile('made', 'Made.', 'M {{ facet_name }} @marks.txt', `${key}: true\n`),
        [`${skills}/made/marks.txt`]: marks,
        [`${skills}/huge/SKILL.md`]: skillFile('huge', 'Huge.', 'H @huge.txt'),
        [`${skills}/huge/huge.txt`]: 'line\n'.repeat(40_000),
      },
      { harness, replies: callsThenDone([['plain', 'made', 'huge'].map((name) => ['skill', { name }] as const)]) },
    );
    await w.print(['go']);
    const envelope = (name: string): string =>
      `<embedded-file path="${skills}/${name}/marks.txt">\n${marks}\n</embedded-file>`;
    const [plain, made, huge = ''] = resultsOf(w);
    expect([plain, made].map((text) => skillsIn(text ?? ''))).toEqual([
      [['plain', `P ${envelope('plain')}`]],
      [['made', `M execute ${envelope('made')}`]],
    ]);
    expect(Buffer.byteLength(huge)).toBeLessThan(67 * 1024);
    expect(huge).toMatch(/134,?464/);
  });

  verifies('P34', `${harness}: @skill: is understood in a message that steers, and in one that waits`, async () => {
    const w = await workspace(
      {
        '.git/': null,
        [`${skills}/one/SKILL.md`]: skillFile('one', 'One.', 'ONE'),
        [`${skills}/two/SKILL.md`]: skillFile('two', 'Two.', 'TWO'),
      },
      { harness, replies: [...callsThenDone([[call.shell('sleep 1')]]), { text: 'ok' }] },
    );
    const session = w.stream(['--permission-mode', 'yolo']);
    session.send({ type: 'prompt', text: 'go' });
    session.send({ type: 'prompt', text: 'then @skill:two' });
    await session.until((line) => line.type === 'assistant');
    session.send({ type: 'steer', text: 'with @skill:one' });
    for (let turns = 0; turns < 2; turns += 1) await session.until((line) => line.type === 'turn-end');
    await session.end();
    expect(history(w)).toEqual([
      ['user', 'go'],
      ['call', call.shell('')[0]],
      ['result'],
      ['user', 'with @skill:one'],
      ['skills', ['one', 'ONE']],
      ['assistant', 'done'],
      ['user', 'then @skill:two'],
      ['skills', ['two', 'TWO']],
    ]);
  });

  verifies('P36a', `${harness}: XDG_CONFIG_HOME moves the user’s skills and facets`, async () => {
    const name = user.split('/').at(-1);
    const w = await workspace(
      {
        '.git/': null,
        [`~/xdg/${name}/skills/one/SKILL.md`]: skillFile('one', 'Moved one.', 'ONE'),
        [`~/xdg/${name}/facets/mine.md`]: facetFile('mine', 'MINE'),
        [`${user}/skills/two/SKILL.md`]: skillFile('two', 'Left one.', 'TWO'),
      },
      { harness },
    );
    await w.print(['--facet', 'mine', 'hello'], { env: { XDG_CONFIG_HOME: w.path('~/xdg') } });
    const body = w.requests()[0]?.body ?? '';
    expect([systemOf(w.requests()[0]), body.includes('Moved one.'), body.includes('Left one.')]).toEqual([
      'MINE',
      true,
      false,
    ]);
  });
}
