import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { PROGRAM, untilEnd } from '../../conformance/rig/program.ts';
import { workspace } from '../../conformance/rig.ts';

/** What the entry loads before it knows the command: itself and its static imports, in bytes; and Node's modules. */
function entryClosure(): { bytes: number; builtIn: string[] } {
  const files = new Set<string>();
  const builtIn = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    const source = readFileSync(file, 'utf8');
    for (const [, from, bare] of source.matchAll(/^import[^"(]*? from "([^"]+)";|^import "([^"]+)";/gm)) {
      const path = from ?? bare ?? '';
      if (path.startsWith('.')) visit(join(dirname(file), path));
      else builtIn.add(path);
    }
  };
  visit(PROGRAM);
  return { bytes: [...files].reduce((sum, file) => sum + statSync(file).size, 0), builtIn: [...builtIn] };
}

test('--version and --help load at most 20 KB, and of Node what reads the arguments', () => {
  const { bytes, builtIn } = entryClosure();
  expect(bytes).toBeLessThanOrEqual(20 * 1024);
  expect(builtIn).toEqual(['node:util']);
});

test('--version and --help answer on stdout', async () => {
  const w = await workspace({ '.git/': null });
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    version: string;
  };
  expect(await w.run(['--version'])).toEqual({ code: 0, signal: null, stdout: `rein ${version}\n`, stderr: '' });
  for (const args of [['--help'], ['context', '--help'], ['rehearsal', '-h']]) {
    const { code, stdout, stderr } = await w.run(args);
    expect([code, stdout.split('\n')[0]?.slice(0, 12), stderr]).toEqual([0, 'Usage: rein ', '']);
  }
});

test('rein context --diff says what another harness would send', async () => {
  const w = await workspace({ '.git/': null, 'AGENTS.md': 'RULES' });
  const { code, stdout, stderr } = await w.run(['context', '--diff', 'kli', 'rein']);
  expect([code, stderr, stdout.split('\n')[0]?.startsWith('kli → rein: ')]).toEqual([0, '', true]);
  const path = w.path('AGENTS.md');
  expect(stdout.split('\n').filter((line) => line.includes(path))).toEqual([
    `> context-file:${path}  system → history, 5 B`,
  ]);
});

test('rein context --session shows what a stored request was sent, after the file has changed', async () => {
  const w = await workspace({ '.git/': null, 'AGENTS.md': 'BEFORE' });
  await w.print(['hello']);
  const id = String(w.sessionLines()[0]?.id);
  w.write('AGENTS.md', 'AFTERWARDS');
  const { stdout } = await w.run(['context', '--session', id.slice(0, 12), '--request', '1', '--body']);
  expect(stdout).toBe(w.requests()[0]?.body);
  const missing = await w.run(['context', '--session', id, '--request', '2']);
  expect([missing.code, missing.stdout, missing.stderr.match(/\n/g)?.length]).toEqual([2, '', 1]);
});

test('rein rehearsal serve plays a script until a signal, and tells what was not as expected', async () => {
  const w = await workspace({
    '.git/': null,
    'script.yaml': '- text: played\n- expect: { last_user: goodbye }\n  text: never said\n',
  });
  const child = spawn(process.execPath, [PROGRAM, 'rehearsal', 'serve', 'script.yaml'], {
    cwd: w.project,
    env: w.environment(),
    stdio: 'pipe',
  });
  const url = await new Promise<string>((resolve) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
  });
  const env = { REIN_BASE_URL: url };
  const first = await w.run(['-p', 'hello'], { env });
  const second = await w.run(['-p', 'hello'], { env });
  child.kill('SIGTERM');
  const { code, stderr } = await untilEnd(child);
  expect([first.code, first.stdout, second.code, code]).toEqual([0, 'played\n', 1, 1]);
  expect(stderr).toMatch(/^rein: .*last_user/m);
});

test('a script that is none is one line with its place, and exit code 2', async () => {
  const w = await workspace({ '.git/': null, 'script.yaml': '- txt: hello\n' });
  const { code, stderr } = await w.run(['rehearsal', 'serve', 'script.yaml']);
  expect([code, stderr.includes(`${w.path('script.yaml')}:1:3`)]).toEqual([2, true]);
});

test('rein demo repairs the sample, shows the pieces, and leaves nothing behind', async () => {
  const w = await workspace({ './': null, 'tmp/': null });
  const started = performance.now();
  const { code, stdout, stderr } = await w.run(['demo'], {
    env: { TMPDIR: w.path('tmp'), REIN_BASE_URL: '', REIN_MODEL: '' },
  });
  expect([code, stderr]).toEqual([0, '']);
  expect(performance.now() - started).toBeLessThan(10_000);
  for (const words of [
    /The model: a script/,
    /→ edit src\/pricing\/line-total\.js/,
    /# fail 2/,
    /# fail 0/,
    /the tests pass/,
    /System prompt/,
    /AGENTS\.md \[project\]/,
    /--base-url/,
  ]) {
    expect(stdout).toMatch(words);
  }
  expect([readdirSync(w.path('tmp')), existsSync(w.path('~/.local'))]).toEqual([[], false]);
});
