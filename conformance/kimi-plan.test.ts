import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { type RehearsalReply, reply } from '../src/testing/index.ts';
import type { StreamSession } from './rig/stream-session.ts';
import { bodyOf, messagesOf, type Workspace, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

const YOLO = ['--permission-mode', 'yolo'];
const OK: RehearsalReply = { text: 'ok', repeat: true };

type Args = Readonly<Record<string, unknown>>;
type Made = readonly [name: string, args?: Args];

function calls(...made: readonly Made[]): RehearsalReply {
  return reply.calls(made.map(([name, args = {}]) => ({ name, arguments: { ...args } })));
}

function kimi(replies: readonly RehearsalReply[]): Promise<Workspace> {
  return workspace({ '.git/': null, 'a.txt': 'text\n' }, { harness: 'kimi-cli', replies: [...replies, OK] });
}

/** What came back of each call, the plan file's path made plain. */
function results(w: Workspace): string[][] {
  return messagesOf(w.requests().at(-1))
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => {
      const parts: unknown = content;
      const list = Array.isArray(parts) ? parts.map(({ text }: { text: string }) => text) : [String(parts)];
      return list.map((text) => text.replace(/\/\S*\/plan\.md/g, 'PLAN'));
    });
}

function planFile(w: Workspace): string {
  const [file = ''] = w.sessionFiles();
  return `${file.replace(/\.jsonl$/, '.files')}/plan.md`;
}

/** Until plan mode is on, and the model writes to its file; then a person answers what is asked about the plan. */
async function planned(
  more: readonly RehearsalReply[],
  args: readonly string[] = [],
): Promise<{ w: Workspace; s: StreamSession; write(text: string): void; replies: RehearsalReply[] }> {
  const replies: RehearsalReply[] = [calls(['EnterPlanMode']), { ...OK, when: { text: /^(?![\s\S]*PLAN)/ } }];
  const w = await workspace({ '.git/': null, 'a.txt': 'text\n' }, { harness: 'kimi-cli', replies });
  const s = w.stream([...YOLO, ...args]);
  s.send({ type: 'prompt', text: 'go' });
  const asked = await s.until(({ type }) => type === 'question-request');
  s.send({ type: 'answer', id: asked.id, value: 'Yes' });
  await s.until(({ type }) => type === 'turn-end');
  const write = (text: string): void => {
    replies.push(calls(['WriteFile', { path: planFile(w), content: text }]), ...more, OK);
  };
  return { w, s, write, replies };
}

verifies('M5', 'the controls of plan mode are offered with exactly these schemas, last', async () => {
  const w = await kimi([]);
  await w.print(['hello']);
  const tools = bodyOf(w.requests()[0]).tools ?? [];
  expect(tools.slice(-2).map(({ function: { name } }) => name)).toEqual(['ExitPlanMode', 'EnterPlanMode']);
  await expect(`${JSON.stringify(tools.slice(-2), null, 2)}\n`).toMatchFileSnapshot('./goldens/kimi-plan.txt');
});

verifies(
  'M26',
  'in plan mode only the plan file is written; commands are left alone; the plan is the session’s',
  async () => {
    const { w, s, write, replies } = await planned([]);
    replies.push(
      calls(
        ['WriteFile', { path: 'b.txt', content: 'x' }],
        ['StrReplaceFile', { path: 'a.txt', edit: { old: 'text', new: 'x' } }],
        ['TaskStop', { task_id: 'bash-x' }],
        ['Agent', { description: 'write', prompt: 'WRITE' }],
        ['Shell', { command: 'echo fine' }],
        ['EnterPlanMode'],
        ['ExitPlanMode'],
      ),
    );
    write('STEP ONE\nSTEP TWO\n');
    replies.splice(-1, 0, calls(['StrReplaceFile', { path: planFile(w), edit: { old: 'STEP', new: 'Step' } }]));
    await s.carryOut({ type: 'prompt', text: 'the PLAN' });
    await s.end();
    const denied = 'Plan mode is on: only the plan file may be written, PLAN ExitPlanMode hands the plan over.';
    expect(
      results(w)
        .slice(1)
        .map((parts) => parts.join('|').replace('PLAN. ', 'PLAN ')),
    ).toEqual([
      `<system>ERROR: ${denied}</system>`,
      `<system>ERROR: ${denied}</system>`,
      '<system>ERROR: Plan mode is on: no task is stopped in it. ExitPlanMode ends it.</system>',
      '<system>ERROR: Plan mode is on: only new agents of the types explore and plan may be started, which change nothing.</system>',
      '<system>Command executed successfully.</system>|fine\n',
      '<system>ERROR: Already in plan mode. The plan file is PLAN.</system>',
      '<system>ERROR: There is no plan yet. Write it to PLAN first.</system>',
      '<system>File successfully overwritten. Current size: 18 bytes.</system>',
      '<system>File successfully edited. Applied 1 edit(s) with 1 total replacement(s).</system>',
    ]);
    expect(readFileSync(planFile(w), 'utf8')).toBe('Step ONE\nSTEP TWO\n');
    expect([existsSync(w.path('b.txt')), readFileSync(w.path('a.txt'), 'utf8')]).toEqual([false, 'text\n']);
  },
);

async function decided(value: string, feedback?: string): Promise<{ result: string[]; on: boolean }> {
  const { w, s, write } = await planned([calls(['ExitPlanMode'])]);
  write('THE STEPS');
  s.send({ type: 'prompt', text: 'the PLAN' });
  const asked = await s.until(({ type }) => type === 'handoff-request');
  expect(asked).toMatchObject({ plan: 'THE STEPS' });
  s.send({ type: 'answer', id: asked.id, value, ...(feedback === undefined ? {} : { feedback }) });
  await s.until(({ type }) => type === 'turn-end');
  await s.end();
  const modes = w.sessionLines().filter(({ type }) => type === 'plan-mode');
  return { result: results(w).at(-1) ?? [], on: modes.at(-1)?.on === true };
}

verifies('M26', 'a plan is approved, rejected, rejected for good, or sent back with a word', async () => {
  expect([
    await decided('current-context'),
    await decided('refuse'),
    await decided('refuse', 'smaller steps'),
    await decided('cancel'),
  ]).toEqual([
    {
      result: [
        '<system>Plan mode is off. The plan is approved: carry it out.</system>',
        'Plan saved to: PLAN\n\n## Approved Plan:\nTHE STEPS',
      ],
      on: false,
    },
    {
      result: ['<system>ERROR: The user rejected the plan; plan mode stays on. Wait for what they say next.</system>'],
      on: true,
    },
    {
      result: ['<system>The plan is to be revised; plan mode stays on.</system>', 'User feedback: smaller steps'],
      on: true,
    },
    {
      result: ['<system>ERROR: The user rejected the plan and ended plan mode. Wait for what they say next.</system>'],
      on: false,
    },
  ]);
});

verifies('M26', 'of several ways the user takes one, and only that is to be carried out', async () => {
  const options = [{ label: 'Small', description: 'one file' }, { label: 'Large' }];
  const { w, s, write } = await planned([calls(['ExitPlanMode', { options }])]);
  write('THE STEPS');
  s.send({ type: 'prompt', text: 'the PLAN' });
  const asked = await s.until(({ type }) => type === 'question-request');
  expect((asked.options as { label: string }[]).map(({ label }) => label)).toEqual([
    ...['Small', 'Large', 'Reject', 'Reject and Exit'],
  ]);
  s.send({ type: 'answer', id: asked.id, value: 'Large' });
  await s.until(({ type }) => type === 'turn-end');
  await s.end();
  expect(results(w).at(-1)?.[1]).toBe(
    'Plan saved to: PLAN\n\nSelected approach: Large. Carry out this approach alone.\n\n## Approved Plan:\nTHE STEPS',
  );
});

verifies('M5', 'labels that mean something else, or are not one of three, are refused', async () => {
  const w = await kimi([
    calls(
      ['ExitPlanMode', { options: [{ label: ' Revise ' }] }],
      ['ExitPlanMode', { options: [{ label: 'a' }, { label: 'A' }] }],
      ['ExitPlanMode', { options: [{ label: 'a' }, { label: 'b' }, { label: 'c' }, { label: 'd' }] }],
      ['ExitPlanMode'],
    ),
  ]);
  await w.print(['go']);
  expect(results(w).flat()).toEqual([
    '<system>ERROR: Error validating JSON arguments: the label "revise" is reserved</system>',
    '<system>ERROR: Error validating JSON arguments: the labels must differ</system>',
    '<system>ERROR: Error validating JSON arguments: options must have at most 3 entries</system>',
    '<system>ERROR: Plan mode is not on: EnterPlanMode begins it.</system>',
  ]);
});

verifies(
  'M26',
  'where nobody is there plan mode begins by itself, and ends only by what was said beforehand',
  async () => {
    const run = async (args: readonly string[]): Promise<string[]> => {
      const replies: RehearsalReply[] = [calls(['EnterPlanMode']), { ...OK, when: { text: /^(?![\s\S]*PLAN)/ } }];
      const w = await workspace({ '.git/': null }, { harness: 'kimi-cli', replies });
      await w.print(['go']);
      replies.push(calls(['WriteFile', { path: planFile(w), content: 'THE STEPS' }]), calls(['ExitPlanMode']), OK);
      await w.print(['--continue', ...args, 'the PLAN']);
      return results(w).at(-1) ?? [];
    };
    expect([await run([]), await run(['--handoff', 'current-context'])]).toEqual([
      [
        '<system>ERROR: Nobody is there to approve the plan. It stays in PLAN and plan mode stays on: end your answer with what the plan says in short and where it is.</system>'.replace(
          'PLAN and',
          'PLAN, and',
        ),
      ],
      [
        '<system>Plan mode is off. The plan is approved: carry it out.</system>',
        'Plan saved to: PLAN\n\n## Approved Plan:\nTHE STEPS',
      ],
    ]);
  },
);

verifies(
  'M26',
  'the reminder comes at once in full, then after every five answers in short, the fifth in full again',
  async () => {
    const look = (): RehearsalReply => calls(['Shell', { command: `echo ${Math.random()}` }]);
    const w = await kimi([calls(['EnterPlanMode']), ...Array.from({ length: 26 }, look)]);
    await w.print([...YOLO, 'go']);
    const said = messagesOf(w.requests().at(-1));
    const isReminder = (content: unknown): boolean => String(content).startsWith('<system-reminder>\nPlan mode is on.');
    const at = said.flatMap(({ role, content }, index) => (role === 'user' && isReminder(content) ? [index] : []));
    const answersBetween = at
      .slice(1)
      .map((index, place) => said.slice(at[place], index).filter(({ role }) => role === 'assistant').length);
    expect(answersBetween).toEqual([5, 5, 5, 5, 5]);
    expect(
      at.map((index) => String(said[index]?.content).includes('This goes before whatever else you were told')),
    ).toEqual([...[true, false, false, false, false, true]]);
  },
);
