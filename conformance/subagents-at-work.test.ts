import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { RehearsalReply } from '../src/testing/index.ts';
import { FACETED } from './rig/faceted.ts';
import {
  agentFile,
  agentsUnder,
  allEnded,
  BACK,
  calls,
  childSessions,
  exit,
  isRootEnd,
  jobsOf,
  next,
  of,
  requestsOf,
  rootLines,
  starts,
  texts,
  toldToRoot,
  toolResults,
  until,
  untilRuns,
  waitsFor,
} from './rig/subagents.ts';
import { toolNamesOf, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

for (const faceted of FACETED) {
  const { harness, inside, names, call } = faceted;
  const { product, always, background, scout, start } = agentsUnder(faceted);

  verifies(
    'C132',
    `${harness}: what is only read by the caller is only read by a subagent, whatever it says`,
    async () => {
      const w = await start(
        [
          ...of('root', calls(starts('scout', 'GO'))),
          ...of('scout', calls(call.write('a.txt', 'x'), call.shell('touch b.txt')), exit('NOT DONE')),
        ],
        {},
        ['inherit_tools: true'],
      );
      await w.print(['go']);
      const results = toolResults(requestsOf(w, 'scout').at(-1));
      expect(results.map((text) => /read-only/.test(text))).toEqual([true, true]);
      expect([existsSync(w.path('a.txt')), existsSync(w.path('b.txt'))]).toEqual([false, false]);
      expect(toldToRoot(w)).toMatch(/NOT DONE/);
    },
  );

  verifies('C132', `${harness}: a mode that the caller gets while it runs is the subagent’s, too`, async () => {
    const replies = [
      ...of('root', calls(starts('scout', 'GO', background))),
      ...of('scout', calls(call.shell(`touch here; ${waitsFor('go')}`)), calls(call.write('a.txt', 'x')), exit('X')),
    ];
    const w = await start(replies);
    const s = w.stream(['--permission-mode', 'yolo']);
    await s.carryOut({ type: 'prompt', text: 'go' });
    await untilRuns(s, 1);
    await until(() => existsSync(w.path('here')));
    await s.carryOut({ type: 'permission-mode', to: 'read-only' });
    w.write('go', '');
    await allEnded(s);
    await s.end();
    expect([existsSync(w.path('a.txt')), toolResults(requestsOf(w, 'scout').at(-1)).at(-1)]).toEqual([
      false,
      expect.stringMatching(/read-only/),
    ]);
  });

  verifies(
    'C132',
    `${harness}: a question of a subagent reaches the person with its name; an answer for the session holds for all`,
    async () => {
      const write = call.write('a.txt', 'x');
      const replies = [
        ...of('root', calls(starts('scout', 'GO'))),
        ...of('scout', calls(call.shell('touch made')), calls(call.shell('touch made')), exit('FIRST')),
      ];
      const w = await start(replies);
      const s = w.stream(['--permission-mode', 'ask']);
      s.send({ type: 'prompt', text: 'go' });
      const asked = await s.until(({ type }) => type === 'permission-request');
      const [run] = await jobsOf(s);
      expect(asked).toEqual({
        type: 'permission-request',
        id: asked.id,
        tool: call.shell('')[0],
        subjects: ['run touch made'],
        why: asked.why,
        rules: ['shell(touch made)'],
        subagent: run?.id,
      });
      await s.carryOut({ type: 'answer', id: asked.id, value: 'allow-session' });
      await until(() => s.lines.some(isRootEnd));
      await allEnded(s);
      next(
        replies,
        ...of('root', calls(starts('scout', 'AGAIN'), call.shell('touch made'))),
        ...of('scout', calls(call.shell('touch made')), calls(write), exit('SECOND')),
      );
      s.send({ type: 'prompt', text: 'NEXT' });
      const second = await s.until(({ type }) => type === 'permission-request');
      expect([second.tool, second.subagent === undefined, second.subagent === run?.id]).toEqual([
        write[0],
        false,
        false,
      ]);
      await s.carryOut({ type: 'answer', id: second.id, value: 'deny', feedback: 'leave it' });
      await allEnded(s);
      await s.end();
      expect(s.lines.filter(({ type }) => type === 'permission-request')).toHaveLength(2);
      expect(rootLines(w).filter(({ type }) => type === 'grant')).toEqual([
        expect.objectContaining({ type: 'grant', rule: 'shell(touch made)', for: 'session' }),
      ]);
      expect(childSessions(w).flatMap(({ lines }) => lines.filter(({ type }) => type === 'grant'))).toEqual([]);
      expect([existsSync(w.path('made')), existsSync(w.path('a.txt'))]).toEqual([true, false]);
      expect(toolResults(requestsOf(w, 'scout').at(-1)).at(-1)).toBe(
        'The user denied this call. Do not try the same in another way. They said: leave it',
      );
    },
  );

  verifies(
    'C132',
    `${harness}: where nobody can be asked, a subagent that is waited for ends the run, one in the background fails`,
    async () => {
      const ways = always ? [{}] : [{}, BACK];
      for (const way of ways) {
        const waited = !always && way !== BACK;
        const w = await start([
          ...of('root', calls(starts('scout', 'GO', way))),
          ...of('scout', calls(call.write('a.txt', 'x')), exit('NEVER')),
        ]);
        const { code, stdout } = await w.run(['-p', '--permission-mode', 'ask', '--output', 'json', 'go']);
        const { stopReason, error } = JSON.parse(stdout) as { stopReason: string; error: { kind: string } | null };
        expect([code, stopReason, error?.kind ?? null, existsSync(w.path('a.txt'))]).toEqual(
          waited ? [3, 'permission', 'permission/needed', false] : [0, 'end', null, false],
        );
        if (!waited) expect(toldToRoot(w)).toMatch(/needs a permission and nobody could be asked/);
        expect(toldToRoot(w)).not.toMatch(/NEVER/);
      }
    },
  );

  verifies('P43', `${harness}: what all subagents spent is in the run’s total, and of each in its job`, async () => {
    const usage = (input: number, output: number) => ({ usage: { input, output } });
    const replies: RehearsalReply[] = [
      ...of('root', { ...calls(starts('lead', 'GO')), ...usage(1, 2) }),
      ...of(
        'lead',
        { ...calls(starts('scout', 'GO')), ...usage(10, 20) },
        { ...calls(call.read('a.txt')), ...usage(10, 20) },
      ),
      ...of('lead', { ...exit('L'), ...usage(10, 20) }),
      ...of('scout', { ...exit('S'), ...usage(100, 200) }),
      { text: 'ok', repeat: true, when: { agent: 'root' }, ...usage(1000, 2000) },
    ];
    const w = await workspace(
      {
        '.git/': null,
        'a.txt': 'text\n',
        ...scout(),
        [`${inside}/subagents/lead.md`]: agentFile('lead', 'You lead.', product, ['allow_subagent_spawn: true']),
      },
      { harness, replies },
    );
    const { stdout } = await w.print(['--output', 'json', 'go']);
    const counted = (agent: string): number => requestsOf(w, agent).length;
    const root = counted('root') - 1;
    const { usage: spent } = JSON.parse(stdout) as { usage: { input: number; output: number } };
    const input = 1 + root * 1000 + counted('lead') * 10 + counted('scout') * 100;
    expect([spent.input, spent.output]).toEqual([input, input * 2]);
    const [ended] = rootLines(w).filter(({ type, state }) => type === 'task' && state === 'completed');
    const below = counted('lead') * 10 + counted('scout') * 100;
    expect((ended?.detail as { usage: object } | undefined)?.usage).toMatchObject({ input: below, output: below * 2 });
  });

  verifies(
    'P43',
    `${harness}: so many at once as the settings say, and so deep; one too many is told, and no run begins`,
    async () => {
      const replies = [
        ...of(
          'root',
          calls(starts('scout', 'ONE', background), starts('scout', 'TWO', { ...background, model: 'rehearsed' })),
        ),
        ...of('scout', calls(call.shell(waitsFor('go'))), exit('X')),
      ];
      const w = await start(replies);
      const s = w.stream(['--permission-mode', 'yolo', '-c', 'subagents.max_running=1']);
      await s.carryOut({ type: 'prompt', text: 'go' });
      expect(toolResults(requestsOf(w, 'root').at(-1)).filter((text) => text.startsWith('Error'))).toEqual([
        'Error: 1 agent is running, as many as may at once. Wait for one to end, or do the work yourself.',
      ]);
      expect(await jobsOf(s)).toHaveLength(1);
      w.write('go', '');
      await allEnded(s);
      await s.end();
    },
  );

  verifies('P43', `${harness}: the bound on agents at once holds also where each call names a model`, async () => {
    const model = { model: 'rehearsed', ...background };
    const w = await start([
      ...of(
        'root',
        calls(starts('scout', 'ONE', model), starts('scout', 'TWO', model), starts('scout', 'THREE', model)),
      ),
      ...of('scout', calls(call.shell(waitsFor('go'))), exit('X')),
    ]);
    const s = w.stream(['--permission-mode', 'yolo', '-c', 'subagents.max_running=1']);
    await s.carryOut({ type: 'prompt', text: 'go' });
    expect(await jobsOf(s)).toHaveLength(1);
    w.write('go', '');
    await allEnded(s);
    await s.end();
  });

  verifies('P43', `${harness}: at the last level no more agents are started`, async () => {
    const spawns = ['allow_subagent_spawn: true'];
    for (const [depth, asked] of [
      [1, { root: true, scout: 1 }],
      [0, { root: true, scout: 0 }],
    ] as const) {
      const w = await start(
        [...of('root', calls(starts('scout', 'GO'))), ...of('scout', calls(starts('scout', 'DEEPER')), exit('X'))],
        {},
        spawns,
      );
      await w.print(['-c', `subagents.max_depth=${depth}`, 'go']);
      const sessions = childSessions(w).length;
      expect([depth, sessions]).toEqual([depth, asked.scout]);
      const last = requestsOf(w, depth === 1 ? 'scout' : 'root').at(-1);
      expect(toolNamesOf(last).filter((name) => name.includes('subagent'))).toEqual([]);
      expect(toolResults(last)[0]).toMatch(/^There is no tool named "subagent"\. /);
    }
  });

  verifies(
    'P43',
    `${harness}: a word of the caller, or of the person, reaches a running one, and none that has ended`,
    async () => {
      const replies = [
        ...of('root', calls(starts('scout', 'GO', background))),
        ...of(
          'scout',
          calls(call.shell(waitsFor('go'))),
          calls(call.shell(`touch here; ${waitsFor('on')}`)),
          exit('DONE'),
        ),
      ];
      const w = await start(replies);
      const s = w.stream(['--permission-mode', 'yolo']);
      await s.carryOut({ type: 'prompt', text: 'go' });
      const [run] = await untilRuns(s, 1);
      next(replies, ...of('root', calls(['message_subagent', { id: run, text: 'LOOK LEFT' }])));
      await s.carryOut({ type: 'prompt', text: 'NEXT' });
      expect(toolResults(requestsOf(w, 'root').at(-1)).at(-1)).toBe(`${run} gets the message at its next pause.`);
      w.write('go', '');
      await until(() => existsSync(w.path('here')));
      await s.carryOut({ type: 'steer', to: run, text: 'LOOK RIGHT' });
      w.write('on', '');
      await allEnded(s);
      const [, second, third] = requestsOf(w, 'scout').map(texts);
      expect([second?.includes('LOOK LEFT'), second?.includes('LOOK RIGHT')]).toEqual([true, false]);
      expect([third?.includes('LOOK LEFT'), third?.includes('LOOK RIGHT')]).toEqual([true, true]);
      const late = await s.command({ type: 'steer', to: run, text: 'LATE' });
      const unknown = await s.command({ type: 'steer', to: 'agent-none', text: 'LATE' });
      expect([late, unknown].map(({ type, code, message }) => [type, code, message])).toEqual([
        ['error', 'command/no-target', `${run} has ended (completed). To go on with it, start one with resume_from.`],
        ['error', 'command/no-target', 'There is no agent "agent-none"; none is running.'],
      ]);
      await s.end();
    },
  );

  verifies(
    'P43',
    `${harness}: several in one answer run side by side, and their results come in the order of the calls`,
    async () => {
      const names = ['a', 'b', 'c'];
      const lanes = names.flatMap((name) => [
        {
          ...calls(call.shell(`touch ${name}; ${waitsFor(...names)}`)),
          when: { agent: 'scout', text: `LANE-${name}` },
        },
        { ...exit(`GAVE-${name}`), when: { agent: 'scout', text: `LANE-${name}` } },
      ]);
      const w = await start([...of('root', calls(...names.map((name) => starts('scout', `LANE-${name}`)))), ...lanes]);
      await w.print(['--permission-mode', 'yolo', 'go']);
      const results = toolResults(requestsOf(w, 'root').at(-1));
      expect(results.map((text) => /GAVE-(.)/.exec(text)?.[1])).toEqual(
        always ? [undefined, undefined, undefined] : names,
      );
      expect(names.map((name) => toldToRoot(w).split(`GAVE-${name}`).length)).toEqual([2, 2, 2]);
    },
  );

  verifies('C132', `${harness}: a definition that lists more than its caller has gets none of it`, async () => {
    const { read, grep, write } = names;
    const w = await start([...of('root', calls(starts('scout', 'GO'))), ...of('scout', exit('X'))], {}, [
      `tools: [${read}, ${grep}, ${write}]`,
    ]);
    await w.print(['--permission-mode', 'yolo', '--tools', `${read},subagent`, 'go']);
    expect(toolNamesOf(requestsOf(w, 'scout')[0])).toEqual([read, 'exit_tool']);
  });

  verifies(
    'C132',
    `${harness}: a question of a subagent that is stopped is answered by nobody any more, and its call is not run`,
    async () => {
      const w = await start([
        ...of('root', calls(starts('scout', 'GO'))),
        ...of('scout', calls(call.write('a.txt', 'x')), exit('X')),
      ]);
      const s = w.stream(['--permission-mode', 'ask']);
      s.send({ type: 'prompt', text: 'go' });
      const asked = await s.until(({ type }) => type === 'permission-request');
      const { job } = (await s.carryOut({ type: 'stop', id: asked.subagent })) as { job: { state: string } };
      const late = await s.command({ type: 'answer', id: asked.id, value: 'allow' });
      expect([job.state, late.type, late.code, existsSync(w.path('a.txt'))]).toEqual([
        'killed',
        'error',
        'command/no-target',
        false,
      ]);
      await s.end();
    },
  );

  verifies(
    'C115',
    `${harness}: own keys in a word of the person to a subagent reach neither model nor log, nor its caller`,
    async () => {
      const secret = 'own-key-0123456789';
      const w = await start([
        ...of('root', calls(starts('scout', 'GO', background))),
        ...of('scout', calls(call.shell(`touch here; ${waitsFor('go')}`)), exit('X')),
      ]);
      const s = w.stream(['--permission-mode', 'yolo'], { env: { REIN_API_KEY: secret } });
      await s.carryOut({ type: 'prompt', text: 'go' });
      const [run] = await untilRuns(s, 1);
      await until(() => existsSync(w.path('here')));
      await s.carryOut({ type: 'steer', to: run, text: `LEFT ${secret}` });
      w.write('go', '');
      await allEnded(s);
      await s.carryOut({ type: 'prompt', text: 'and then' });
      await s.end();
      const places = {
        logs: w.sessionFiles().map((file) => readFileSync(file, 'utf8')),
        scout: requestsOf(w, 'scout').map(texts),
        root: requestsOf(w, 'root').map(texts),
        stdout: s.lines.map((line) => JSON.stringify(line)),
      };
      const leaks = Object.entries(places).flatMap(([place, all]) =>
        all.some((text) => text.includes(secret)) ? [place] : [],
      );
      expect([leaks, texts(requestsOf(w, 'scout').at(-1)).includes('LEFT [masked]')]).toEqual([[], true]);
    },
  );
}
