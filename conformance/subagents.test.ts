import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { type RehearsalReply, reply } from '../src/testing/index.ts';
import { FACETED, type Faceted, skillFile } from './rig/faceted.ts';
import { agentFile, allEnded, calls, childSessions, exit, of, requestsOf, starts, texts } from './rig/subagents.ts';
import { messagesOf, systemOf, toolNamesOf, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

const BODY = 'You look into things. {{ transclude("parts/how.md") }}';

function tree({ inside }: Faceted, product: string, keys: readonly string[] = []): Record<string, string | null> {
  return {
    '.git/': null,
    'AGENTS.md': 'RULES OF THE HOUSE',
    'deep/AGENTS.md': 'RULES OF THE DEEP',
    'deep/a.txt': 'text\n',
    [`${inside}/subagents/scout.md`]: agentFile('scout', BODY, product, keys),
    [`${inside}/subagents/parts/how.md`]: 'HOW TO LOOK.',
    [`${inside}/skills/lamp/SKILL.md`]: skillFile('lamp', 'Lights up.', 'LAMP BODY'),
  };
}

for (const faceted of FACETED) {
  const { harness, keys, call } = faceted;
  const product = keys[0] as string;
  const start = (
    replies: readonly RehearsalReply[],
    more: Record<string, string | null> = {},
    own: readonly string[] = [],
  ) =>
    workspace(
      { ...tree(faceted, product, own), ...more },
      { harness, replies: [...replies, { text: 'ok', repeat: true }] },
    );

  verifies(
    ['P43', 'P44', 'P47'],
    `${harness}: a subagent gets the shipped base, its body with its fragments, and a chain reminder of its own`,
    async () => {
      const w = await start([...of('root', calls(starts('scout', 'LOOK HERE'))), ...of('scout', exit('FOUND IT'))]);
      await w.print(['go']);
      const [child] = requestsOf(w, 'scout');
      const system = systemOf(child);
      expect(system.endsWith('You look into things. HOW TO LOOK.')).toBe(true);
      const base = system.slice(0, -'You look into things. HOW TO LOOK.'.length);
      expect(base.endsWith('\n\n')).toBe(true);
      const [root] = requestsOf(w, 'root');
      expect([systemOf(root).includes('HOW TO LOOK'), system.includes('RULES OF')]).toEqual([false, false]);
      expect(messagesOf(child).map(({ role, content }) => [role, content?.includes('RULES OF THE HOUSE')])).toEqual([
        ['user', true],
        ['user', false],
      ]);
      expect(messagesOf(child).at(-1)?.content).toBe('LOOK HERE');
      expect(toolNamesOf(child)).toContain('exit_tool');
      expect(toolNamesOf(root)).not.toContain('exit_tool');
      expect(texts(requestsOf(w, 'root').at(-1))).toContain('FOUND IT');
    },
  );

  verifies(
    'P45',
    `${harness}: what a subagent discovers is in its own history and inventory, and not in its caller's`,
    async () => {
      const w = await start([
        ...of('root', calls(starts('scout', 'LOOK HERE')), reply.text('done')),
        ...of('scout', calls(call.read('deep/a.txt')), exit('FOUND IT')),
      ]);
      await w.print(['go']);
      expect(texts(requestsOf(w, 'scout').at(-1))).toContain('RULES OF THE DEEP');
      expect(
        w
          .requests()
          .filter(({ agent }) => agent === 'root')
          .map(texts)
          .join(''),
      ).not.toContain('RULES OF THE DEEP');
    },
  );

  verifies(
    'P46',
    `${harness}: a run that goes on with an earlier one knows the files that were discovered; what a boundary keeps are paths`,
    async () => {
      const replies = [
        ...of('root', calls(starts('scout', 'LOOK HERE')), reply.text('done')),
        ...of('scout', calls(call.read('deep/a.txt')), exit('FOUND IT'), calls(call.read('deep/a.txt')), exit('AGAIN')),
      ];
      const w = await workspace(tree(faceted, product), { harness, replies });
      const s = w.stream();
      await s.carryOut({ type: 'prompt', text: 'go' });
      await allEnded(s);
      const { run } = s.lines.find(({ type }) => type === 'subagent') as { run?: string };
      replies.push(
        ...of('root', calls(starts('scout', 'LOOK AGAIN', { resume_from: run })), { text: 'done', repeat: true }),
      );
      await s.carryOut({ type: 'prompt', text: 'again' });
      await allEnded(s);
      await s.end();
      const last = requestsOf(w, 'scout').at(-1);
      expect(texts(last).split('RULES OF THE DEEP')).toHaveLength(2);
      expect(texts(last)).toContain('LOOK AGAIN');
    },
  );

  verifies(
    'C132',
    `${harness}: a subagent has its caller's instructions, skills and rules, and no more permissions`,
    async () => {
      const rm = call.shell('rm -rf keep');
      const w = await start(
        [
          ...of('root', calls(starts('scout', 'TIDY UP')), reply.text('done')),
          ...of('scout', calls(rm, ['skill', { name: 'lamp' }]), exit('NOT DONE')),
        ],
        { '.rein/settings.json': '{ "permissions": { "deny": ["shell(rm *)"] } }', 'keep/file': 'x' },
      );
      await w.print(['--permission-mode', 'yolo', 'go']);
      const [first, second] = requestsOf(w, 'scout');
      expect(texts(first)).toContain('RULES OF THE HOUSE');
      const results = messagesOf(second).flatMap(({ role, content }) => (role === 'tool' ? [content ?? ''] : []));
      expect(results[0]).toMatch(/rm|den/i);
      expect(results[1]).toContain('LAMP BODY');
      expect(readFileSync(w.path('keep/file'), 'utf8')).toBe('x');
    },
  );

  verifies(
    'C132',
    `${harness}: a definition may opt out of the project's instructions and skills, in so many words`,
    async () => {
      const w = await start(
        [...of('root', calls(starts('scout', 'LOOK')), reply.text('done')), ...of('scout', exit('X'))],
        {},
        ['project_instructions: false', 'skills_deny: [lamp]'],
      );
      await w.print(['go']);
      const [first] = requestsOf(w, 'scout');
      expect([texts(first).includes('RULES OF'), toolNamesOf(first).includes('skill')]).toEqual([false, false]);
    },
  );

  verifies(
    'P43',
    `${harness}: a result must be what the schema says, and only a result reaches the caller`,
    async () => {
      const schema =
        'exit_tool_schema: { type: object, required: [verdict], properties: { verdict: { enum: [good, bad] } }, additionalProperties: false }';
      const w = await start(
        [
          ...of('root', calls(starts('scout', 'JUDGE')), reply.text('done')),
          ...of(
            'scout',
            { text: 'MUSING ALOUD' },
            calls(['exit_tool', { verdict: 'so so' }]),
            calls(['exit_tool', { verdict: 'good' }]),
          ),
        ],
        {},
        [schema],
      );
      await w.print(['go']);
      const asked = requestsOf(w, 'scout');
      expect(asked).toHaveLength(3);
      expect(messagesOf(asked[1]).at(-1)?.content).toContain('exit_tool');
      expect(messagesOf(asked[2]).at(-1)?.content).toMatch(/^Error: /);
      const said = w
        .requests()
        .filter(({ agent }) => agent === 'root')
        .map(texts)
        .join('');
      expect([said.includes('good'), said.includes('MUSING'), said.includes('so so')]).toEqual([true, false, false]);
    },
  );

  verifies('P43', `${harness}: its session is a file of its own, which the caller's names`, async () => {
    const w = await start([
      ...of('root', calls(starts('scout', 'LOOK')), reply.text('done')),
      ...of('scout', exit('X')),
    ]);
    const s = w.stream();
    await s.carryOut({ type: 'prompt', text: 'go' });
    await s.end();
    const [child] = childSessions(w);
    const note = s.lines.find(({ type, subagent }) => type === 'subagent' && subagent === undefined);
    expect(note).toMatchObject({ session: child?.id, agent: 'scout' });
    const told = s.lines.filter(({ subagent }) => subagent === note?.run);
    expect(told.map(({ type }) => type)).toEqual(expect.arrayContaining(['session', 'prompt', 'request', 'assistant']));
    const shown = await w.run(['context', '--session', String(child?.id), '--request', '1', '--body']);
    expect(shown.stdout.trim()).toBe(requestsOf(w, 'scout')[0]?.body);
  });
}
