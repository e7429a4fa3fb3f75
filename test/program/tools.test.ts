import { execFile } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { callsThenDone, resultsOf, runCalls } from '../../conformance/rig/tool-results.ts';
import { messagesOf, workspace } from '../../conformance/rig.ts';

const DIST = join(import.meta.dirname, '../../dist');

const TREE = {
  '.gitignore': 'build/\n',
  'build/out.js': 'tally\n',
  'src/a.ts': 'const a = 1;\nlet tally = a;\n',
  'src/deep/b.ts': 'tally\n',
  'README.md': 'No match.\n',
} as const;

test('the first request of the default harness in an empty repository is at most 16 KB with all its tools', async () => {
  const w = await workspace({ '.git/': null }, { harness: 'rein' });
  await w.print(['hello']);
  expect(Buffer.byteLength(JSON.stringify(w.requests()[0]?.json))).toBeLessThanOrEqual(16 * 1024);
});

const SEARCHES = [
  [['glob', { pattern: '*.ts' }]],
  [['glob', { pattern: 'build/**' }]],
  [['grep', { pattern: 'tal+y' }]],
  [['grep', { pattern: 'TALLY', ignore_case: true, glob: 'src/*.ts', context: 1 }]],
  [['grep', { pattern: 'tally', mode: 'count', ignored: true }]],
  [['grep', { pattern: 'a(' }]],
] as const;

const FOUND = [
  'src/a.ts\nsrc/deep/b.ts',
  'build/out.js',
  'src/a.ts\n2: let tally = a;\n\nsrc/deep/b.ts\n1: tally',
  'src/a.ts\n1- const a = 1;\n2: let tally = a;',
  'build/out.js: 1\nsrc/a.ts: 1\nsrc/deep/b.ts: 1',
];

test('files are found by name and by what they hold', async () => {
  const { results } = await runCalls(TREE, SEARCHES);
  expect(results.slice(0, -1)).toEqual(FOUND);
  expect(results.at(-1)).toMatch(/^Error: The search was refused: regex parse error:[\s\S]*unclosed group$/);
});

test('where ripgrep is not installed the same is found without it', async () => {
  const w = await workspace({ '.git/': null, ...TREE }, { harness: 'rein', replies: callsThenDone(SEARCHES) });
  // Nothing beside this copy has packages, and the path has no ripgrep.
  const copy = join(w.root, 'dist');
  cpSync(DIST, copy, { recursive: true });
  const env = w.environment({ PATH: '/nowhere' });
  await promisify(execFile)(process.execPath, [join(copy, 'rein.js'), '-p', 'go'], { cwd: w.project, env });
  expect(resultsOf(w).slice(0, -1)).toEqual(FOUND);
  expect(resultsOf(w).at(-1)).toMatch(/^Error: The search was refused: Invalid regular expression: /);
});

test('kli’s find and search see ignored files, and name paths whole', async () => {
  const calls = [
    [['find', { pattern: '**/*.ts' }]],
    [['find', { pattern: '*' }]],
    [['search', { pattern: 'tally', path: '.' }]],
    [['search', { pattern: 'tally', path: 'src/*.ts', context: 1 }]],
  ] as const;
  const w = await workspace({ '.git/': null, ...TREE }, { harness: 'kli', replies: callsThenDone(calls) });
  await w.print(['go']);
  const at = (path: string): string => w.path(path);
  expect(resultsOf(w)).toEqual([
    [at('src/a.ts'), at('src/deep/b.ts')].join('\n'),
    [at('.gitignore'), at('README.md'), `${at('build')}/`, `${at('src')}/`].join('\n'),
    `${at('build/out.js')}\n*1|tally\n\n${at('src/a.ts')}\n*2|let tally = a;\n\n${at('src/deep/b.ts')}\n*1|tally`,
    `${at('src/a.ts')}\n 1|const a = 1;\n*2|let tally = a;`,
  ]);
});

test('a search says nothing of files that a rule keeps from being read', async () => {
  const { results } = await runCalls(
    { 'a.txt': 'tally\n', 'secret/key.pem': 'tally\n' },
    [[['grep', { pattern: 'tally' }]]],
    {
      args: ['-c', 'permissions.deny=["read(**/*.pem)"]'],
    },
  );
  expect(results).toEqual(['a.txt\n1: tally']);
});

test('a file that a person let be searched is shown, although a rule asks about it', async () => {
  const calls = [
    ['grep', 'a.env'],
    ['grep', '.'],
  ].map(([name = '', path]) => [[name, { pattern: 'tally', path }]] as const);
  const w = await workspace({ '.git/': null, 'a.env': 'tally\n' }, { harness: 'rein', replies: callsThenDone(calls) });
  const session = w.stream(['-c', 'permissions.ask=["read(*.env)"]']);
  session.send({ type: 'prompt', text: 'go' });
  const { id } = await session.until(({ type }) => type === 'permission-request');
  session.send({ type: 'answer', id, value: 'allow' });
  await session.until(({ type }) => type === 'turn-end');
  await session.end();
  expect(resultsOf(w)).toEqual(['a.env\n1: tally', '[no match]']);
});

test('a question reaches whoever answers, and the answer the model', async () => {
  const ask = { question: 'Tabs or spaces?', options: ['tabs', 'spaces'] };
  const w = await workspace({ '.git/': null }, { harness: 'rein', replies: callsThenDone([[['ask', ask]]]) });
  const session = w.stream();
  session.send({ type: 'prompt', text: 'go' });
  const { id, ...asked } = await session.until(({ type }) => type === 'question-request');
  expect(asked).toEqual({
    type: 'question-request',
    question: 'Tabs or spaces?',
    options: [{ label: 'tabs' }, { label: 'spaces' }],
  });
  expect(await session.command({ type: 'answer', id, value: ' ' })).toMatchObject({
    type: 'error',
    code: 'command/invalid',
    message: 'the value of this answer must be a text that is not empty',
  });
  session.send({ type: 'answer', id, value: 'tabs, but only here' });
  await session.until(({ type }) => type === 'turn-end');
  await session.end();
  expect(resultsOf(w)).toEqual(['The user answered: tabs, but only here']);
});

test('where nobody can be asked the run goes on, and the model is told', async () => {
  const { results, ended } = await runCalls({}, [[['ask', { question: 'Which?' }]]]);
  expect(results[0]).toMatch(/^Nobody can be asked in this run\. /);
  expect([ended.code, ended.stdout]).toEqual([0, 'done\n']);
});

test('the list of what is to do is an event of the session, and stays on resume', async () => {
  const todos = [
    { title: 'read', status: 'done' },
    { title: 'write', status: 'in-progress' },
  ];
  const replies = [...callsThenDone([[['todo', { todos }]]]), ...callsThenDone([[['todo', {}]]])];
  const w = await workspace({ '.git/': null }, { harness: 'rein', replies });
  await w.print(['go']);
  await w.print(['--continue', 'go on']);
  expect(resultsOf(w)).toEqual([
    'The list was replaced: 1 in-progress, 1 done.',
    '- [done] read\n- [in-progress] write',
  ]);
  const events = w.sessionLines().filter(({ type }) => type === 'todos');
  expect(events.map(({ items }) => items)).toEqual([todos.map((todo, index) => ({ id: String(index + 1), ...todo }))]);
});

async function site(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

test('a page of this machine is fetched only from a host that the user allowed; no key goes with it', async () => {
  const seen: unknown[] = [];
  const url = await site(({ url: target, headers }, response) => {
    seen.push([target, Object.keys(headers).sort()]);
    if (target === '/moved') return response.writeHead(302, { location: '/page' }).end();
    if (target === '/away') return response.writeHead(301, { location: 'http://elsewhere.invalid/x' }).end();
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>T</title><p>Hello <b>you</b>.');
  });
  const calls = ['/moved', '/away'].map((path) => [['fetch', { url: url + path }]] as const);
  const env = { REIN_API_KEY: 'key-of-this-run' };
  const refused = await runCalls({}, calls, { env });
  const why = 'leads to 127.0.0.1, an address of this machine or of a private network, which is not fetched.';
  expect(refused.results.every((result) => result.includes(why))).toBe(true);
  expect(seen).toEqual([]);
  const allowed = await runCalls({}, calls, { env, args: ['-c', 'web.allow_private_hosts=["127.0.0.1"]'] });
  expect(allowed.results).toEqual([
    `[${url}/page: text/html as Markdown]\n# T\n\nHello you.`,
    `[${url}/away answered 301 and leads to http://elsewhere.invalid/x. That was not fetched; fetch it if you need it.]`,
  ]);
  const names = ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'];
  expect(seen).toEqual(['/moved', '/page', '/away'].map((target) => [target, names]));
});

test('a host is another permission: a person is asked for each', async () => {
  const url = await site((_, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end('text'));
  const replies = callsThenDone([[['fetch', { url }]]]);
  const w = await workspace({ '.git/': null }, { harness: 'rein', replies });
  const session = w.stream(['--permission-mode', 'ask', '-c', 'web.allow_private_hosts=["127.0.0.1"]']);
  session.send({ type: 'prompt', text: 'go' });
  const request = await session.until(({ type }) => type === 'permission-request');
  expect(request).toMatchObject({ tool: 'fetch', subjects: ['connect 127.0.0.1'], rules: ['fetch(127.0.0.1)'] });
  session.send({ type: 'answer', id: request.id, value: 'allow' });
  await session.until(({ type }) => type === 'turn-end');
  await session.end();
  expect(resultsOf(w)).toEqual([`[${url}/: text/plain]\ntext`]);
});

test('a text too long for a result is kept whole where the model can read it', async () => {
  const text = Array.from({ length: 20_000 }, (_, index) => `line ${index}\n`).join('');
  const url = await site((_, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(text));
  const { w, results } = await runCalls({}, [[['fetch', { url }]]], {
    args: ['-c', 'web.allow_private_hosts=["127.0.0.1"]'],
  });
  const spill = /; the whole text is in (\S+)\]$/.exec(results[0] ?? '')?.[1] ?? '';
  expect(readFileSync(spill, 'utf8')).toBe(text);
  expect(spill.startsWith(join(w.home, '.local/state/rein/sessions'))).toBe(true);
  expect(messagesOf(w.requests().at(-1)).length).toBe(3);
});
