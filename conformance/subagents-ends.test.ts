import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { type RehearsalReply, reply } from '../src/testing/index.ts';
import { FACETED } from './rig/faceted.ts';
import {
  agentFile,
  agentsUnder,
  allEnded,
  calls,
  childSessions,
  exit,
  isRootEnd,
  modelOf,
  next,
  of,
  requestsOf,
  starts,
  texts,
  toldToRoot,
  toolResults,
  until,
  untilRuns,
  waitsFor,
} from './rig/subagents.ts';
import { verifies } from './verifies.ts';

for (const faceted of FACETED) {
  const { harness, inside, user, call } = faceted;
  const { product, always, background, start } = agentsUnder(faceted);

  verifies(
    'P43',
    `${harness}: its model is what the call says, its definition, or the session’s, where the first cannot be had the next`,
    async () => {
      const pin = async (own: readonly string[], more: object, args: readonly string[]): Promise<[string, boolean]> => {
        const w = await start(
          [...of('root', calls(starts('scout', 'GO', { ...more }))), ...of('scout', exit('X'))],
          {},
          own,
        );
        const settings = { model: 'mine/rehearsed', providers: { mine: { base_url: w.server.url } } };
        w.write('~/.config/rein/settings.json', JSON.stringify(settings));
        const { stderr } = await w.print([...args, 'go'], { env: { REIN_MODEL: '', REIN_BASE_URL: '' } });
        return [modelOf(requestsOf(w, 'scout')[0]), /gone\/x/.test(stderr)];
      };
      const mini = 'model: default_model:mini';
      expect([
        await pin([], {}, []),
        await pin([mini], {}, []),
        await pin([mini], {}, ['-c', 'mini_model=mine/small']),
        await pin(['model: mine/other'], {}, ['-c', 'mini_model=mine/small']),
        await pin(['model: mine/other'], { model: 'mine/chosen' }, []),
        await pin(['model: gone/x', 'fallback_models: [mine/other]'], {}, []),
        await pin(['model: gone/x'], {}, []),
      ]).toEqual([
        ['rehearsed', false],
        ['rehearsed', false],
        ['small', false],
        ['other', false],
        ['chosen', false],
        ['other', true],
        ['rehearsed', true],
      ]);
    },
  );

  verifies(
    'P43',
    `${harness}: one that gives no result is told so twice; then it has failed, and nothing that it said reaches its caller`,
    async () => {
      const w = await start([
        ...of('root', calls(starts('scout', 'GO'))),
        ...of('scout', { text: 'MUSING' }, { text: 'MUSING' }, { text: 'MUSING' }),
      ]);
      await w.print(['go']);
      expect(requestsOf(w, 'scout')).toHaveLength(3);
      expect([
        /ended without giving a result to exit_tool/.test(toldToRoot(w)),
        toldToRoot(w).includes('MUSING'),
      ]).toEqual([true, false]);
    },
  );

  verifies('P43', `${harness}: one whose model fails, or that is stopped, is told to its caller with why`, async () => {
    const replies: RehearsalReply[] = [
      ...of('root', calls(starts('scout', 'FAIL', background))),
      { fault: { kind: 'status', status: 400, times: 9 }, when: { agent: 'scout', text: 'FAIL' } },
      { ...calls(call.shell('sleep 600')), when: { agent: 'scout', text: 'STOP' } },
    ];
    const w = await start(replies);
    const s = w.stream(['--permission-mode', 'yolo']);
    await s.carryOut({ type: 'prompt', text: 'go' });
    await allEnded(s);
    next(replies, ...of('root', calls(starts('scout', 'STOP', background))));
    await s.carryOut({ type: 'prompt', text: 'NEXT' });
    const [run] = await untilRuns(s, 1);
    const { job } = (await s.carryOut({ type: 'stop', id: run })) as {
      job: { state: string; detail: { reason: string } };
    };
    expect([job.state, job.detail.reason]).toEqual(['killed', 'stopped by the user']);
    await s.carryOut({ type: 'prompt', text: 'what came of it' });
    expect([/failed \(.*400/.test(toldToRoot(w)), /killed \(stopped by the user\)/.test(toldToRoot(w))]).toEqual([
      true,
      true,
    ]);
    await s.end();
  });

  verifies(
    'P43',
    `${harness}: an abort of the turn ends what the caller waits for, and what runs beside it goes on`,
    async () => {
      const w = await start([
        ...of('root', calls(starts('scout', 'GO'))),
        ...of('scout', calls(call.shell(`touch here; ${waitsFor('go')}`)), exit('X')),
      ]);
      const s = w.stream(['--permission-mode', 'yolo']);
      s.send({ type: 'prompt', text: 'go' });
      await until(() => existsSync(w.path('here')));
      if (always) await until(() => s.lines.some(isRootEnd));
      await s.carryOut({ type: 'abort' });
      w.write('go', '');
      const [job] = await allEnded(s);
      expect([job?.state, job?.detail.reason]).toEqual(
        always ? ['completed', undefined] : ['killed', 'stopped by the user'],
      );
      await s.end();
    },
  );

  verifies(
    'P43',
    `${harness}: a message that names one tells the model to use it; a name that there is not is told to the person`,
    async () => {
      const w = await start([]);
      const { stderr } = await w.print(['use @subagent:scout, @a:scout and @subagent:scoot']);
      const [request] = requestsOf(w, 'root');
      expect(
        texts(request).split('The user wants the subagent scout used for this: Looks into scout things.'),
      ).toHaveLength(2);
      expect(stderr).toMatch(/there is no subagent "scoot"; did you mean "scout"\? there are: /);
      expect(texts(request)).toMatch(/@subagent:scoot/);
    },
  );

  verifies(
    'P43',
    `${harness}: the agents there are, those that ran and the list of todos are told over stdin`,
    async () => {
      const w = await start([...of('root', calls(starts('scout', 'GO'))), ...of('scout', exit('FOUND'))]);
      const s = w.stream();
      const before = (await s.carryOut({ type: 'subagents' })) as { subagents: { name: string }[]; runs: unknown[] };
      expect([before.subagents.map(({ name }) => name), before.runs]).toEqual([
        ['general-purpose', 'general-purpose-mini', 'plan-reviewer', 'researcher', 'scout'],
        [],
      ]);
      expect(await s.carryOut({ type: 'tasks' })).toEqual({ tasks: [] });
      await s.carryOut({ type: 'prompt', text: 'go' });
      await allEnded(s);
      const { runs } = (await s.carryOut({ type: 'subagents' })) as { runs: Record<string, unknown>[] };
      const [child] = childSessions(w);
      expect(runs.map(({ kind, state, description, detail }) => ({ kind, state, description, detail }))).toEqual([
        {
          kind: 'agent',
          state: 'completed',
          description: 'run scout',
          detail: expect.objectContaining({
            agent: { name: 'scout', session: child?.id },
            result: { summary: 'FOUND' },
          }),
        },
      ]);
      expect(await s.command({ type: 'stop', id: 'agent-none' })).toMatchObject({
        type: 'error',
        code: 'command/no-target',
      });
      await s.end();
    },
  );

  verifies(
    'P43',
    `${harness}: what is wrong with a definition is told with its place, and the rest of them can be used`,
    async () => {
      const file = (name: string): string => `${inside}/subagents/${name}.md`;
      const w = await start([...of('root', calls(starts('scout', 'GO'))), ...of('scout', exit('FOUND'))], {
        [file('nameless')]: '---\ndescription: d\n---\nX',
        [file('stem')]: agentFile('other', 'X', product),
        [file('keyed')]: agentFile('keyed', 'X', product, ['colour: red']),
        [file('schema')]: agentFile('schema', 'X', product, ['exit_tool_schema: { type: array }']),
        [file('researcher')]: agentFile('researcher', 'MINE', product),
      });
      const { stderr } = await w.print(['go']);
      const told = stderr.split('\n').flatMap((line) => {
        const [, name, rest] = /subagents\/(\w+)\.md:(\d+:\d+: \w+): /.exec(line) ?? [];
        return name === undefined ? [] : [`${name} ${rest}`];
      });
      expect(told.sort()).toEqual(['keyed 5:3: info', 'nameless 1:1: error', 'schema 5:3: error', 'stem 2:1: error']);
      expect(toldToRoot(w)).toMatch(/FOUND/);
      const listed = JSON.stringify(requestsOf(w, 'root')[0]?.json);
      expect(
        ['Looks into researcher things.', 'schema things', 'Looks into other', 'Looks into keyed'].map((text) =>
          listed.includes(text),
        ),
      ).toEqual([true, false, false, true]);
    },
  );

  verifies('P47', `${harness}: fragments that go round in a circle are an error before anything is sent`, async () => {
    const w = await start([...of('root', calls(starts('round', 'GO')))], {
      [`${inside}/subagents/round.md`]: agentFile('round', '{{ transclude("parts/a.md") }}', product),
      [`${inside}/subagents/parts/a.md`]: '{{ transclude("parts/b.md") }}',
      [`${inside}/subagents/parts/b.md`]: '{{ transclude("parts/a.md") }}',
    });
    await w.print(['go']);
    expect(requestsOf(w, 'round')).toEqual([]);
    expect(toldToRoot(w)).toMatch(/parts\/[ab]\.md/);
  });

  verifies(['P43', 'C115'], `${harness}: secrets that it reads are in neither its log nor its requests`, async () => {
    const secret = `ghp_${'x'.repeat(36)}`;
    const w = await start(
      [...of('root', calls(starts('scout', 'GO'))), ...of('scout', calls(call.shell('cat token.txt')), exit('X'))],
      { 'token.txt': `${secret}\n` },
    );
    await w.print(['--permission-mode', 'yolo', 'go']);
    const [child] = childSessions(w);
    expect(toolResults(requestsOf(w, 'scout').at(-1))[0]).toMatch(/\[masked\]/);
    expect([
      readFileSync(child?.file as string, 'utf8').includes(secret),
      w.requests().some(({ body }) => body.includes(secret)),
    ]).toEqual([false, false]);
  });

  verifies('P46', `${harness}: only one that has ended can be gone on with, and only one that there was`, async () => {
    const replies = [
      ...of('root', calls(starts('scout', 'GO', background))),
      ...of('scout', calls(call.shell(waitsFor('go'))), exit('X')),
    ];
    const w = await start(replies, { 'deep/': null });
    const s = w.stream(['--permission-mode', 'yolo']);
    await s.carryOut({ type: 'prompt', text: 'go' });
    const [run] = await untilRuns(s, 1);
    next(
      replies,
      ...of(
        'root',
        calls(starts('scout', 'ON', { resume_from: run }), starts('scout', 'ON', { resume_from: 'agent-none' })),
        reply.text('done'),
      ),
    );
    await s.carryOut({ type: 'prompt', text: 'NEXT' });
    expect(toolResults(requestsOf(w, 'root').at(-1)).slice(-2)).toEqual([
      `Error: resume_from: ${run} is still running; send it a message, or wait for it.`,
      'Error: resume_from: there is no agent "agent-none".',
    ]);
    w.write('go', '');
    await allEnded(s);
    await s.end();
  });

  verifies('P46', `${harness}: one that is gone on with keeps the directory that it was in`, async () => {
    const replies = [
      ...of('root', calls(starts('scout', 'GO', { cwd: 'deep' }))),
      ...of('scout', calls(call.shell('touch first')), exit('X')),
    ];
    const w = await start(replies, { 'deep/': null });
    const s = w.stream(['--permission-mode', 'yolo']);
    await s.carryOut({ type: 'prompt', text: 'go' });
    const [job] = await allEnded(s);
    const on = { resume_from: job?.id };
    next(
      replies,
      ...of('root', calls(starts('scout', 'ON', on), starts('scout', 'ON', { ...on, cwd: 'deep' }))),
      ...of('scout', calls(call.shell('touch second')), exit('X')),
    );
    await s.carryOut({ type: 'prompt', text: 'NEXT' });
    await allEnded(s);
    await s.end();
    expect(['deep/first', 'deep/second'].map((path) => existsSync(w.path(path)))).toEqual([true, true]);
    expect(toolResults(requestsOf(w, 'root').at(-1)).at(-1)).toBe(
      'Error: A run that is gone on with keeps its directory: leave cwd out.',
    );
  });

  verifies(
    ['P43', 'C132'],
    `${harness}: a model of another provider is for a definition of the user's own, and for a project's that is trusted`,
    async () => {
      const pin = async (path: string, more: Record<string, unknown>, args: readonly string[]): Promise<unknown[]> => {
        const file = agentFile('pinned', 'X', product, ['model: theirs/x']);
        const w = await start([...of('root', calls(starts('pinned', 'GO', more))), ...of('pinned', exit('X'))], {
          [path]: file,
        });
        const provider = { base_url: w.server.url };
        const settings = { model: 'mine/rehearsed', providers: { mine: provider, theirs: provider } };
        w.write('~/.config/rein/settings.json', JSON.stringify(settings));
        const { stderr } = await w.print([...args, 'go'], { env: { REIN_MODEL: '', REIN_BASE_URL: '' } });
        const [asked] = requestsOf(w, 'pinned');
        return [asked === undefined ? null : modelOf(asked), /once it is trusted/.test(stderr)];
      };
      const project = `${inside}/subagents/pinned.md`;
      expect([
        await pin(project, {}, []),
        await pin(project, {}, ['--trust']),
        await pin(`${user}/subagents/pinned.md`, {}, []),
        await pin(project, { model: 'theirs/x' }, ['--trust']),
      ]).toEqual([
        ['rehearsed', true],
        ['x', false],
        ['x', false],
        [null, false],
      ]);
    },
  );
}
