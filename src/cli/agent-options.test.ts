import { expect, test } from 'vitest';
import { FakeStdio } from '../../test/rig/fake-stdio.ts';
import { agentOptions } from './agent-options.ts';
import { readCommandLine } from './command-line.ts';
import { printJob } from './commands/print.ts';

function given(...args: string[]) {
  const line = readCommandLine(args);
  if (line.type !== 'run') throw new TypeError(`not a run: ${line.type}`);
  return line;
}

const options = (...args: string[]) => agentOptions(given('-p', ...args).options);

function messageOf(run: () => unknown): string {
  try {
    return JSON.stringify(run());
  } catch (error) {
    return (error as Error).message;
  }
}

test('nothing given is nothing set', () => {
  expect(options()).toEqual({});
});

test('every option reaches its field', () => {
  const args =
    '--harness h --model p/m/x --base-url http://x --wire chat --effort any -C d -c a.b=1 -c c=d --permission-mode yolo';
  expect(options(...args.split(' '), '--tools', 'read, edit,', '--max-turns', '3', '--no-session')).toEqual({
    harness: 'h',
    model: 'p/m/x',
    baseUrl: 'http://x',
    wire: 'chat',
    effort: 'any',
    cwd: 'd',
    config: ['a.b=1', 'c=d'],
    permissionMode: 'yolo',
    tools: ['read', 'edit'],
    maxTurns: 3,
    session: { type: 'none' },
  });
});

test('of an option that does not repeat the last one counts', () => {
  expect(options('--model', 'a/b', '--model', 'c/d', '--system-prompt', 'one', '--system-prompt', 'two')).toEqual({
    model: 'c/d',
    systemPrompt: { text: 'two' },
  });
});

test('texts and files to append keep the order in which they were given', () => {
  expect(
    options('--append-system-prompt', 'ONE', '--append-system-prompt-file', 'f.md', '--append-system-prompt', 'TWO'),
  ).toEqual({ appendSystemPrompts: [{ text: 'ONE' }, { file: 'f.md' }, { text: 'TWO' }] });
});

test.each<[args: string[], session: object]>([
  [['--continue'], { type: 'continue' }],
  [['--resume', 'abc'], { type: 'resume', id: 'abc' }],
  [['--fork', 'abc'], { type: 'fork', id: 'abc' }],
])('%j chooses the session', (args, session) => {
  expect(options(...args)).toEqual({ session });
});

test.each<[args: string[], message: string]>([
  [['--continue', '--resume', 'x'], '--continue and --resume cannot be given together'],
  [['--fork', 'x', '--no-session'], '--fork and --no-session cannot be given together'],
  [
    ['--system-prompt', 'x', '--system-prompt-file', 'y'],
    '--system-prompt and --system-prompt-file cannot be given together',
  ],
  [['--max-turns', '0'], '--max-turns "0" is not a whole number from 1'],
  [['--max-turns', '1e3'], '--max-turns "1e3" is not a whole number from 1'],
  [['--base-url='], '--base-url is empty'],
])('%j is refused', (args, message) => {
  expect(messageOf(() => options(...args))).toBe(message);
});

const job = (args: string[], terminal = false) =>
  printJob({ ...given(...args), stdio: new FakeStdio({ input: { terminal }, outputTerminal: terminal }) });

test('print mode reads its prompt, and streams where its input does', () => {
  expect(job(['-p', 'hi'])).toEqual({ output: 'text', input: { type: 'prompt', argument: 'hi' }, options: {} });
  expect(job(['-p', '--output', 'json'])).toEqual({
    output: 'json',
    input: { type: 'prompt', argument: null },
    options: {},
  });
  expect(job(['-p', '--input', 'stream-json'])).toEqual({
    output: 'stream-json',
    input: { type: 'commands' },
    options: {},
  });
});

test('without a terminal, no -p is needed', () => {
  expect(job(['hi'])).toEqual({ output: 'text', input: { type: 'prompt', argument: 'hi' }, options: {} });
});

test.each<[args: string[], terminal: boolean, message: string]>([
  [[], true, 'the interactive terminal is not in this version yet; run one prompt with: rein -p "PROMPT"'],
  [['fix it'], true, 'the interactive terminal is not in this version yet; run one prompt with: rein -p "PROMPT"'],
  [['contxt'], false, 'unknown command "contxt": did you mean "rein context"? As a prompt: rein -p contxt'],
  [
    ['-p', '--input', 'stream-json', '--output', 'json'],
    false,
    '--input stream-json answers with --output stream-json, not json',
  ],
  [
    ['-p', '--input', 'stream-json', 'x'],
    false,
    '--input stream-json takes no PROMPT: send {"type":"prompt","text":"…"} on stdin instead',
  ],
])('%j (terminal: %s) is refused', (args, terminal, message) => {
  expect(messageOf(() => job(args, terminal))).toBe(message);
});

test('a short word, or several, are a prompt even where they resemble a command', () => {
  expect(job(['acq']).input).toEqual({ type: 'prompt', argument: 'acq' });
  expect(job(['contxt is broken']).input).toEqual({ type: 'prompt', argument: 'contxt is broken' });
});
