import { expect, test } from 'vitest';
import { FakeStdio } from '../../test/rig/fake-stdio.ts';
import { readCommandLine, runCommandLine } from './commands-program.ts';

async function run(args: readonly string[], stdio = new FakeStdio()) {
  const line = readCommandLine(args);
  if (line.type === 'help' || line.type === 'version') throw new TypeError(line.type);
  const code = await runCommandLine(line, stdio);
  return { code, stdout: stdio.output.text, stderr: stdio.errors.text };
}

test.each<[args: string[], stderr: string]>([
  [['--modle'], 'rein: unknown option --modle: did you mean --model?\n'],
  [['lint'], 'rein: "rein lint" is not in this version yet; as a prompt: rein -p lint\n'],
  [['config', 'shwo'], 'rein: "rein config": "shwo" is not one of show, path, schema; did you mean show?\n'],
  [['completion', 'powershell'], 'rein: "rein completion": "powershell" is not one of bash, zsh, fish\n'],
  [['completion'], 'rein: usage: rein completion bash | zsh | fish\n'],
  [['doctor', 'x'], 'rein: unexpected argument "x": rein doctor [--online] [--json] [OPTIONS]\n'],
  [['doctor', '--cwd', '/nosuch'], 'rein: cannot work in /nosuch: there is no such directory\n'],
  [['-p', '--continue', '--no-session', 'x'], 'rein: --continue and --no-session cannot be given together\n'],
  [['context', 'x'], 'rein: unexpected argument "x": rein context takes options only\n'],
  [['context', '--json', '--body'], 'rein: --json and --body cannot be given together\n'],
  [['context', '--body', '--diff', 'a', 'b'], 'rein: --body and --diff cannot be given together\n'],
  [['context', '--request', '1'], 'rein: --request N needs --session ID\n'],
  [
    ['context', '--diff', 'a'],
    'rein: --diff compares two: rein context --diff HARNESS HARNESS, or with --session ID: --diff N N\n',
  ],
  [
    ['context', '--session', 's', '--diff', '1', 'two'],
    'rein: --diff with --session compares requests by number, from 1: not "two"\n',
  ],
  [['rehearsal', 'serve'], 'rein: usage: rein rehearsal serve FILE [--wire chat] [--port N]\n'],
  [['rehearsal', 'serve', 'f', '--port', '70000'], 'rein: --port "70000" is not a whole number from 0 to 65535\n'],
])('%j is one line on stderr and exit code 2', async (args, stderr) => {
  expect(await run(args)).toEqual({ code: 2, stdout: '', stderr });
});

test('output that could not be written is a failure', async () => {
  const stdio = new FakeStdio();
  stdio.failure = 'no space left on device';
  expect(await run(['--modle'], stdio)).toMatchObject({ code: 2 });
  expect(stdio.errors.text).toMatch(/\nrein: cannot write to stdout: no space left on device\n$/);
});
