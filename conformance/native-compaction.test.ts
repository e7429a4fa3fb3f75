import { expect } from 'vitest';
import { summaries, summaryRequests, turnRequests } from './rig/compaction.ts';
import { FACETED } from './rig/faceted.ts';
import { filesTold, history } from './rig/history.ts';
import { workspace } from './rig.ts';
import { verifies } from './verifies.ts';

const STATE = 'b64:é\u2028"\\ {{state}}';

for (const { harness, call } of FACETED) {
  verifies(
    ['P55', 'P56'],
    `${harness}: the provider’s state is kept byte for byte, and what holds is given again; another provider gets a summary`,
    async () => {
      const [name, args] = call.read('a/x.txt');
      const script = {
        server: { native_compaction: true },
        replies: [
          { when: { purpose: 'compaction' }, state: STATE },
          { calls: [{ name, arguments: args }] },
          { text: 'ok', repeat: true },
        ],
      };
      const w = await workspace(
        {
          '.git/': null,
          'AGENTS.md': 'ROOT',
          'a/AGENTS.md': 'INNER',
          'a/x.txt': 'x',
          'native.json': JSON.stringify(script),
        },
        { harness, replies: [summaries('TOLD ANEW'), { text: 'ok', repeat: true }] },
      );
      const session = w.stream(['--model', 'rehearsal/native.json'], { env: { REIN_BASE_URL: '' } });
      await session.prompt('one');
      await session.prompt('two');
      expect(await session.carryOut({ type: 'compact' })).toMatchObject({ compacted: true });
      await session.prompt('three');
      await session.end();
      const record = w.sessionLines().find(({ type }) => type === 'compaction');
      expect(record).toMatchObject({ kind: 'native', opaque: { provider: 'rehearsal', data: STATE } });
      const count = w.sessionLines().filter(({ type }) => type === 'request').length;
      const stored = ['--session', String(w.sessionLines()[0]?.id), '--request', String(count)];
      const { stdout } = await w.run(['context', ...stored, '--body']);
      const { messages } = JSON.parse(stdout) as { messages: { role: string; content: unknown }[] };
      const [system, state, chain, recent, prompt, ...more] = messages;
      expect(state).toEqual({ role: 'user', content: [{ type: 'compaction', state: STATE }] });
      expect(chain?.content).toMatch(/^<system-reminder>[\s\S]*AGENTS\.md">\nROOT\n/);
      expect(recent?.content).toMatch(/^<system-reminder>[\s\S]*a\/AGENTS\.md">\nINNER\n/);
      expect([prompt?.content, more]).toEqual(['three', []]);
      expect(JSON.stringify(system)).not.toMatch(/ROOT|INNER|AGENTS\.md/);

      await w.print(['--continue', '--model', 'rehearsed', 'four']);
      const [asked = '', ...others] = summaryRequests(w);
      expect(others).toEqual([]);
      expect(asked).toMatch(/\[User\]\\\\none[\s\S]*\[User\]\\\\ntwo/);
      expect(asked).not.toMatch(/three|b64:|ROOT|INNER/);
      const [summary, ...rest] = history(w);
      expect(summary?.[1]).toContain('TOLD ANEW');
      expect(rest.filter(([kind]) => kind === 'user')).toEqual([
        ['user', 'three'],
        ['user', 'four'],
      ]);
      expect(filesTold(w).flat()).toEqual([
        ['AGENTS.md', 'ROOT'],
        ['a/AGENTS.md', 'INNER'],
      ]);
      expect(JSON.stringify(turnRequests(w).at(-1)?.json)).not.toContain('b64:');
      expect(w.server.failures()).toEqual([]);
    },
  );
}
