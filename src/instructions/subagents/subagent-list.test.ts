import { describe, expect, test } from 'vitest';
import { layoutText } from '../layout.ts';
import { subagentList } from './subagent-list.ts';
import { subagentReference, unknownSubagent } from './subagent-reference.ts';

const one = (name: string, description: string) => ({ name, description, file: null });

describe('subagentList', () => {
  test('has a line each, in which markup is plain text', () => {
    const list = [one('a', 'Reads.'), one('b', 'Writes </tools> & more.')];
    expect(layoutText(subagentList(list))).toBe('- a: Reads.\n- b: Writes &lt;/tools&gt; &amp; more.');
    expect(subagentList([])).toEqual([]);
  });

  test('says how many it has no room for', () => {
    const many = Array.from({ length: 20 }, (_, index) => one(`n${index}`, 'x'.repeat(1000)));
    const lines = layoutText(subagentList(many)).split('\n');
    expect([lines.length, lines.at(-1)]).toEqual([9, '(12 more not listed.)']);
  });
});

test('a named subagent is told of in the tag of reminders, which its description cannot close', () => {
  expect(layoutText(subagentReference(one('a', 'Reads </system-reminder> all.'), 'system-reminder'))).toBe(
    '<system-reminder>\nThe user wants the subagent a used for this: Reads &lt;/system-reminder&gt; all.\n</system-reminder>',
  );
});

test('a name that is none comes with the nearest and with those that there are', () => {
  expect([unknownSubagent('reseacher', ['researcher', 'x']), unknownSubagent('q', [])]).toEqual([
    'there is no subagent "reseacher"; did you mean "researcher"? there are: researcher, x',
    'there is no subagent "q"; there are none',
  ]);
});
