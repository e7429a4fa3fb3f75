import { describe, expect, test } from 'vitest';
import { type ChildProcess, ProcessError } from '../index.ts';
import { createNodeProcess } from './node-process.ts';

const port = createNodeProcess();

function sh(command: string, env: Record<string, string> = {}): Promise<ChildProcess> {
  return port.spawn({
    file: '/bin/sh',
    args: ['-c', command],
    cwd: '/',
    env: { PATH: process.env.PATH ?? '', ...env },
  });
}

async function readAll(child: ChildProcess): Promise<{ stdout: string; stderr: string }> {
  const text = { stdout: '', stderr: '' };
  for await (const { stream, bytes } of child.output) text[stream] += Buffer.from(bytes).toString('utf8');
  return text;
}

async function until(holds: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (holds()) return true;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return false;
}

describe('a child', () => {
  test('has its output and its exit told apart by stream and code', async () => {
    const child = await sh('echo out; echo err >&2; exit 3');
    expect(await readAll(child)).toEqual({ stdout: 'out\n', stderr: 'err\n' });
    expect(await child.exited).toEqual({ code: 3, signal: null });
  });

  test('has no input, no terminal, and a session of its own', async () => {
    const child = await sh(
      'cat; (: </dev/tty) 2>/dev/null || echo no terminal; cut -d" " -f5,6 /proc/$$/stat; echo $$',
    );
    const { stdout } = await readAll(child);
    expect(stdout).toBe(`no terminal\n${child.pid} ${child.pid}\n${child.pid}\n`);
  });

  test('has exactly the given environment', async () => {
    const child = await port.spawn({ file: '/usr/bin/env', args: [], cwd: '/', env: { ONE: '1', TWO: 'zwei ü' } });
    expect(await readAll(child)).toEqual({ stdout: 'ONE=1\nTWO=zwei ü\n', stderr: '' });
  });

  test('that cannot be started is an error that says why', async () => {
    const failure = async (file: string, cwd: string, args: string[] = []): Promise<unknown> => {
      const error = await port.spawn({ file, args, cwd, env: {} }).catch((caught: unknown) => caught);
      return error instanceof ProcessError ? [error.code, error.data] : error;
    };
    expect(await failure('/none', '/')).toEqual(['process/enoent', { file: '/none', cwd: '/', systemCode: 'ENOENT' }]);
    expect(await failure('/bin/sh', '/none')).toEqual([
      'process/enoent',
      { file: '/bin/sh', cwd: '/none', systemCode: 'ENOENT' },
    ]);
    expect(await failure('/bin/echo', '/', ['x'.repeat(3_000_000)])).toEqual([
      'process/e2big',
      { file: '/bin/echo', cwd: '/', systemCode: 'E2BIG' },
    ]);
  });

  test('is waited with while nobody reads what it writes', async () => {
    const child = await sh('yes | head -c 50000000; echo done >&2');
    const chunks = child.output[Symbol.asyncIterator]();
    await chunks.next();
    const before = process.memoryUsage().arrayBuffers;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8_000_000);
    let size = 0;
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next())
      size += next.value.bytes.length;
    expect(size).toBeGreaterThan(49_000_000);
  });
});

describe('the end of a group', () => {
  test('comes to children of children, and to groups they opened', async () => {
    const child = await sh('sleep 60 & timeout 60 sleep 60 & echo ready; wait');
    const chunks = child.output[Symbol.asyncIterator]();
    await chunks.next();
    expect([child.groupAlive(), child.killGroup('SIGKILL')]).toEqual([true, true]);
    expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' });
    expect(await until(() => !child.groupAlive())).toBe(true);
    expect(child.killGroup('SIGKILL')).toBe(false);
    expect((await chunks.next()).done).toBe(true);
  });

  test('is not the end of its first process', async () => {
    const child = await sh('sleep 60 & echo up');
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(child.groupAlive()).toBe(true);
    child.detachOutput();
    expect(await readAll(child)).toEqual({ stdout: 'up\n', stderr: '' });
    child.killGroup('SIGKILL');
    expect(await until(() => !child.groupAlive())).toBe(true);
  });

  test('is not caused by detaching from its output', async () => {
    const child = await sh('(while sleep 0.01; do echo tick; done) & echo up');
    await child.exited;
    child.detachOutput();
    await readAll(child);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(child.groupAlive()).toBe(true);
    child.killGroup('SIGKILL');
    expect(await until(() => !child.groupAlive())).toBe(true);
  });
});

describe('a mark', () => {
  const mark = { variable: 'MARK', value: 'm1' };
  const start = (command: string, value = mark.value): Promise<ChildProcess> => {
    const env = { PATH: process.env.PATH ?? '' };
    return port.spawn({ file: '/bin/sh', args: ['-c', command], cwd: '/', env, mark: { ...mark, value } });
  };

  test('finds what left group and session, by number and name, and ends it with the rest', async () => {
    const child = await start('echo $MARK; setsid sleep 60 </dev/null >/dev/null 2>&1 &');
    expect(await readAll(child)).toEqual({ stdout: 'm1\n', stderr: '' });
    expect(await until(() => child.living().some(({ name }) => name === 'sleep'))).toBe(true);
    expect([child.groupAlive(), child.killGroup('SIGKILL')]).toEqual([true, true]);
    expect(await until(() => !child.groupAlive())).toBe(true);
    expect(child.living()).toEqual([]);
  });

  test('that nests is found by its beginning; a longer one is another', async () => {
    const stranger = await start('exec sleep 61', 'm12');
    const child = await start('MARK=m1,m2 setsid sleep 60 & wait');
    const names = (): string =>
      child
        .living()
        .map(({ name }) => name)
        .join();
    expect(await until(() => names() === 'sh,sleep')).toBe(true);
    expect(child.living().map(({ pid }) => pid)).not.toContain(stranger.pid);
    child.killGroup('SIGKILL');
    expect(stranger.groupAlive()).toBe(true);
    stranger.killGroup('SIGKILL');
  });
});

describe('an identity', () => {
  test('is alive as long as exactly that process is', async () => {
    const self = await port.self();
    expect(self.pid).toBe(process.pid);
    expect({
      self: await port.isAlive(self),
      otherBoot: await port.isAlive({ ...self, bootId: 'another' }),
      otherStart: await port.isAlive({ ...self, startTime: '1' }),
      unknown: await port.isAlive({ ...self, bootId: null, startTime: null }),
      group: await port.isAlive({ ...self, pid: 0 }),
      everybody: await port.isAlive({ ...self, pid: -1 }),
    }).toEqual({ self: true, otherBoot: false, otherStart: false, unknown: true, group: false, everybody: false });
  });

  test('of a process that ended is not alive', async () => {
    const child = await sh('exit 0');
    await child.exited;
    expect(await port.isAlive({ pid: child.pid, bootId: null, startTime: null })).toBe(false);
  });
});
