import { expect, test } from 'vitest';
import type { Message, Part } from '../../model/index.ts';
import { session, turn } from '../test-scenario.ts';
import { longestRow, withRepeatReminder } from './repeated-calls.ts';

const PROMPT: Message = { role: 'user', event: 'p', from: 'user', parts: [], alone: false };
const REMINDER: Message = { role: 'user', event: 'r', from: 'reminder', parts: [], alone: true };

let count = 0;
function step(...calls: readonly (readonly [name: string, given: string])[]): Message {
  count += 1;
  const parts = calls.map(([name, given], index) => ({
    type: 'call' as const,
    id: `c${index}`,
    name,
    arguments: given,
  }));
  return { role: 'assistant', event: `a${count}`, parts, source: { provider: 'p', model: 'm' } };
}

const times = (many: number, made: () => Message): Message[] => Array.from({ length: many }, made);
const same = (): Message => step(['Shell', '{"command":"x","timeout":5}']);

/** The reminder behind the output of the same call made once more. */
function told(history: readonly Message[]): string {
  const parts: Part[] = [
    { type: 'text', text: '<system>m</system>' },
    { type: 'text', text: 'out' },
  ];
  const given = '{ "timeout": 5, "command": "x" }';
  const made = withRepeatReminder({ name: 'Shell' }, given, parts, turn({ session: session({ history }) }));
  const [first, last] = made;
  expect([first, made.length]).toEqual([parts[0], 2]);
  return last?.type === 'text' ? last.text : '';
}

test('the third in a row is remarked on, the fifth told with what it was, the eighth told to stop', () => {
  const tiers = [1, 2, 3, 4, 6, 7, 10].map((before) => {
    const text = told([PROMPT, ...times(before, same)]);
    return [before + 1, /several times in a row|take another way|Stop calling tools now/.exec(text)?.[0] ?? text];
  });
  expect(tiers).toEqual([
    [2, 'out'],
    [3, 'several times in a row'],
    [4, 'several times in a row'],
    [5, 'take another way'],
    [7, 'take another way'],
    [8, 'Stop calling tools now'],
    [11, 'Stop calling tools now'],
  ]);
  expect(told([PROMPT, ...times(4, same)])).toBe(
    'out\n\n<system-reminder>\nThis is the same call again, with the same arguments:\n<repeated_times>5</repeated_times>\n<tool>Shell</tool>\n<arguments>{"command":"x","timeout":5}</arguments>\nIts result will not change. Say to yourself what you expected of it, and take another way.\n</system-reminder>',
  );
});

test('another step, or a word of a person, begins anew; reminders and other calls beside it do not', () => {
  const other = (): Message => step(['Shell', '{"command":"y"}']);
  const both = (): Message => step(['Grep', '{"pattern":"z"}'], ['Shell', '{"command":"x","timeout":5}']);
  expect([
    told([PROMPT, ...times(5, same), other()]),
    told([PROMPT, ...times(5, same), PROMPT]),
    /several times/.test(told([PROMPT, both(), REMINDER, both()])),
  ]).toEqual(['out', 'out', true]);
});

test('the longest row is that of the last step’s calls', () => {
  const row = (history: readonly Message[]): number => longestRow(turn({ session: session({ history }) }));
  expect([
    row([PROMPT]),
    row([PROMPT, ...times(12, same)]),
    row([PROMPT, ...times(12, same), step(['Grep', '{}'])]),
    row([PROMPT, ...times(3, same), step(['Grep', '{}'], ['Shell', '{"timeout":5,"command":"x"}'])]),
  ]).toEqual([0, 12, 1, 4]);
});
