import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { FACETED, facetFile, linesAbout, skillFile } from './rig/faceted.ts';
import { history } from './rig/history.ts';
import { callsThenDone } from './rig/tool-results.ts';
import { bodyOf, messagesOf, systemOf, toolNamesOf, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

for (const { harness, inside, user, keys, names, call } of FACETED) {
  verifies('P1', `${harness}: a facet’s body is the whole system prompt, the rest is history`, async () => {
    const body = 'You write.\n\n  # Briefly\n\nAnd well.';
    const w = await workspace(
      { '.git/': null, 'AGENTS.md': 'RULES', [`${inside}/facets/scribe.md`]: facetFile('scribe', body) },
      { harness },
    );
    await w.print(['--facet', 'scribe', 'hello']);
    expect(systemOf(w.requests()[0])).toBe(body);
    expect(history(w)).toEqual([
      ['files', ['AGENTS.md', 'RULES']],
      ['user', 'hello'],
    ]);
  });

  verifies('P1', `${harness}: the prompt is the facet’s while it is active, whoever switches`, async () => {
    const w = await workspace(
      {
        '.git/': null,
        [`${inside}/facets/one.md`]: facetFile('one', 'ONE'),
        [`${inside}/facets/two.md`]: facetFile('two', 'TWO', `${keys[0]}:\n  tools: ["tag!ALL", switch_facet]\n`),
      },
      {
        harness,
        replies: [
          { text: 'ok' },
          { text: 'ok' },
          ...callsThenDone([[['switch_facet', { facet: 'one' }]]]),
          { text: 'ok' },
        ],
      },
    );
    const session = w.stream(['--facet', 'one']);
    await session.prompt('a');
    await session.carryOut({ type: 'facet', to: 'two' });
    await session.prompt('b');
    await session.prompt('c');
    await session.end();
    expect(w.requests().map(systemOf)).toEqual(['ONE', 'TWO', 'TWO', 'ONE']);
    await w.print(['--continue', 'd']);
    expect(systemOf(w.requests().at(-1))).toBe('ONE');
  });

  verifies('P6', `${harness}: the front matter names the tools, those denied last`, async () => {
    for (const key of keys) {
      const list = `${key}:\n  tools: [${names.read}, ${names.grep}, ${names.write}]\n  tools_deny: [${names.write}]\n`;
      const all = `${key}:\n  tools: ["tag!ALL"]\n`;
      const w = await workspace(
        {
          '.git/': null,
          [`${inside}/facets/few.md`]: facetFile('few', 'FEW', list),
          [`${inside}/facets/all.md`]: facetFile('all', 'ALL', all),
        },
        { harness },
      );
      await w.print(['--facet', 'few', 'hello']);
      expect(toolNamesOf(w.requests()[0]).toSorted()).toEqual([names.grep, names.read].toSorted());
      await w.print(['--facet', 'all', 'hello']);
      expect(toolNamesOf(w.requests()[1])).toEqual(expect.arrayContaining([names.read, names.write, names.grep]));
      expect(toolNamesOf(w.requests()[1])).not.toContain('switch_facet');
    }
  });

  verifies('P6', `${harness}: a tool that the facet keeps back is not run when it is called`, async () => {
    const keysOf = `${keys[0]}:\n  tools: [${names.read}]\n`;
    const w = await workspace(
      { '.git/': null, [`${inside}/facets/reader.md`]: facetFile('reader', 'READ', keysOf) },
      { harness, replies: callsThenDone([[call.write('new.txt', 'written')]]) },
    );
    await w.print(['--permission-mode', 'yolo', '--facet', 'reader', 'go']);
    expect(existsSync(w.path('new.txt'))).toBe(false);
    expect(messagesOf(w.requests()[1]).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  });

  verifies('P6', `${harness}: the front matter names the model, which holds while the facet does`, async () => {
    for (const [index, key] of keys.entries()) {
      const w = await workspace(
        {
          '.git/': null,
          [`${user}/facets/pinned.md`]: facetFile('pinned', 'PINNED', `${key}:\n  model: another\n`),
        },
        { harness },
      );
      const session = w.stream();
      await session.prompt('one');
      await session.carryOut({ type: 'facet', to: 'pinned' });
      await session.prompt('two');
      await session.carryOut({ type: 'facet', to: 'execute' });
      await session.prompt('three');
      await session.end();
      const models = w.requests().map((request) => (bodyOf(request) as unknown as { model: string }).model);
      expect({ index, models }).toEqual({ index, models: ['rehearsed', 'another', 'rehearsed'] });
    }
  });

  verifies('P6', `${harness}: the front matter names the skills; a list that matches none gives none`, async () => {
    const skills = Object.fromEntries(
      ['alpha', 'beta'].map((name) => [`${inside}/skills/${name}/SKILL.md`, skillFile(name, `About ${name}.`, name)]),
    );
    const w = await workspace(
      {
        '.git/': null,
        ...skills,
        [`${inside}/facets/one.md`]: facetFile('one', 'ONE', `${keys[0]}:\n  skills_allow: [alpha]\n`),
        [`${inside}/facets/none.md`]: facetFile('none', 'NONE', `${keys[0]}:\n  skills_allow: [gamma]\n`),
        [`${inside}/facets/rest.md`]: facetFile('rest', 'REST', `${keys[0]}:\n  skills_deny: [alpha]\n`),
      },
      { harness },
    );
    for (const facet of ['one', 'none', 'rest']) await w.print(['--facet', facet, 'hello']);
    const told = w.requests().map((request) => {
      const skill = bodyOf(request).tools?.find((tool) => tool.function.name === 'skill');
      return ['alpha', 'beta'].filter((name) => skill?.function.description.includes(`About ${name}.`));
    });
    expect(told).toEqual([['alpha'], [], ['beta']]);
    expect(toolNamesOf(w.requests()[1])).not.toContain('skill');
  });

  verifies(
    ['P1', 'P6'],
    `${harness}: of one name the project’s file is the facet, then the user’s, whole`,
    async () => {
      const w = await workspace({ '.git/': null }, { harness });
      const shipped = await w.systemPrompt();
      const keysOf = `${keys[0]}:\n  tools: [${names.read}]\n`;
      w.write(`${user}/facets/execute.md`, facetFile('execute', 'USER', keysOf));
      expect(await w.systemPrompt()).toBe('USER');
      expect(toolNamesOf(w.requests().at(-1))).toEqual([names.read]);
      w.write(`${inside}/facets/execute.md`, facetFile('execute', 'PROJECT'));
      expect(await w.systemPrompt()).toBe('PROJECT');
      // Without a list a facet has every tool but the one that only a list brings; the shipped one denies three.
      const all = toolNamesOf(w.requests()[0]).filter((name) => name !== 'switch_facet');
      const offered = toolNamesOf(w.requests().at(-1));
      expect([...offered].sort()).toEqual([...all, 'write_plan', 'edit_plan', 'handoff_plan'].sort());
      w.remove(`${inside}/facets/execute.md`);
      w.remove(`${user}/facets/execute.md`);
      expect(await w.systemPrompt()).toBe(shipped);
    },
  );

  verifies('P6', `${harness}: a name that is not the file’s is said, and no facet of it can be chosen`, async () => {
    const w = await workspace(
      {
        '.git/': null,
        [`${inside}/facets/stem.md`]: facetFile('other', 'WRONG'),
        [`${inside}/facets/good.md`]: facetFile('good', 'GOOD'),
      },
      { harness },
    );
    for (const name of ['stem', 'other']) {
      const { code, stdout } = await w.run(['-p', '--facet', name, 'hello']);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    }
    expect(w.requests()).toEqual([]);
    const { stderr } = await w.print(['--facet', 'good', 'hello']);
    const lines = linesAbout(w, stderr, `${inside}/facets/stem.md`);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/stem\.md:2\b.*"other".*"stem"/);
    expect(systemOf(w.requests()[0])).toBe('GOOD');
  });

  verifies('P59', `${harness}: facets are found at startup and on reload, an edit holds from then on`, async () => {
    const file = `${inside}/facets/scribe.md`;
    const w = await workspace({ '.git/': null, [file]: facetFile('scribe', 'V1') }, { harness });
    const session = w.stream(['--facet', 'scribe']);
    await session.prompt('one');
    w.write(file, facetFile('scribe', 'V2'));
    w.write(`${inside}/facets/late.md`, facetFile('late', 'LATE'));
    await session.prompt('two');
    expect((await session.command({ type: 'facet', to: 'late' })).type).toBe('error');
    await session.carryOut({ type: 'reload' });
    await session.prompt('three');
    await session.carryOut({ type: 'facet', to: 'late' });
    await session.prompt('four');
    await session.end();
    expect(w.requests().map(systemOf)).toEqual(['V1', 'V1', 'V2', 'LATE']);
  });

  verifies('P59', `${harness}: skills are found at startup and on reload, an edit holds from then on`, async () => {
    const skill = (version: string): string => skillFile('helper', `Says ${version}.`, `BODY ${version}`);
    const file = `${inside}/skills/helper/SKILL.md`;
    const w = await workspace({ '.git/': null, [file]: skill('V1') }, { harness });
    const session = w.stream();
    await session.prompt('one');
    w.write(file, skill('V2'));
    w.write(`${inside}/skills/late/SKILL.md`, skillFile('late', 'Comes late.', 'LATE'));
    await session.prompt('two @skill:helper');
    await session.carryOut({ type: 'reload' });
    await session.prompt('three @skill:helper');
    await session.end();
    const lists = w.requests().map((request) => {
      const description = bodyOf(request).tools?.find((tool) => tool.function.name === 'skill')?.function.description;
      return ['Says V1.', 'Says V2.', 'Comes late.'].filter((words) => description?.includes(words));
    });
    expect(lists).toEqual([['Says V1.'], ['Says V1.'], ['Says V2.', 'Comes late.']]);
    expect(history(w).filter(([kind]) => kind === 'skills')).toEqual([
      ['skills', ['helper', 'BODY V1']],
      ['skills', ['helper', 'BODY V2']],
    ]);
  });

  verifies(
    'P59',
    `${harness}: whatever else is looked for, what was found at the start holds until a reload`,
    async () => {
      const facet = `${inside}/facets/scribe.md`;
      const skill = `${inside}/skills/helper/SKILL.md`;
      const many = Array.from({ length: 300 }, (_, index) => `d${index}/x.txt`);
      const w = await workspace(
        {
          '.git/': null,
          ...Object.fromEntries(many.map((path) => [path, 'x'])),
          [facet]: facetFile('scribe', 'V1 @notes.md'),
          [`${inside}/facets/notes.md`]: 'N1',
          [skill]: skillFile('helper', 'Helps.', 'V1'),
        },
        {
          harness,
          replies: [
            { text: 'ok' },
            ...callsThenDone(many.map((path) => [call.read(path)])),
            { text: 'ok', repeat: true },
          ],
        },
      );
      const session = w.stream(['--facet', 'scribe']);
      await session.prompt('one');
      w.write(facet, facetFile('scribe', 'V2'));
      w.write(`${inside}/facets/notes.md`, 'N2');
      w.write(skill, skillFile('helper', 'Helps.', 'V2'));
      await session.prompt('two');
      await session.carryOut({ type: 'pushd', path: 'd1' });
      await session.prompt('three @skill:helper');
      await session.end();
      const [first, ...others] = new Set(w.requests().map(systemOf));
      expect([first?.startsWith('V1 '), first?.includes('N1'), others]).toEqual([true, true, []]);
      expect(history(w).at(-1)).toEqual(['skills', ['helper', 'V1']]);
    },
  );

  verifies('P59', `${harness}: instruction files are found at startup; a reload looks who joined`, async () => {
    const w = await workspace({ '.git/': null, 'AGENTS.md': 'ROOT', 'a/': null }, { harness });
    const session = w.stream([], { cwd: 'a' });
    await session.prompt('one');
    w.write('a/AGENTS.md', 'INNER');
    await session.carryOut({ type: 'reload' });
    await session.prompt('two');
    await session.end();
    expect(history(w, 0)).toEqual([
      ['files', ['AGENTS.md', 'ROOT']],
      ['user', 'one'],
    ]);
    expect(history(w).slice(3)).toEqual([
      ['files', ['AGENTS.md', 'ROOT'], ['a/AGENTS.md', 'INNER']],
      ['user', 'two'],
    ]);
  });
}

verifies('P6', 'polytoken: a facet or skill that is a link is passed over and named, in rein it is taken', async () => {
  for (const { harness, inside } of FACETED) {
    const facet = `${inside}/facets/linked.md`;
    const w = await workspace(
      {
        '.git/': null,
        'elsewhere.md': facetFile('linked', 'LINKED'),
        [facet]: { link: '../../elsewhere.md' },
        'far/SKILL.md': skillFile('far', 'Far away.', 'FAR'),
        [`${inside}/skills/`]: null,
        [`${inside}/skills/far`]: { link: '../../far' },
      },
      { harness },
    );
    const { code, stderr } = await w.run(['-p', '--facet', 'linked', 'hello']);
    expect([harness, code]).toEqual([harness, harness === 'rein' ? 0 : 2]);
    if (harness === 'rein') expect(systemOf(w.requests()[0])).toBe('LINKED');
    else expect(linesAbout(w, stderr, facet).length).toBeGreaterThan(0);
    await w.print(['hello']);
    expect(toolNamesOf(w.requests().at(-1)).includes('skill')).toBe(harness === 'rein');
  }
});
