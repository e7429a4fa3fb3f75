import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatPermissionRule, parsePermissionRule } from './permission-rule.ts';

test('a rule is a kind alone or with a pattern', () => {
  expect(
    ['read', ' write( docs/** ) ', 'shell(git log (x)*)', 'fetch(*.example.org)'].map(parsePermissionRule),
  ).toEqual([
    { rule: { kind: 'read', pattern: null } },
    { rule: { kind: 'write', pattern: 'docs/**' } },
    { rule: { kind: 'shell', pattern: 'git log (x)*' } },
    { rule: { kind: 'fetch', pattern: '*.example.org' } },
  ]);
});

test('anything else is refused with what is wrong', () => {
  const fault = (text: string): string | undefined => {
    const parsed = parsePermissionRule(text);
    return 'fault' in parsed ? parsed.fault : undefined;
  };
  expect({
    empty: fault(''),
    kind: fault('shel(ls)'),
    other: fault('bash(ls)'),
    open: fault('shell(ls'),
    blank: fault('read()'),
    parent: fault('write(../x)'),
    escape: fault('shell(a\\)'),
    host: fault('fetch(https://x)'),
    control: fault('shell(a\nb)'),
    long: fault(`shell(${'x'.repeat(1000)})`),
  }).toEqual({
    empty: 'a rule is read, write, shell, fetch, with a pattern in parentheses or alone',
    kind: 'there are no "shel" rules; did you mean shell?',
    other: 'there are no "bash" rules; a rule is read, write, shell, fetch, with a pattern in parentheses or alone',
    open: 'a rule is read, write, shell, fetch, with a pattern in parentheses or alone',
    blank: 'the pattern is empty; write read alone for every call of that kind',
    parent: 'a path pattern cannot hold ".."',
    escape: 'a backslash at the end has nothing to escape',
    host: 'a host pattern is a host name, *.NAME for those below it, or *',
    control: 'it holds a control character',
    long: 'it is longer than 1000 characters',
  });
});

test('any text is a rule that reads the same when written again, or is refused in one line', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc
      .record({ kind: fc.constantFrom('read', 'write', 'shell', 'fetch'), pattern: fc.string({ maxLength: 20 }) })
      .map(({ kind, pattern }) => `${kind}(${pattern})`),
  );
  fc.assert(
    fc.property(text, (given) => {
      const parsed = parsePermissionRule(given);
      if ('fault' in parsed) expect(parsed.fault.split('\n')).toHaveLength(1);
      else expect(parsePermissionRule(formatPermissionRule(parsed.rule))).toEqual(parsed);
    }),
    { numRuns: 500 },
  );
});
