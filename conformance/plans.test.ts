import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { summaries } from './rig/compaction.ts';
import { FACETED, facetFile } from './rig/faceted.ts';
import { callsThenDone, type ModelCall, resultsOf } from './rig/tool-results.ts';
import { messagesOf, systemOf, toolNamesOf, type Workspace, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

const write = (plan: string): ModelCall => ['write_plan', { plan }];
const edit = (old: string, replacement: string): ModelCall => ['edit_plan', { edits: [{ old, new: replacement }] }];

const WHOLE = /<plan path="[^"]*">\n([\s\S]*?)\n<\/plan>/;
const EDIT = /<old>\n([\s\S]*?)\n<\/old>\n<new>\n([\s\S]*?)\n<\/new>/g;

type Told = { whole: string } | { edits: string[][] };

/** What reminders of a request say of the plan, in their order. */
function plansTold(w: Workspace, request: number = -1): Told[] {
  return messagesOf(w.requests().at(request)).flatMap(({ role, content }): Told[] => {
    if (role !== 'user' || content?.startsWith('<system-reminder>') !== true) return [];
    const [, whole] = WHOLE.exec(content) ?? [];
    if (whole !== undefined) return [{ whole }];
    const edits = [...content.matchAll(EDIT)].map(([, old = '', replacement = '']) => [old, replacement]);
    return edits.length === 0 ? [] : [{ edits }];
  });
}

const LONG = `STEP ONE\n${'More of the plan.\n'.repeat(12)}STEP TWO`;

for (const { harness, inside } of FACETED) {
  const start = (replies: Parameters<typeof callsThenDone>[0], files: Readonly<Record<string, string>> = {}) =>
    workspace(
      { '.git/': null, ...files },
      { harness, replies: [summaries('S'), ...callsThenDone(replies), { text: 'ok', repeat: true }] },
    );

  verifies(
    ['P37', 'P42', 'P4'],
    `${harness}: a written plan is added whole, and is no part of the system prompt`,
    async () => {
      const w = await start([[write('PLAN ONE')]]);
      const session = w.stream(['--facet', 'plan']);
      await session.prompt('plan it');
      await session.end();
      expect(toolNamesOf(w.requests()[0])).toEqual(expect.arrayContaining(['write_plan', 'edit_plan']));
      expect(messagesOf(w.requests()[1]).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
      expect(plansTold(w)).toEqual([{ whole: 'PLAN ONE' }]);
      expect(new Set(w.requests().map(systemOf)).size).toBe(1);
      expect(systemOf(w.requests()[1])).not.toContain('PLAN ONE');
      const [path = ''] = /\/\S+plan\.md/.exec(resultsOf(w)[0] ?? '') ?? [];
      expect(readFileSync(path, 'utf8')).toBe('PLAN ONE');
    },
  );

  verifies('P38', `${harness}: an edit adds a compact replacement; a failed one and one too many nothing`, async () => {
    const w = await start([[write(LONG)], [edit('STEP TWO', 'STEP 2')], [edit('NOWHERE', 'X')], [write('SECOND')]]);
    const session = w.stream(['--facet', 'plan']);
    await session.prompt('plan it');
    await session.end();
    expect(plansTold(w)).toEqual([{ whole: LONG }, { edits: [['STEP TWO', 'STEP 2']] }, { whole: 'SECOND' }]);
    expect(resultsOf(w)[2]).toMatch(/^Error: The old text is not in the plan/);
  });

  verifies(
    ['P39', 'P5'],
    `${harness}: after a compaction the whole plan is back, as it is after its edits`,
    async () => {
      const w = await start([[write(LONG)], [edit('STEP TWO', 'STEP 2')]]);
      const session = w.stream(['--facet', 'plan']);
      await session.prompt('plan it');
      await session.prompt('two');
      await session.carryOut({ type: 'compact' });
      await session.prompt('three');
      await session.prompt('four');
      await session.end();
      expect(plansTold(w)).toEqual([{ whole: LONG.replace('STEP TWO', 'STEP 2') }]);
      const asked = w.requests().filter(({ purpose }) => purpose === 'compaction');
      expect(asked).toHaveLength(1);
    },
  );

  verifies(
    'P40',
    `${harness}: a resume restores a plan that is out of sight, and repeats none that is in sight`,
    async () => {
      const w = await start([[write('PLAN ONE')]]);
      await w.print(['--facet', 'plan', 'plan it']);
      await w.print(['--continue', 'go on']);
      expect(plansTold(w)).toEqual([{ whole: 'PLAN ONE' }]);
      const session = w.stream(['--continue']);
      await session.carryOut({ type: 'clear', plan: true });
      await session.end();
      await w.print(['--continue', 'again']);
      expect(plansTold(w)).toEqual([{ whole: 'PLAN ONE' }]);
      expect(messagesOf(w.requests().at(-1)).map(({ role }) => role)).toEqual(['user', 'user']);
    },
  );

  verifies(
    'P41',
    `${harness}: a rewind to a clear that carried a plan restores it; a plain clear drops it`,
    async () => {
      const w = await start([[write('PLAN ONE')]]);
      const session = w.stream(['--facet', 'plan']);
      await session.prompt('plan it');
      await session.carryOut({ type: 'clear', plan: true });
      const boundary = session.lines.find(({ type }) => type === 'clear');
      await session.prompt('two');
      await session.carryOut({ type: 'clear' });
      await session.prompt('three');
      expect(plansTold(w)).toEqual([]);
      await session.carryOut({ type: 'rewind', to: String(boundary?.id) });
      await session.prompt('four');
      await session.end();
      expect(plansTold(w)).toEqual([{ whole: 'PLAN ONE' }]);
      expect(
        messagesOf(w.requests().at(-1))
          .map(({ content }) => content)
          .at(-1),
      ).toBe('four');
    },
  );

  verifies(
    ['P4', 'P42'],
    `${harness}: a facet that renders the plan has it in the system prompt, and only that one`,
    async () => {
      const facet = facetFile('shown', 'PLAN: {% if active_plan %}{{ active_plan.text }}{% else %}none{% endif %}');
      const w = await start([[write('PLAN ONE')]], { [`${inside}/facets/shown.md`]: facet });
      const session = w.stream(['--facet', 'shown']);
      await session.prompt('plan it');
      await session.end();
      expect(w.requests().map(systemOf)).toEqual(['PLAN: none', 'PLAN: PLAN ONE']);
      expect(plansTold(w)).toEqual([{ whole: 'PLAN ONE' }]);
    },
  );

  verifies('P37', `${harness}: no other shipped facet offers the tools of plans`, async () => {
    for (const facet of ['execute', 'orchestrate']) {
      const w = await workspace({ '.git/': null }, { harness });
      await w.print(['--facet', facet, 'hello']);
      expect(toolNamesOf(w.requests()[0]).filter((name) => name.endsWith('_plan'))).toEqual([]);
      expect(existsSync(w.path('plan.md'))).toBe(false);
    }
  });
}
