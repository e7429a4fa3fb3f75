import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCommandLine } from './command-line.ts';
import { mistakeMessage } from './mistake-message.ts';

/** What a call comes to, short enough to compare: `command {options} [arguments]`, or the mistake's line. */
function read(...args: string[]): unknown {
  const line = readCommandLine(args);
  if (line.type === 'mistake') return mistakeMessage(line.mistake);
  if (line.type === 'help') return `help ${line.command.name}`.trim();
  if (line.type === 'version') return 'version';
  return [
    line.command.name,
    line.options.map(({ name, value }) => (value === null ? name : `${name}=${value}`)),
    line.arguments,
  ];
}

test.each<[args: string[], expected: unknown]>([
  [[], ['', [], []]],
  [['fix it'], ['', [], ['fix it']]],
  [
    ['-p', 'fix it'],
    ['', ['print'], ['fix it']],
  ],
  [
    ['-p', '-'],
    ['', ['print'], ['-']],
  ],
  [
    ['-p', '--', '-x is broken'],
    ['', ['print'], ['-x is broken']],
  ],
  [
    ['--', 'context'],
    ['', [], ['context']],
  ],
  [
    ['-p', 'context'],
    ['', ['print'], ['context']],
  ],
  [
    ['context', '--json'],
    ['context', ['json'], []],
  ],
  [
    ['--harness', 'x', 'context'],
    ['context', ['harness=x'], []],
  ],
  [
    ['context', '--diff', 'a', 'b'],
    ['context', ['diff'], ['a', 'b']],
  ],
  [
    ['rehearsal', 'serve', 'f.yaml', '--port=0'],
    ['rehearsal', ['port=0'], ['serve', 'f.yaml']],
  ],
  [
    ['-p', '--model', 'a/b/c', '-c', 'k=1', '-c', 'l=2', 'x'],
    ['', ['print', 'model=a/b/c', 'config=k=1', 'config=l=2'], ['x']],
  ],
  [
    ['-p', '--model='],
    ['', ['print', 'model='], []],
  ],
  [
    ['-pC', 'dir', 'x'],
    ['', ['print', 'cwd=dir'], ['x']],
  ],
  [
    ['-p', '--append-system-prompt', 'A', '--append-system-prompt-file', 'f', '--append-system-prompt', 'B'],
    ['', ['print', 'append-system-prompt=A', 'append-system-prompt-file=f', 'append-system-prompt=B'], []],
  ],
  [['--version'], 'version'],
  [['-V'], 'version'],
  [['--help'], 'help'],
  [['context', '--help'], 'help context'],
  [['demo', '-h'], 'help demo'],
  [['-p', 'demo', '--help'], 'help'],
])('%j', (args, expected) => {
  expect(read(...args)).toEqual(expected);
});

test.each<[args: string[], message: string]>([
  [['--modle', 'x'], 'unknown option --modle: did you mean --model?'],
  [['context', '--jsn'], 'unknown option --jsn: did you mean --json?'],
  [['-p', '-x'], 'unknown option -x: see rein --help'],
  [['demo', '--zzzzzzzz'], 'unknown option --zzzzzzzz: see rein demo --help'],
  [['-p', '--body'], '--body is not an option of "rein -p"; it belongs to "rein context"'],
  [['context', '--continue'], '--continue is not an option of "rein context"; it belongs to "rein -p"'],
  [['context', '--version'], '--version is not an option of "rein context"; it belongs to "rein -p"'],
  [['-p', 'x', '--model'], '--model needs a value: --model PROVIDER/MODEL'],
  [
    ['-p', '--append-system-prompt', '-p'],
    '--append-system-prompt needs a value: --append-system-prompt TEXT; a value that begins with "-" is written --append-system-prompt=-p',
  ],
  [['-p', '--print=yes'], '--print takes no value'],
  [['-p', '--output', 'jsn'], '--output "jsn" is not one of text, json, stream-json; did you mean json?'],
  [['-p', '--wire', 'grpc'], '--wire "grpc" is not one of chat, responses, messages'],
  [['lint', 'list'], '"rein lint" is not in this version yet; as a prompt: rein -p lint'],
  [['lint', '.'], '"rein lint" is not in this version yet; as a prompt: rein -p lint'],
  [['-p', 'fix', 'it'], 'one PROMPT only, then came "it": put the prompt in quotes'],
  [['demo', 'x'], 'unexpected argument "x": rein demo [--keep]'],
])('%j is a mistake', (args, message) => {
  expect(read(...args)).toBe(message);
});

test('whatever the arguments, they are read or told in one line', () => {
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom('-p', '--', '-', '--model', 'context', '--diff', '-c', '--help', '--x=y', '-pc'),
  );
  fc.assert(
    fc.property(fc.array(word), (args) => {
      const line = readCommandLine(args);
      expect(line.type !== 'mistake' || mistakeMessage(line.mistake).length > 0).toBe(true);
    }),
  );
});
