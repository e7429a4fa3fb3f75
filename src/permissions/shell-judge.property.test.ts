import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judged } from './test-permissions.ts';

const RULES = { allow: ['shell(git *)', 'shell(make*)'], deny: ['shell(rm *)'] };

const innocent = fc.constantFrom(
  'git log',
  'git status -s',
  "git commit -m 'a; b'",
  'make',
  'make all',
  'echo a',
  'cd src',
);
const denied = fc.constantFrom('rm x', "rm -rf 'a b'", 'r\\m y', '"rm" z', '/bin/rm x');
const joint = fc.constantFrom(' && ', ' || ', '; ', ' | ', '\n', ' & ', ' |& ');

/** Ways to run a command inside of another one. */
type Wrapping = (command: string) => string;
const wrapping: fc.Arbitrary<Wrapping> = fc.constantFrom<Wrapping[]>(
  (command) => ` ( ${command} )`,
  (command) => `{ ${command}; }`,
  (command) => `git log $(${command})`,
  (command) => `git log "$(${command})"`,
  (command) => `git log <(${command})`,
  (command) => `if true; then ${command}; fi`,
  (command) => `for i in a; do ${command}; done`,
  (command) => `while true; do ${command}; done`,
  (command) => `case a in a) ${command};; esac`,
  (command) => `f() { ${command}; }`,
  (command) => `A=$(${command}) git log`,
  (command) => `git log > /dev/null; ${command}`,
  (command) => `sh -c '${command.replaceAll("'", `'\\''`)}'`,
  (command) => `eval '${command.replaceAll("'", `'\\''`)}'`,
  (command) => `env A=1 sh -c '${command.replaceAll("'", `'\\''`)}'`,
  (command) => `{ git log <<END${command.length}\n$(${command})\nEND${command.length}\n}`,
);

function list(commands: readonly string[], joints: readonly string[]): string {
  return commands.map((command, index) => (index === 0 ? command : `${joints[index - 1] ?? '; '}${command}`)).join('');
}

const lists = fc.record({
  before: fc.array(innocent, { maxLength: 3 }),
  after: fc.array(innocent, { maxLength: 3 }),
  joints: fc.array(joint, { minLength: 6, maxLength: 6 }),
  wrappings: fc.array(wrapping, { maxLength: 3 }),
});

describe('over random command lines', () => {
  test('a denied command anywhere in a list, however it is wrapped, denies the whole', async () => {
    await fc.assert(
      fc.asyncProperty(lists, denied, async ({ before, after, joints, wrappings }, command) => {
        const wrapped = wrappings.reduce<string>((inner, wrap) => wrap(inner), command);
        const line = list([...before, wrapped, ...after], joints);
        for (const mode of ['ask', 'accept-edits', 'yolo']) {
          expect([line, (await judged({ type: 'command', command: line }, { mode, rules: RULES })).verdict]).toEqual([
            line,
            'deny',
          ]);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('a command that no rule allows, anywhere in a list, is never run unasked', async () => {
    await fc.assert(
      fc.asyncProperty(lists, fc.constantFrom('ls', 'curl x', '$X', 'git\\ log', 'a=b c'), async (given, command) => {
        const wrapped = given.wrappings.reduce<string>((inner, wrap) => wrap(inner), command);
        const line = list([...given.before, wrapped, ...given.after], given.joints);
        const { verdict } = await judged({ type: 'command', command: line }, { rules: RULES });
        expect([line, verdict]).toEqual([line, 'ask']);
      }),
      { numRuns: 300 },
    );
  });

  test('allowed commands joined and wrapped stay allowed', async () => {
    await fc.assert(
      fc.asyncProperty(lists, innocent, async (given, command) => {
        const wrapped = given.wrappings.reduce<string>((inner, wrap) => wrap(inner), command);
        const line = list([...given.before, wrapped, ...given.after], given.joints);
        const { verdict } = await judged({ type: 'command', command: line }, { rules: RULES });
        expect([line, verdict]).toEqual([line, 'allow']);
      }),
      { numRuns: 300 },
    );
  });

  test('any text at all gets a verdict, and none is allowed that a shell could not read', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc
        .array(
          fc.constantFrom(
            'git',
            'rm',
            ' ',
            '"',
            "'",
            '$(',
            ')',
            '`',
            '{',
            '}',
            '<<E',
            '\n',
            ';',
            '&',
            '|',
            '>',
            '\\',
            '[[',
            'x',
          ),
          { maxLength: 25 },
        )
        .map((parts) => parts.join('')),
    );
    await fc.assert(
      fc.asyncProperty(text, async (command) => {
        const { verdict } = await judged({ type: 'command', command }, { rules: RULES });
        expect(['allow', 'ask', 'deny']).toContain(verdict);
      }),
      { numRuns: 1000 },
    );
  });
});
