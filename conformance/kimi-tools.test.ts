import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { type RehearsalReply, reply } from '../src/testing/index.ts';
import { bodyOf, messagesOf, toolNamesOf, type Workspace, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

const YOLO = ['--permission-mode', 'yolo'];
const OK: RehearsalReply = { text: 'ok', repeat: true };

type Given = readonly [name: string, args: Readonly<Record<string, unknown>>];

function kimi(calls: readonly Given[], tree: Parameters<typeof workspace>[0] = {}): Promise<Workspace> {
  const replies = calls.map(([name, args]) => reply.calls([{ name, arguments: { ...args } }]));
  return workspace({ '.git/': null, ...tree }, { harness: 'kimi-cli', replies: [...replies, OK] });
}

/** What came back of each call: one text, or the texts of its parts. */
function results(w: Workspace): unknown[] {
  return messagesOf(w.requests().at(-1))
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => {
      const parts: unknown = content;
      return Array.isArray(parts) ? parts.map(({ text }: { text: string }) => text) : parts;
    });
}

verifies('M5', 'these tools are offered with exactly these schemas', async () => {
  const w = await kimi([]);
  await w.print(['hello']);
  const names = ['AskUserQuestion', 'SetTodoList', 'FetchURL'];
  const tools = (bodyOf(w.requests()[0]).tools ?? []).filter(({ function: { name } }) => names.includes(name));
  await expect(`${JSON.stringify(tools, null, 2)}\n`).toMatchFileSnapshot('./goldens/kimi-tools.txt');
});

verifies('M5', 'SetTodoList puts a list in place, gives it back, and clears it', async () => {
  const w = await kimi([
    ['SetTodoList', {}],
    [
      'SetTodoList',
      {
        todos: [
          { title: 'parse', status: 'in_progress' },
          { title: 'test', status: 'pending' },
        ],
      },
    ],
    ['SetTodoList', { todos: null }],
    ['SetTodoList', { todos: [] }],
    ['SetTodoList', {}],
    ['SetTodoList', { todos: [{ title: '', status: 'done' }] }],
  ]);
  await w.print(['go']);
  expect(results(w)).toEqual([
    'Todo list is empty.',
    ['<system>Todo list updated</system>', 'Todo list updated'],
    'Current todo list:\n- [in_progress] parse\n- [pending] test',
    ['<system>Todo list updated</system>', 'Todo list updated'],
    'Todo list is empty.',
    '<system>ERROR: Error validating JSON arguments: todos[0].title must not be empty</system>',
  ]);
});

const QUESTIONS = {
  questions: [
    { question: 'Which?', options: [{ label: 'A', description: 'the first' }, { label: 'B' }] },
    { question: 'What else?', header: 'More', options: [{ label: 'C' }, { label: 'D' }], multi_select: true },
  ],
};

verifies('M5', 'AskUserQuestion gives the answers by their questions', async () => {
  const w = await kimi([['AskUserQuestion', QUESTIONS]]);
  const s = w.stream();
  s.send({ type: 'prompt', text: 'go' });
  const first = await s.until(({ type }) => type === 'question-request');
  s.send({ type: 'answer', id: first.id, value: 'B' });
  const second = await s.until(({ type }) => type === 'question-request');
  s.send({ type: 'answer', id: second.id, value: ['C', 'D'] });
  await s.until(({ type }) => type === 'turn-end');
  await s.end();
  expect(results(w)).toEqual([
    ['<system>User has answered.</system>', '{"answers":{"Which?":"B","What else?":"C, D"}}'],
  ]);
});

verifies('M5', 'where nobody can be asked AskUserQuestion says so', async () => {
  const w = await kimi([
    ['AskUserQuestion', QUESTIONS],
    ['AskUserQuestion', { questions: [] }],
  ]);
  await w.print(['go']);
  expect(results(w)).toEqual([
    '{"answers":{},"note":"Nobody is there to answer in this run. Decide yourself what is most sensible, say what you took, and go on."}',
    '<system>ERROR: Error validating JSON arguments: questions must have at least 1 entries</system>',
  ]);
});

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function serve(handler: Handler): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

verifies('M5', 'FetchURL tells what of a page it gives, and why it gives none', async () => {
  const url = await serve(({ url: path }, response) => {
    if (path === '/plain') return response.writeHead(200, { 'content-type': 'text/plain' }).end('one\ntwo\n');
    if (path === '/page') {
      response.writeHead(200, { 'content-type': 'text/html' });
      return response.end('<html><body><h1>Title</h1><p>Text.</p></body></html>');
    }
    if (path === '/empty') return response.writeHead(200, { 'content-type': 'text/plain' }).end();
    if (path === '/script') {
      return response.writeHead(200, { 'content-type': 'text/html' }).end('<html><script>x()</script></html>');
    }
    if (path === '/long') {
      return response.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(60_000));
    }
    return response.writeHead(404).end();
  });
  const paths = ['plain', 'page', 'empty', 'script', 'long', 'none'];
  const w = await kimi(paths.map((path) => ['FetchURL', { url: `${url}/${path}` }] as const));
  await w.print([...YOLO, '-c', 'web.allow_private_hosts=["127.0.0.1"]', 'go']);
  expect(
    results(w).map((each) => (Array.isArray(each) ? each.map((text) => String(text).slice(0, 120)) : each)),
  ).toEqual([
    ['<system>The returned content is the full content of the page.</system>', 'one\ntwo\n'],
    [
      '<system>The returned content is the main content extracted from the page.</system>',
      expect.stringMatching(/^# Title\s+Text\.\s*$/),
    ],
    '<system>The response body is empty.</system>',
    '<system>ERROR: No meaningful content could be extracted from the page. It may need JavaScript to show any.</system>',
    [
      '<system>The returned content is the full content of the page. Output is truncated to fit in the message.</system>',
      'x'.repeat(120),
    ],
    '<system>ERROR: Failed to fetch URL. Status: 404. The page may be gone, or may refuse to be read this way.</system>',
  ]);
});

verifies(
  'M5',
  'SearchWeb is offered only where a service is configured, asks it with the key, and shows what it found',
  async () => {
    const asked: { key: string | undefined; body: unknown }[] = [];
    const url = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        asked.push({ key: request.headers.authorization, body: JSON.parse(Buffer.concat(chunks).toString()) });
        const found = (title: string, content?: string) => ({
          ...{ title, url: `https://example.org/${title}`, snippet: `About ${title}.`, date: '2026-11-01' },
          ...(content === undefined ? {} : { content }),
        });
        response.end(JSON.stringify({ search_results: [found('a', 'WHOLE'), found('b')] }));
      });
    });
    const w = await kimi([['SearchWeb', { query: 'what is new', include_content: true }]]);
    const configured = ['-c', `web.search_url="${url}/search"`, '-c', 'web.search_key_env=MY_SEARCH_KEY'];
    await w.print([...YOLO, ...configured, 'go'], { env: { MY_SEARCH_KEY: 'sk-search-4711-secret' } });
    expect(asked).toEqual([
      {
        key: 'Bearer sk-search-4711-secret',
        body: { text_query: 'what is new', limit: 5, enable_page_crawling: true, timeout_seconds: 30 },
      },
    ]);
    expect(results(w)).toEqual([
      'Title: a\nDate: 2026-11-01\nURL: https://example.org/a\nSummary: About a.\n\nWHOLE\n\n---\n\nTitle: b\nDate: 2026-11-01\nURL: https://example.org/b\nSummary: About b.\n\n',
    ]);
    const search = (bodyOf(w.requests()[0]).tools ?? []).find(({ function: { name } }) => name === 'SearchWeb');
    await expect(`${JSON.stringify(search, null, 2)}\n`).toMatchFileSnapshot('./goldens/kimi-search-web.txt');
    const without = await kimi([]);
    await without.print(['hello']);
    expect(toolNamesOf(without.requests()[0])).not.toContain('SearchWeb');
  },
);

verifies('M5', 'of a long output Shell gives the first 50,000 characters, and says that it is truncated', async () => {
  const line = 'y'.repeat(99);
  const w = await kimi([
    ['Shell', { command: `for i in $(seq 600); do echo ${line}; done` }],
    ['Shell', { command: `for i in $(seq 450); do echo ${line}; done; echo end` }],
  ]);
  await w.print([...YOLO, 'go']);
  const [cut, whole] = results(w) as string[][];
  expect([cut?.[0], cut?.[1]?.length, cut?.[1] === `${line}\n`.repeat(500)]).toEqual([
    '<system>Command executed successfully. Output is truncated to fit in the message.</system>',
    50_000,
    true,
  ]);
  expect(whole).toEqual(['<system>Command executed successfully.</system>', `${`${line}\n`.repeat(450)}end\n`]);
});
