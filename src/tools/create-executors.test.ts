import { expect, test } from 'vitest';
import { createMemoryHost } from '../host/memory/index.ts';
import type { Executor } from './contract/index.ts';
import { createExecutors } from './index.ts';
import { testContext } from './test-context.ts';

const executors = createExecutors() as ReadonlyMap<string, Executor<unknown, unknown>>;

test('the set has each tool under its name, with its effect', () => {
  expect([...executors].map(([key, { name, effect }]) => [key, name, effect])).toEqual([
    ['read', 'read', 'read'],
    ['edit', 'edit', 'write'],
    ['write', 'write', 'write'],
    ['shell', 'shell', 'execute'],
    ['glob', 'glob', 'read'],
    ['grep', 'grep', 'read'],
    ['todo', 'todo', 'none'],
    ['ask', 'ask', 'none'],
    ['pushd', 'pushd', 'read'],
    ['popd', 'popd', 'none'],
    ['fetch', 'fetch', 'network'],
    ['search_web', 'search_web', 'network'],
    ['write_plan', 'write_plan', 'none'],
    ['edit_plan', 'edit_plan', 'none'],
    ['plan_mode', 'plan_mode', 'none'],
    ['handoff', 'handoff', 'none'],
    ['start', 'start', 'execute'],
    ['jobs', 'jobs', 'none'],
    ['agent', 'agent', 'none'],
    ['message', 'message', 'none'],
    ['exit', 'exit', 'none'],
  ]);
});

test('a call names what it touches, paths from the working directory made absolute', () => {
  const subjects = (name: string, args: unknown): unknown => executors.get(name)?.subjects(args, '/w/d');
  expect([
    subjects('read', { path: '../a' }),
    subjects('edit', { path: 'x/./y', edits: [] }),
    subjects('write', { path: '/etc/passwd', content: '' }),
    subjects('shell', { command: 'ls' }),
    subjects('glob', { pattern: '../x/**/y', path: 'src' }),
    subjects('glob', { pattern: '/etc/*' }),
    subjects('glob', { pattern: '*/../../..' }),
    subjects('grep', { pattern: 'a' }),
    subjects('grep', { pattern: 'a', path: '/etc' }),
    subjects('glob', { pattern: '*.ts', paths: ['src', '../x'] }),
    subjects('grep', { pattern: 'a', paths: ['src', '/etc'] }),
    subjects('pushd', { path: '../a' }),
    subjects('popd', {}),
    subjects('todo', {}),
    subjects('ask', { questions: [] }),
    subjects('fetch', { url: 'https://Example.org.:8443/a' }),
    subjects('fetch', { url: 'http://[::1]/' }),
    subjects('fetch', { url: 'nowhere' }),
  ]).toEqual([
    [{ type: 'path', path: '/w/a', access: 'read' }],
    [{ type: 'path', path: '/w/d/x/y', access: 'write' }],
    [{ type: 'path', path: '/etc/passwd', access: 'write' }],
    [{ type: 'command', command: 'ls' }],
    [{ type: 'path', path: '/w/d/x', access: 'read' }],
    [{ type: 'path', path: '/etc', access: 'read' }],
    [{ type: 'path', path: '/w/d', access: 'read' }],
    [{ type: 'path', path: '/w/d', access: 'read' }],
    [{ type: 'path', path: '/etc', access: 'read' }],
    [
      { type: 'path', path: '/w/d/src', access: 'read' },
      { type: 'path', path: '/w/x', access: 'read' },
    ],
    [
      { type: 'path', path: '/w/d/src', access: 'read' },
      { type: 'path', path: '/etc', access: 'read' },
    ],
    [{ type: 'path', path: '/w/a', access: 'read' }],
    [],
    [],
    [],
    [{ type: 'host', host: 'example.org' }],
    [{ type: 'host', host: '[::1]' }],
    [],
  ]);
});

test('each tool runs', async () => {
  const host = createMemoryHost({
    files: { '/w/a': 'x' },
    sleep: 'manual',
    processes: () => ({ output: ['hello\n'] }),
  });
  const context = testContext(host);
  const run = (name: string, args: unknown): Promise<unknown> | undefined => executors.get(name)?.run(args, context);
  expect(await run('read', { path: 'a' })).toMatchObject({ value: { kind: 'text', text: 'x' } });
  expect(await run('edit', { path: 'a', edits: [] })).toMatchObject({ error: { code: 'edit/not-read' } });
  expect(await run('write', { path: 'b', content: 'y' })).toMatchObject({ value: { created: true } });
  expect(await run('shell', { command: 'x' })).toMatchObject({ value: { exitCode: 0, head: 'hello\n' } });
  expect(await run('glob', { pattern: 'a' })).toMatchObject({ value: { total: 1 } });
  expect(await run('grep', { pattern: 'x' })).toMatchObject({ value: { files: [{ path: 'a' }] } });
  expect(await run('todo', {})).toMatchObject({ value: { items: [], changed: false } });
  expect(await run('ask', { questions: [{ question: 'x' }] })).toMatchObject({ value: { ended: 'nobody' } });
  expect(await run('fetch', { url: 'http://127.0.0.1/' })).toMatchObject({ error: { code: 'fetch/private' } });
  expect(host.process.spawned.map(({ file, args, cwd }) => ({ file, args, cwd }))).toEqual([
    { file: '/bin/sh', args: ['-c', '--', 'exec 2>&1; x'], cwd: '/w' },
  ]);
});
