import { expect, test } from 'vitest';
import { type FakeInput, FakeStdio } from '../../test/rig/fake-stdio.ts';
import { readPrompt } from './prompt-input.ts';

/** The prompt or the error's message, what was said on the way, and how stdin was treated. */
async function promptOf(argument: string | null, input: FakeInput, limit?: number): Promise<unknown> {
  const stdio = new FakeStdio({ input });
  const said: string[] = [];
  const waits: number[] = [];
  const prompt = await readPrompt(stdio.input, {
    argument,
    ...(limit === undefined ? {} : { limit }),
    say: (line) => said.push(line),
    wait: (ms) => {
      waits.push(ms);
      return new Promise((resolve) => setImmediate(resolve));
    },
  }).catch((error: Error) => error);
  return { prompt: prompt instanceof Error ? prompt.message : prompt, said, waits, reads: stdio.input.reads > 0 };
}

const quiet = { said: [], waits: [100], reads: true };

test('an argument with nothing on stdin is the prompt', async () => {
  expect(await promptOf('fix it', {})).toEqual({ prompt: 'fix it', ...quiet });
});

test('piped text alone is the prompt, without its last newlines', async () => {
  expect(await promptOf(null, { chunks: ['fix\n', ' it\r\n\n'] })).toEqual({ prompt: 'fix\n it', ...quiet });
});

test('piped text follows the argument after a blank line', async () => {
  expect(await promptOf('explain', { chunks: ['a\n', 'b\n'] })).toEqual({ prompt: 'explain\n\na\nb', ...quiet });
});

test('blank piped text counts as none', async () => {
  expect(await promptOf('fix it', { chunks: [' \n\n'] })).toEqual({ prompt: 'fix it', ...quiet });
});

test('a stdin that is open and silent is ignored, with a line that says so, once what came meanwhile was looked for', async () => {
  expect(await promptOf('fix it', { open: true })).toEqual({
    prompt: 'fix it',
    ...quiet,
    waits: [100, 1, 1],
    said: ['stdin was ignored: it is open and was silent for 100 ms (PROMPT "-" waits for it)'],
  });
});

test.each([null, '-'])(
  'without a prompt of its own (%s) it waits for a silent stdin, and says so',
  async (argument) => {
    const stdio = new FakeStdio({ input: { open: true } });
    const said: string[] = [];
    const prompt = readPrompt(stdio.input, { argument, say: (line) => said.push(line), wait: async () => undefined });
    await new Promise((resolve) => setImmediate(resolve));
    expect(said).toEqual(['waiting for the prompt on stdin']);
    stdio.input.send('late');
    await new Promise((resolve) => setImmediate(resolve));
    stdio.input.end();
    expect(await prompt).toBe('late');
  },
);

test('a terminal is not read where there is an argument', async () => {
  expect(await promptOf('fix it', { terminal: true, open: true })).toEqual({
    prompt: 'fix it',
    said: [],
    waits: [],
    reads: false,
  });
});

test('a terminal is read for the prompt "-"', async () => {
  expect(await promptOf('-', { terminal: true, chunks: ['typed\n'] })).toEqual({ prompt: 'typed', ...quiet });
});

const missing = 'no prompt: give it as an argument (rein -p "…") or pipe it in';

test.each([
  ['an empty stdin', null, {}],
  ['a terminal', null, { terminal: true, open: true }],
  ['blank text', ' ', { chunks: ['\n'] }],
])('no prompt in %s is a usage error', async (_where, argument, input) => {
  expect(await promptOf(argument, input)).toMatchObject({ prompt: missing });
});

test('a slash at the beginning is text', async () => {
  expect(await promptOf('/help me', {})).toEqual({ prompt: '/help me', ...quiet });
});

test('characters cut between two chunks are whole, other bytes are told', async () => {
  const euro = Buffer.from('€');
  expect(await promptOf(null, { chunks: [euro.subarray(0, 1), euro.subarray(1)] })).toEqual({ prompt: '€', ...quiet });
  expect(await promptOf(null, { chunks: [new Uint8Array([0x61, 0xff])] })).toEqual({
    prompt: 'a\ufffd',
    ...quiet,
    said: ['stdin is not all UTF-8: what could not be read became U+FFFD'],
  });
});

test('more than the limit is a usage error, and nothing more is read', async () => {
  expect(await promptOf('x', { chunks: ['12345', '6'], open: true }, 5)).toEqual({
    prompt: 'stdin holds more than 5 bytes: put it in a file and name the file',
    ...quiet,
  });
});
