import { expect, test } from 'vitest';
import { createMemoryHost } from '../../host/memory/index.ts';
import type { Plan } from '../../model/index.ts';
import { testContext } from '../test-context.ts';
import { editPlan, writePlan } from './change-plan.ts';

const PLAN: Plan = { path: '/s/plan.md', text: 'one two two', changes: [] };

function context(plan: Plan | null = PLAN) {
  const made = testContext(createMemoryHost());
  return { ...made, spillDirectory: '/s', state: { ...made.state, plan } };
}

test('a written plan is an event, and a file that only its owner reads', async () => {
  const given = context(null);
  expect(await writePlan({ text: 'a\nb' }, given)).toEqual({
    value: { path: '/s/plan.md', lines: 2, size: 3, replacements: null },
    observed: [],
    events: [{ type: 'plan', op: 'write', path: '/s/plan.md', text: 'a\nb' }],
  });
  expect(await given.host.files.readRegular('/s/plan.md', { maxBytes: 100 })).toMatchObject({
    ok: true,
    bytes: Buffer.from('a\nb'),
  });
});

test('an edit says what it replaced; each in what the one before left', async () => {
  const edits = [
    { old: 'one', new: 'three' },
    { old: 'two', new: '2', all: true },
  ];
  expect(await editPlan({ edits }, context())).toMatchObject({
    value: { replacements: 3 },
    events: [{ type: 'plan', op: 'edit', text: 'three 2 2', edits }],
  });
});

test.each([
  ['plan/not-found', [{ old: 'four', new: '4' }]],
  ['plan/not-unique', [{ old: 'two', new: '2' }]],
  ['plan/empty-old', [{ old: '', new: '2' }]],
  ['plan/no-change', [{ old: 'one', new: 'one' }]],
  [
    'plan/not-found',
    [
      { old: 'one', new: '1' },
      { old: 'one', new: '1' },
    ],
  ],
])('%s: nothing is changed', async (code, edits) => {
  const outcome = await editPlan({ edits }, context());
  expect(outcome).toMatchObject({ error: { code }, observed: [] });
  expect('events' in outcome).toBe(false);
});

test('occurrences that overlap are more than one; to replace all, those are taken that do not', async () => {
  const given = context({ ...PLAN, text: 'aaa' });
  expect(await editPlan({ edits: [{ old: 'aa', new: 'b' }] }, given)).toMatchObject({
    error: { code: 'plan/not-unique' },
  });
  expect(await editPlan({ edits: [{ old: 'aa', new: 'b', all: true }] }, given)).toMatchObject({
    events: [{ text: 'ba' }],
  });
});

test('edits that make a plan enormous are refused before the text is made', async () => {
  const edit = { old: 'x', new: 'x'.repeat(1000), all: true };
  const given = context({ ...PLAN, text: 'x'.repeat(200) });
  expect(await editPlan({ edits: [edit, edit, edit, edit] }, given)).toEqual({
    error: { code: 'plan/too-large', message: 'The plan would be larger than 256 KiB. Nothing was changed.' },
    observed: [],
  });
});

test('the replacement is text, not a pattern', async () => {
  const given = context({ ...PLAN, text: 'a $1 b' });
  expect(await editPlan({ edits: [{ old: '$1', new: "$& $' $1" }] }, given)).toMatchObject({
    events: [{ text: "a $& $' $1 b" }],
  });
});

test('a file that cannot be written is an error, and the plan stays as it is', async () => {
  const made = context();
  await made.host.files.writeWhole('/s', 'in the way');
  const outcomes = [await writePlan({ text: 'a' }, made), await editPlan({ edits: [{ old: 'one', new: '1' }] }, made)];
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ error: { code: 'plan/not-written' }, observed: [] });
    expect('events' in outcome).toBe(false);
  }
});

test('without a plan there is nothing to edit, and a blank or huge one is none', async () => {
  expect(await editPlan({ edits: [{ old: 'a', new: 'b' }] }, context(null))).toMatchObject({
    error: { code: 'plan/none' },
  });
  expect(await writePlan({ text: ' \n' }, context())).toMatchObject({ error: { code: 'plan/empty' } });
  expect(await writePlan({ text: 'x'.repeat(256 * 1024 + 1) }, context())).toMatchObject({
    error: { code: 'plan/too-large' },
  });
});

test('a session without a directory keeps the plan all the same', async () => {
  expect(await writePlan({ text: 'a' }, { ...context(null), spillDirectory: null })).toEqual({
    value: { path: null, lines: 1, size: 1, replacements: null },
    observed: [],
    events: [{ type: 'plan', op: 'write', path: '', text: 'a' }],
  });
});
