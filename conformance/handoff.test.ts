import { expect } from 'vitest';
import { reply } from '../src/testing/index.ts';
import { FACETED } from './rig/faceted.ts';
import type { StreamSession } from './rig/stream-session.ts';
import { messagesOf, systemOf, toolNamesOf, type Workspace, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

const PLAN = 'STEP ONE: write the test.\nSTEP TWO: make it pass.';

/** A model that plans, hands over and, once it may, says that it carries out. */
const REPLIES = [
  reply.calls([{ name: 'write_plan', arguments: { plan: PLAN } }]),
  reply.calls([{ name: 'handoff_plan', arguments: {} }]),
  reply.text('on it'),
  { text: 'ok', repeat: true },
];

async function planned(harness: string, args: readonly string[] = []): Promise<{ w: Workspace; s: StreamSession }> {
  const w = await workspace({ '.git/': null, 'AGENTS.md': 'RULES OF THE HOUSE' }, { harness, replies: REPLIES });
  const s = w.stream(['--facet', 'plan', ...args]);
  s.send({ type: 'prompt', text: 'plan it' });
  return { w, s };
}

async function answered(
  harness: string,
  value: string,
  feedback?: string,
): Promise<{ w: Workspace; s: StreamSession }> {
  const { w, s } = await planned(harness);
  const asked = await s.until(({ type }) => type === 'handoff-request');
  s.send({ type: 'answer', id: asked.id, value, ...(feedback === undefined ? {} : { feedback }) });
  await s.until(({ type }) => type === 'turn-end');
  await s.end();
  return { w, s };
}

function lastResult(w: Workspace): string {
  return messagesOf(w.requests().at(-1)).findLast(({ role }) => role === 'tool')?.content ?? '';
}

for (const { harness } of FACETED) {
  verifies(
    'P7',
    `${harness}: plan, execute and orchestrate are shipped, and a plan goes from one to the next`,
    async () => {
      const { w, s } = await planned(harness);
      const asked = await s.until(({ type }) => type === 'handoff-request');
      expect(asked).toMatchObject({
        plan: PLAN,
        facet: 'execute',
        path: expect.stringMatching(/\/plan\.md$/),
        decisions: ['new-context', 'current-context', 'refuse', 'cancel'],
      });
      s.send({ type: 'answer', id: asked.id, value: 'new-context' });
      await s.until(({ type }) => type === 'turn-end');
      await s.end();
      const [first, , last] = w.requests();
      expect(toolNamesOf(first)).toEqual(expect.arrayContaining(['write_plan', 'edit_plan', 'handoff_plan']));
      expect(toolNamesOf(last)).not.toContain('handoff_plan');
      expect(systemOf(last)).not.toBe(systemOf(first));
      // Nothing of the conversation but what holds: the instructions, the plan, and the word to begin.
      expect(
        messagesOf(last).map(({ role, content }) => [role, /RULES|STEP ONE|approved/.exec(content ?? '')?.[0]]),
      ).toEqual([
        ['user', 'RULES'],
        ['user', 'STEP ONE'],
        ['user', 'approved'],
      ]);
      for (const facet of ['plan', 'execute', 'orchestrate']) {
        await w.print(['--facet', facet, 'hello']);
      }
    },
  );

  verifies('P7', `${harness}: in the current context the facet changes and the conversation goes on`, async () => {
    const { w } = await answered(harness, 'current-context');
    const [first, , last] = w.requests();
    expect(systemOf(last)).not.toBe(systemOf(first));
    expect(toolNamesOf(last)).not.toContain('handoff_plan');
    expect(messagesOf(last).filter(({ role }) => role === 'tool')).toHaveLength(2);
  });

  verifies('P7', `${harness}: a refusal comes back with what was said, a cancel stops; the facet stays`, async () => {
    const refused = await answered(harness, 'refuse', 'Tests for the edge cases first.');
    expect(lastResult(refused.w)).toContain('Tests for the edge cases first.');
    expect(systemOf(refused.w.requests().at(-1))).toBe(systemOf(refused.w.requests()[0]));
    const cancelled = await answered(harness, 'cancel');
    expect(systemOf(cancelled.w.requests().at(-1))).toBe(systemOf(cancelled.w.requests()[0]));
    const decisions = cancelled.s.lines.filter(({ type }) => type === 'decision');
    expect(decisions.map(({ decision }) => decision)).toEqual(['cancel']);
  });

  verifies('P7', `${harness}: what was said beforehand answers, and nobody is asked`, async () => {
    const { w, s } = await planned(harness, ['--handoff', 'new-context']);
    await s.until(({ type }) => type === 'turn-end');
    await s.end();
    expect(s.lines.some(({ type }) => type === 'handoff-request')).toBe(false);
    expect(messagesOf(w.requests().at(-1)).filter(({ role }) => role === 'tool')).toEqual([]);
  });

  verifies('P7', `${harness}: where nobody can be asked the model is told, and the run ends well`, async () => {
    const w = await workspace({ '.git/': null }, { harness, replies: REPLIES });
    const ended = await w.print(['--facet', 'plan', 'plan it']);
    expect(ended.stdout).toBe('on it\n');
    expect(lastResult(w)).toMatch(/nobody/i);
    expect(lastResult(w)).toMatch(/plan\.md/);
  });

  verifies('P7', `${harness}: a plan is handed over alone, and to a facet that there is`, async () => {
    const two = reply.calls([
      { name: 'write_plan', arguments: { plan: PLAN } },
      { name: 'handoff_plan', arguments: {} },
    ]);
    const elsewhere = reply.calls([{ name: 'handoff_plan', arguments: { facet: 'exekute' } }]);
    const w = await workspace({ '.git/': null }, { harness, replies: [two, elsewhere, reply.text('done')] });
    const s = w.stream(['--facet', 'plan']);
    await s.prompt('plan it');
    await s.end();
    const results = messagesOf(w.requests().at(-1)).flatMap(({ role, content }) => (role === 'tool' ? [content] : []));
    expect(results[1]).toMatch(/in an answer of its own/);
    expect(results[2]).toMatch(/did you mean "execute"\?/);
    expect(s.lines.some(({ type }) => type === 'handoff-request')).toBe(false);
  });
}
