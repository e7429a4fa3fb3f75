import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judged, type RuleTexts } from './test-permissions.ts';

async function path(access: 'read' | 'write', name: string, rules: RuleTexts, mode = 'ask'): Promise<string> {
  return (await judged({ type: 'path', path: name, access }, { mode, rules })).verdict;
}

describe('a rule for files', () => {
  test('that allows widens what may be read or written, also outside', async () => {
    const rules = { allow: ['read(/usr/include/**)', 'write(src/**)', 'write(/tmp/out)'] };
    expect({
      readOutside: await path('read', '/usr/include/a.h', rules),
      writeThere: await path('write', '/usr/include/a.h', rules),
      write: await path('write', '/ws/src/b', rules),
      below: await path('write', '/tmp/out/a', rules),
      yolo: await path('write', '/tmp/out/a', rules, 'yolo'),
      other: await path('write', '/ws/b', rules),
    }).toEqual({
      readOutside: 'allow',
      writeThere: 'ask',
      write: 'allow',
      below: 'allow',
      yolo: 'allow',
      other: 'ask',
    });
  });

  test('lets a read-only session read more, and change nothing', async () => {
    const rules = { allow: ['read(/usr/**)', 'write'] };
    expect([
      await path('read', '/usr/a', rules, 'read-only'),
      await path('read', '/etc/a', rules, 'read-only'),
      await path('write', '/ws/a', rules, 'read-only'),
    ]).toEqual(['allow', 'deny', 'deny']);
  });

  test('that denies holds in every mode, by the given name and by the real one', async () => {
    const rules = { deny: ['read(**/*.pem)', 'write(docs)'], allow: ['read', 'write'] };
    const tree = { '/ws/key.pem': 'k', '/ws/harmless': { link: 'key.pem' }, '/ws/cert.pem': { link: 'src/a.js' } };
    for (const mode of ['ask', 'accept-edits', 'yolo', 'read-only']) {
      const verdict = async (name: string): Promise<string> =>
        (await judged({ type: 'path', path: name, access: 'read' }, { mode, rules, tree })).verdict;
      expect([
        mode,
        await verdict('/ws/key.pem'),
        await verdict('/ws/harmless'),
        await verdict('/ws/cert.pem'),
      ]).toEqual([mode, 'deny', 'deny', 'deny']);
    }
    expect(await path('write', '/ws/docs/a', rules, 'yolo')).toBe('deny');
  });

  test('that asks, asks in every mode', async () => {
    const rules = { ask: ['write(src/**)', 'read(secrets/**)'] };
    expect([
      await path('write', '/ws/src/a.js', rules, 'accept-edits'),
      await path('write', '/ws/src/a.js', rules, 'yolo'),
      await path('read', '/ws/secrets/a', rules, 'read-only'),
    ]).toEqual(['ask', 'ask', 'ask']);
  });
});

test('a rule for hosts holds for the name or for all below it, in any letter case', async () => {
  const rules = {
    allow: ['fetch(*.example.org)', 'fetch(docs.test)'],
    ask: ['fetch(a.example.org)'],
    deny: ['fetch(evil.example.org)'],
  };
  const verdict = async (host: string, mode = 'ask'): Promise<string> =>
    (await judged({ type: 'host', host }, { mode, rules })).verdict;
  expect({
    below: await verdict('X.Y.Example.org'),
    itself: await verdict('example.org'),
    exact: await verdict('docs.test.'),
    longer: await verdict('docs.test.evil'),
    asked: await verdict('a.example.org', 'yolo'),
    denied: await verdict('EVIL.example.org', 'yolo'),
    readOnly: await verdict('docs.test', 'read-only'),
    yolo: await verdict('other.test', 'yolo'),
  }).toEqual({
    below: 'allow',
    itself: 'ask',
    exact: 'allow',
    longer: 'ask',
    asked: 'ask',
    denied: 'deny',
    readOnly: 'deny',
    yolo: 'allow',
  });
});

test('over random rules, one more that asks or denies never allows more, and one more that allows never less', async () => {
  const pattern = fc.constantFrom('read', 'read(src/**)', 'read(**/*.js)', 'read(/**)', 'read(src)', 'read(x)');
  const rules = fc.record({
    allow: fc.array(pattern, { maxLength: 2 }),
    ask: fc.array(pattern, { maxLength: 2 }),
    deny: fc.array(pattern, { maxLength: 2 }),
  });
  const order = ['allow', 'ask', 'deny'];
  await fc.assert(
    fc.asyncProperty(rules, fc.constantFrom('/ws/src/a.js', '/ws/x', '/etc/x'), pattern, async (given, name, more) => {
      const before = order.indexOf(await path('read', name, given));
      const asked = order.indexOf(await path('read', name, { ...given, ask: [...given.ask, more] }));
      const denied = order.indexOf(await path('read', name, { ...given, deny: [...given.deny, more] }));
      const allowed = order.indexOf(await path('read', name, { ...given, allow: [...given.allow, more] }));
      expect([asked >= before, denied >= before, allowed <= before]).toEqual([true, true, true]);
    }),
    { numRuns: 300 },
  );
});
