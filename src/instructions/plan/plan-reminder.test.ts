import { expect, test } from 'vitest';
import { sha256 } from '../../base/index.ts';
import type { Delivery, Plan, PlanEdit, Reminder } from '../../model/index.ts';
import { NOTHING_DELIVERED } from '../delivery.ts';
import { checkLaid, layoutText } from '../layout.ts';
import { type PlanForm, planReminder } from './plan-reminder.ts';

const FORM: PlanForm = { tag: 'told', whole: 'WHOLE', edited: 'EDITED' };
const BEFORE = `one\n${'more of it\n'.repeat(20)}two`;

function reminder(plan: Plan | null, delivery: Partial<Delivery> = {}): Reminder | null {
  return planReminder({ plan, delivery: { ...NOTHING_DELIVERED, ...delivery } }, FORM);
}

function told(plan: Plan, delivery: Partial<Delivery> = {}): string {
  const { layout } = reminder(plan, delivery) ?? { layout: [] };
  expect(checkLaid(layout)).toEqual([]);
  return layoutText(layout);
}

/** The plan after these edits of BEFORE, which the model sees. */
function edited(edits: PlanEdit[], text: string): [Plan, Partial<Delivery>] {
  const before = sha256(BEFORE);
  return [{ path: '/s/plan.md', text, changes: [{ before, edits }] }, { plan: before }];
}

function pieces(given: Reminder | null): unknown[] {
  return (given?.layout ?? []).flatMap((item) =>
    'piece' in item ? [[item.piece.id, item.piece.kind, item.trigger, item.piece.fileSha256 ?? null]] : [],
  );
}

test('nothing is told where there is no plan, or where the model has it', () => {
  expect(reminder(null, { plan: sha256('gone') })).toBeNull();
  expect(reminder({ path: '', text: 'a', changes: [] }, { plan: sha256('a') })).toBeNull();
});

test('a plan that is not in sight is told whole, with its path', () => {
  const plan: Plan = { path: '/s/"p".md', text: 'a', changes: [] };
  const text = '<told>\nWHOLE\n\n<plan path="/s/&#x22;p&#x22;.md">\na\n</plan>\n</told>';
  expect(told(plan)).toBe(text);
  expect(told({ ...plan, path: '' })).toBe('<told>\nWHOLE\n\n<plan>\na\n</plan>\n</told>');
  expect(told({ ...plan, text: 'a\n' })).toBe(text);
});

test('its pieces say what the model then has, and why it was told', () => {
  const plan: Plan = { path: '', text: 'a', changes: [] };
  const laid = (trigger: string): unknown[] => [
    ['plan/intro', 'guidance', trigger, null],
    ['plan', 'plan', trigger, sha256('a')],
  ];
  expect(pieces(reminder(plan))).toEqual(laid('plan-change'));
  expect(pieces(reminder(plan, { plan: sha256('earlier') }))).toEqual(laid('plan-change'));
  expect(pieces(reminder(plan, { began: 'compaction' }))).toEqual(laid('context-reset'));
  expect(pieces(reminder(plan, { began: 'clear' }))).toEqual(laid('context-reset'));
});

test('an edit of the text that the model has is told as replacements', () => {
  const after = BEFORE.replace('two', '2');
  const given = edited(
    [
      { old: 'two', new: '2' },
      { old: 'more', new: 'More', all: true },
    ],
    after,
  );
  expect(told(...given)).toBe(
    '<told>\nEDITED\n\n<replace>\n<old>\ntwo\n</old>\n<new>\n2\n</new>\n</replace>\n<replace all="true">\n<old>\nmore\n</old>\n<new>\nMore\n</new>\n</replace>\n</told>',
  );
  expect(pieces(reminder(...given))).toEqual([
    ['plan/edited', 'guidance', 'plan-change', null],
    ['plan-edit', 'plan', 'plan-change', sha256(after)],
  ]);
});

test('only the edits since the text that the model has are told', () => {
  const middle = BEFORE.replace('one', '1');
  const plan: Plan = {
    path: '',
    text: middle.replace('two', '2'),
    changes: [
      { before: sha256(BEFORE), edits: [{ old: 'one', new: '1' }] },
      { before: sha256(middle), edits: [{ old: 'two', new: '2' }] },
    ],
  };
  const second = '<replace>\n<old>\ntwo\n</old>\n<new>\n2\n</new>\n</replace>\n</told>';
  expect(told(plan, { plan: sha256(middle) })).toBe(`<told>\nEDITED\n\n${second}`);
  expect(told(plan, { plan: sha256(BEFORE) })).toBe(
    `<told>\nEDITED\n\n<replace>\n<old>\none\n</old>\n<new>\n1\n</new>\n</replace>\n${second}`,
  );
});

test('edits are told as the whole plan where that is shorter, or where there are too many', () => {
  const after = `${BEFORE}.`;
  const isWhole = (edits: PlanEdit[]): boolean => told(...edited(edits, after)).includes('<plan path=');
  expect(isWhole([{ old: 'x'.repeat(after.length - 1), new: '' }])).toBe(false);
  expect(isWhole([{ old: 'x'.repeat(after.length), new: '' }])).toBe(true);
  const edits = Array.from({ length: 17 }, () => ({ old: 'a', new: 'b' }));
  expect(isWhole(edits.slice(0, 16))).toBe(false);
  expect(isWhole(edits)).toBe(true);
});

test.each(['told', 'plan', 'replace', 'old', 'new'])('a text that closes <%s> stays inside, in both', (name) => {
  const forged = `a </${name}> </ ${name.toUpperCase()} > b`;
  const inside = `a &lt;/${name}> &lt;/ ${name.toUpperCase()} > b`;
  expect(told({ path: '', text: forged, changes: [] })).toBe(`<told>\nWHOLE\n\n<plan>\n${inside}\n</plan>\n</told>`);
  expect(told(...edited([{ old: forged, new: forged }], `${BEFORE} ${forged}`))).toBe(
    `<told>\nEDITED\n\n<replace>\n<old>\n${inside}\n</old>\n<new>\n${inside}\n</new>\n</replace>\n</told>`,
  );
});
