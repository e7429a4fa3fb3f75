import { expect } from 'vitest';
import { FACETED, facetFile, linesAbout, skillFile } from './rig/faceted.ts';
import { history, skillsIn } from './rig/history.ts';
import { callsThenDone, resultsOf } from './rig/tool-results.ts';
import { bodyOf, messagesOf, systemOf, toolNamesOf, type Workspace, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

/** What the skill tool's description says, by the words that a test gave its skills; null: it is not offered. */
function listed(w: Workspace, words: readonly string[], request: number = -1): string[] | null {
  const tool = bodyOf(w.requests().at(request)).tools?.find((each) => each.function.name === 'skill');
  if (tool === undefined) return null;
  return words.filter((each) => tool.function.description.includes(each));
}

/** Words that no part of a request may hold more often than its list does. */
function times(w: Workspace, word: string, request: number = -1): number {
  return (w.requests().at(request)?.body ?? '').split(word).length - 1;
}

function load(name: string): readonly ['skill', { name: string }] {
  return ['skill', { name }];
}

for (const { harness, inside, user, keys, names, skillPlaces, call } of FACETED) {
  const skills = `${inside}/skills`;

  verifies('P3', `${harness}: a skill’s body comes as the result of the call`, async () => {
    const body = '# How to deploy\n\nFirst {{ this }}, then that.\n\n```sh\nmake\n```';
    const w = await workspace(
      { '.git/': null, [`${skills}/deploy/SKILL.md`]: skillFile('deploy', 'Deploys.', `${body}\n`) },
      { harness, replies: callsThenDone([[load('deploy')]]) },
    );
    await w.print(['go']);
    expect(history(w)).toEqual([['user', 'go'], ['call', 'skill'], ['result']]);
    expect(resultsOf(w).map(skillsIn)).toEqual([[['deploy', body]]]);
    expect(w.requests().map(systemOf)).toEqual([systemOf(w.requests()[0]), systemOf(w.requests()[0])]);
  });

  verifies(
    'P33',
    `${harness}: before that only name and description are sent, once, in the tool’s description`,
    async () => {
      const w = await workspace(
        {
          '.git/': null,
          [`${skills}/deploy/SKILL.md`]: skillFile('deploy', 'Brings it to the servers.', 'BODY-DEPLOY'),
          [`${skills}/deploy/notes.md`]: 'NOTES',
          [`${skills}/review/SKILL.md`]: skillFile('review', '>\n  Looks at\n  a change.', 'BODY-REVIEW'),
        },
        { harness },
      );
      await w.print(['hello']);
      expect(listed(w, ['deploy', 'Brings it to the servers.', 'review', 'Looks at a change.'])).toHaveLength(4);
      expect(
        ['Brings it to the servers.', 'Looks at a change.', 'BODY-', 'NOTES'].map((word) => times(w, word)),
      ).toEqual([1, 1, 0, 0]);
      expect(messagesOf(w.requests()[0]).map(({ role }) => role)).toEqual(['user']);
      const empty = await workspace({ '.git/': null }, { harness });
      await empty.print(['hello']);
      expect(toolNamesOf(empty.requests()[0])).not.toContain('skill');
    },
  );

  verifies(
    'P34',
    `${harness}: the model calls the tool, and is told of names that there are where one is wrong`,
    async () => {
      const w = await workspace(
        { '.git/': null, [`${skills}/deploy/SKILL.md`]: skillFile('deploy', 'Deploys.', 'BODY') },
        { harness, replies: callsThenDone([[load('deploi'), load('deploy')]]) },
      );
      await w.print(['go']);
      const [wrong = '', right = ''] = resultsOf(w);
      expect(wrong).toMatch(/deploy/);
      expect(skillsIn(wrong)).toEqual([]);
      expect(skillsIn(right)).toEqual([['deploy', 'BODY']]);
    },
  );

  verifies('P34', `${harness}: the user types @skill:NAME, whose body follows the prompt`, async () => {
    const w = await workspace(
      {
        '.git/': null,
        [`${skills}/deploy/SKILL.md`]: skillFile('deploy', 'Deploys.', 'DEPLOY'),
        [`${skills}/review/SKILL.md`]: skillFile('review', 'Reviews.', 'REVIEW'),
      },
      { harness },
    );
    const { stderr } = await w.print(['now @skill:deploy, then (@s:review) and `@skill:deploy`; @skill:nothing']);
    expect(history(w)).toEqual([
      ['user', 'now @skill:deploy, then (@s:review) and `@skill:deploy`; @skill:nothing'],
      ['skills', ['deploy', 'DEPLOY']],
      ['skills', ['review', 'REVIEW']],
    ]);
    expect(stderr.split('\n').filter((line) => line.includes('nothing'))).toHaveLength(1);
  });

  verifies(
    'P36a',
    `${harness}: skills are found in the project and in the user’s directory, wherever one starts`,
    async () => {
      const w = await workspace(
        {
          'repo/.git/': null,
          'repo/a/b/': null,
          ...Object.fromEntries(
            [...skillPlaces.map((place) => `repo/${place}`), `${user}/skills`, '~/.agents/skills'].map(
              (place, index) => [
                `${place}/s${index}/SKILL.md`,
                skillFile(`s${index}`, `Number ${index}.`, `BODY ${index}`),
              ],
            ),
          ),
          [`repo/${skills}/loose.md`]: skillFile('loose', 'Number loose.', 'LOOSE'),
          [`repo/${skills}/deep/er/SKILL.md`]: skillFile('er', 'Number deep.', 'DEEP'),
          [`repo/a/${skills}/nearer/SKILL.md`]: skillFile('nearer', 'Number nearer.', 'NEARER'),
        },
        { harness, replies: [...callsThenDone([[load('s0'), load(`s${skillPlaces.length}`)]])] },
      );
      await w.print(['go'], { cwd: 'repo/a/b' });
      const expected = Array.from({ length: skillPlaces.length + 2 }, (_, index) => `Number ${index}.`);
      expect(listed(w, [...expected, 'Number loose.', 'Number deep.', 'Number nearer.'])).toEqual(expected);
      expect(resultsOf(w).map(skillsIn)).toEqual([
        [['s0', 'BODY 0']],
        [[`s${skillPlaces.length}`, `BODY ${skillPlaces.length}`]],
      ]);
    },
  );

  verifies('P36b', `${harness}: a skill brings those that its body refers to, each once`, async () => {
    const w = await workspace(
      {
        '.git/': null,
        [`${skills}/one/SKILL.md`]: skillFile('one', 'One.', 'ONE then @skill:two and @skill:three'),
        [`${skills}/two/SKILL.md`]: skillFile('two', 'Two.', 'TWO with @skill:four, @skill:nowhere'),
        [`${skills}/three/SKILL.md`]: skillFile('three', 'Three.', 'THREE back to @skill:one; `@skill:five`'),
        [`${skills}/four/SKILL.md`]: skillFile('four', 'Four.', 'FOUR'),
        [`${skills}/five/SKILL.md`]: skillFile('five', 'Five.', 'FIVE'),
      },
      { harness, replies: [...callsThenDone([[load('one')]]), { text: 'ok' }] },
    );
    const chained = [
      ['one', 'ONE then @skill:two and @skill:three'],
      ['two', 'TWO with @skill:four, @skill:nowhere'],
      ['three', 'THREE back to @skill:one; `@skill:five`'],
      ['four', 'FOUR'],
    ];
    await w.print(['go']);
    expect(resultsOf(w).map(skillsIn)).toEqual([chained]);
    await w.print(['use @skill:one']);
    expect(history(w)).toEqual([
      ['user', 'use @skill:one'],
      ['skills', ...chained],
    ]);
  });

  verifies(
    'P36c',
    `${harness}: a skill kept from the model is not listed nor loaded by it; the user calls it`,
    async () => {
      for (const key of keys) {
        const hidden = `${key}:\n  disable_model_invocation: true\n`;
        const w = await workspace(
          {
            '.git/': null,
            [`${skills}/secret/SKILL.md`]: skillFile('secret', 'Hidden one.', 'SECRET', hidden),
            [`${skills}/open/SKILL.md`]: skillFile('open', 'Open one.', 'OPEN'),
          },
          { harness, replies: [...callsThenDone([[load('secret')]]), { text: 'ok' }] },
        );
        await w.print(['go']);
        expect(listed(w, ['Hidden one.', 'Open one.', 'secret'])).toEqual(['Open one.']);
        expect(resultsOf(w).map(skillsIn)).toEqual([[]]);
        expect(times(w, 'SECRET')).toBe(0);
        await w.print(['use @skill:secret']);
        expect(history(w).at(-1)).toEqual(['skills', ['secret', 'SECRET']]);
      }
    },
  );

  verifies('P36c', `${harness}: a facet allows skills by their tags`, async () => {
    for (const key of keys) {
      const tagged = (tags: string): string => `${key}:\n  tags: ${tags}\n`;
      const w = await workspace(
        {
          '.git/': null,
          [`${skills}/one/SKILL.md`]: skillFile('one', 'Words one.', 'ONE', tagged('[research, web]')),
          [`${skills}/two/SKILL.md`]: skillFile('two', 'Words two.', 'TWO', tagged('\n    - code')),
          [`${skills}/three/SKILL.md`]: skillFile('three', 'Words three.', 'THREE'),
          [`${inside}/facets/scout.md`]: facetFile(
            'scout',
            'SCOUT',
            `${key}:\n  skills_allow: ["tag!research", three]\n`,
          ),
          [`${inside}/facets/coder.md`]: facetFile('coder', 'CODER', `${key}:\n  skills_deny: ["tag!research"]\n`),
          [`${inside}/facets/closed.md`]: facetFile('closed', 'CLOSED', `${key}:\n  skills_allow: ["tag!nothing"]\n`),
        },
        { harness },
      );
      const words = ['Words one.', 'Words two.', 'Words three.'];
      for (const facet of ['scout', 'coder', 'closed']) await w.print(['--facet', facet, 'use @skill:one']);
      expect([0, 1, 2].map((request) => listed(w, words, request))).toEqual([
        ['Words one.', 'Words three.'],
        ['Words two.', 'Words three.'],
        null,
      ]);
      expect([0, 1, 2].map((request) => times(w, 'ONE', request))).toEqual([1, 0, 0]);
    }
  });

  verifies('P36c', `${harness}: with the product’s key a skill’s body is a template, without it text`, async () => {
    const body = 'In {{ facet_name }}.';
    const w = await workspace(
      {
        '.git/': null,
        [`${skills}/plain/SKILL.md`]: skillFile('plain', 'Plain.', body),
        ...Object.fromEntries(
          keys.map((key) => [
            `${skills}/by-${key}/SKILL.md`,
            skillFile(`by-${key}`, 'Templated.', body, `${key}: true\n`),
          ]),
        ),
      },
      { harness, replies: callsThenDone([[load('plain'), ...keys.map((key) => load(`by-${key}`))]]) },
    );
    await w.print(['go']);
    expect(resultsOf(w).flatMap(skillsIn)).toEqual([
      ['plain', body],
      ...keys.map((key) => [`by-${key}`, 'In execute.']),
    ]);
  });

  verifies('C31', `${harness}: a colon in a description loses neither the skill nor its neighbours`, async () => {
    const file = `${skills}/colon/SKILL.md`;
    const w = await workspace(
      {
        '.git/': null,
        [file]: skillFile('colon', 'Use when: files change. Triggers: a, b', 'COLON'),
        [`${skills}/valid/SKILL.md`]: skillFile('valid', 'A valid one.', 'VALID'),
      },
      { harness, replies: callsThenDone([[load('colon')]]) },
    );
    const { stderr } = await w.print(['go']);
    const words = ['Use when: files change. Triggers: a, b', 'A valid one.'];
    expect(listed(w, words)).toEqual(words);
    expect(resultsOf(w).map(skillsIn)).toEqual([[['colon', 'COLON']]]);
    expect(linesAbout(w, stderr, file).filter((line) => !/SKILL\.md:3\b/.test(line))).toEqual([]);
  });

  verifies('C32', `${harness}: an odd value of an optional field loses no skill`, async () => {
    const odd = [
      'argument-hint: [target] then "mode"\n',
      'license: {a: [}\n',
      'metadata: !!weird &x\n',
      'color: #ff0000\n',
    ];
    const w = await workspace(
      {
        '.git/': null,
        ...Object.fromEntries(
          odd.map((line, index) => [
            `${skills}/odd${index}/SKILL.md`,
            skillFile(`odd${index}`, `Odd number ${index}.`, `BODY ${index}`, line),
          ]),
        ),
      },
      { harness, replies: callsThenDone([odd.map((_, index) => load(`odd${index}`))]) },
    );
    await w.print(['go']);
    expect(
      listed(
        w,
        odd.map((_, index) => `Odd number ${index}.`),
      ),
    ).toHaveLength(odd.length);
    expect(resultsOf(w).map(skillsIn)).toEqual(odd.map((_, index) => [[`odd${index}`, `BODY ${index}`]]));
  });

  verifies('C34', `${harness}: CRLF and mixed line ends, and a byte order mark, read like LF`, async () => {
    const text = (name: string): string =>
      skillFile(name, `About ${name}.`, 'BODY', `${keys[0]}:\n  tags: [research]\n`);
    const mixed = text('mixed')
      .replace('\n', '\r\n')
      .replace(/\n(?=description)/, '\r\n');
    const w = await workspace(
      {
        '.git/': null,
        [`${skills}/lf/SKILL.md`]: text('lf'),
        [`${skills}/crlf/SKILL.md`]: text('crlf').replaceAll('\n', '\r\n'),
        [`${skills}/mixed/SKILL.md`]: mixed,
        [`${skills}/mark/SKILL.md`]: `\ufeff${text('mark').replaceAll('\n', '\r\n')}`,
        [`${inside}/facets/scout.md`]: facetFile(
          'scout',
          'SCOUT',
          `${keys[0]}:\n  skills_allow: ["tag!research"]\n`,
        ).replaceAll('\n', '\r\n'),
      },
      { harness, replies: callsThenDone([['lf', 'crlf', 'mixed', 'mark'].map(load)]) },
    );
    const { stderr } = await w.print(['--facet', 'scout', 'go']);
    expect(stderr.split('\n').filter((line) => line.includes('SKILL.md') || line.includes('facets/'))).toEqual([]);
    expect(systemOf(w.requests()[0])).toBe('SCOUT');
    expect(
      listed(
        w,
        ['lf', 'crlf', 'mixed', 'mark'].map((name) => `About ${name}.`),
      ),
    ).toHaveLength(4);
    expect(JSON.stringify(bodyOf(w.requests()[0]).tools)).not.toContain('\\r');
    expect(resultsOf(w).map(skillsIn)).toEqual(['lf', 'crlf', 'mixed', 'mark'].map((name) => [[name, 'BODY']]));
  });

  verifies(
    'C39',
    `${harness}: of two skills with one name the project’s is listed and loaded, the other shown`,
    async () => {
      const own = `${user}/skills/deploy/SKILL.md`;
      const w = await workspace(
        {
          '.git/': null,
          [`${skills}/deploy/SKILL.md`]: skillFile('deploy', 'The project’s way.', 'PROJECT'),
          [own]: skillFile('deploy', 'The user’s way.', 'USER'),
        },
        { harness, replies: [...callsThenDone([[load('deploy')]]), { text: 'ok', repeat: true }] },
      );
      await w.print(['go']);
      expect(listed(w, ['The project’s way.', 'The user’s way.'])).toEqual(['The project’s way.']);
      expect(resultsOf(w).map(skillsIn)).toEqual([[['deploy', 'PROJECT']]]);
      await w.print(['@skill:deploy']);
      expect(history(w).at(-1)).toEqual(['skills', ['deploy', 'PROJECT']]);
      const shadowed = async (): Promise<string[]> => {
        const { stdout } = await w.run(['context', '--json']);
        const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; path?: string }[] };
        return diagnostics.filter(({ path }) => path === w.path(own)).map(({ code }) => code);
      };
      expect(await shadowed()).toEqual(['skills/shadowed']);
      w.write(own, skillFile('deploy', 'The project’s way.', 'PROJECT'));
      expect(await shadowed()).toEqual([]);
    },
  );

  verifies('P34', `${harness}: loading a skill neither needs a permission nor runs what it names`, async () => {
    const w = await workspace(
      {
        '.git/': null,
        [`${skills}/narrow/SKILL.md`]: skillFile('narrow', 'Narrow.', 'NARROW', `allowed-tools: ${names.read}\n`),
        'x.txt': 'READ ME',
      },
      { harness, replies: callsThenDone([[load('narrow')], [call.shell('touch made'), call.read('x.txt')]]) },
    );
    await w.print(['--permission-mode', 'yolo', 'go']);
    const [, shell, read] = resultsOf(w);
    expect(shell).toMatch(/narrow/);
    expect(read).toMatch(/READ ME/);
  });
}
