import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judged } from './test-permissions.ts';

const character = fc.constantFrom(
  'a',
  'b',
  ' ',
  '*',
  '\\',
  '(',
  ')',
  '/',
  '.',
  '"',
  '?',
  '~',
  '#',
  'é',
  '\u00a0',
  '=',
  '-',
);
const word = fc.string({ unit: character, minLength: 1, maxLength: 6 });
const quote = (text: string): string => `'${text}'`;

async function rulesFor(command: string): Promise<readonly string[]> {
  const verdict = await judged({ type: 'command', command });
  return verdict.verdict === 'ask' ? verdict.rules : [];
}

test('the rule that is offered for a command allows that command, and no other with as many words', async () => {
  let offered = 0;
  const words = fc.array(word, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(words, words, async (left, right) => {
      const command = ['tool', ...left.map(quote)].join(' ');
      const grants = await rulesFor(command);
      if (grants.length === 0) return;
      offered += 1;
      const verdict = async (other: string): Promise<string> =>
        (await judged({ type: 'command', command: other }, { grants })).verdict;
      expect([command, await verdict(command)]).toEqual([command, 'allow']);
      const other = ['tool', ...right.map(quote)].join(' ');
      if (JSON.stringify(left) !== JSON.stringify(right)) expect([other, await verdict(other)]).toEqual([other, 'ask']);
    }),
    { numRuns: 500 },
  );
  expect(offered).toBeGreaterThan(100);
});

test('the rule that is offered for a file allows that file, and no other', async () => {
  const name = word.filter((text) => !text.split('/').some((part) => part === '' || part === '.' || part === '..'));
  await fc.assert(
    fc.asyncProperty(name, name, async (left, right) => {
      const asked = await judged({ type: 'path', path: `/out/${left}`, access: 'write' });
      const grants = asked.verdict === 'ask' ? asked.rules : [];
      expect(grants).toHaveLength(1);
      const verdict = async (path: string): Promise<string> =>
        (await judged({ type: 'path', path, access: 'write' }, { grants })).verdict;
      expect([left, await verdict(`/out/${left}`)]).toEqual([left, 'allow']);
      if (right !== left && !right.startsWith(`${left}/`))
        expect([left, right, await verdict(`/out/${right}`)]).toEqual([left, right, 'ask']);
    }),
    { numRuns: 500 },
  );
});
