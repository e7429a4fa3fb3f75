import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type RehearsalReply, reply } from '../src/testing/index.ts';
import { bodyOf, messagesOf, systemOf, toolNamesOf, type Workspace, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

const YOLO = ['--permission-mode', 'yolo'];
const OK: RehearsalReply = { text: 'ok', repeat: true };
/** To everything but what a test goes on with later. */
const FIRST_OK: RehearsalReply = { ...OK, when: { text: /^(?![\s\S]*LATER)/ } };
const LONG = `It is in a.txt, line 1. ${'All of it was read. '.repeat(12)}`.trim();

type Args = Readonly<Record<string, unknown>>;

function agent(args: Args): RehearsalReply {
  return reply.calls([{ name: 'Agent', arguments: { description: 'look around', prompt: 'LOOK', ...args } }]);
}

function of(name: string, ...replies: readonly RehearsalReply[]): RehearsalReply[] {
  return replies.map((each) => ({ ...each, when: { ...each.when, agent: name } }));
}

function kimi(replies: readonly RehearsalReply[], tree: Parameters<typeof workspace>[0] = {}): Promise<Workspace> {
  return workspace({ '.git/': null, 'a.txt': 'text\n', ...tree }, { harness: 'kimi-cli', replies });
}

function requestsOf(w: Workspace, name = 'root'): ReturnType<Workspace['requests']> {
  return w.requests().filter((request) => request.agent === name);
}

/** Until the only task has written this. */
async function untilOutput(w: Workspace, text: string): Promise<void> {
  const directory = join(w.home, '.local/state/rein/sessions');
  const written = (): boolean =>
    readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('/output'))
      .some((name) => readFileSync(join(directory, name), 'utf8').includes(text));
  for (let tries = 0; tries < 400 && !written(); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** The results of the root's calls, ids made plain. */
function results(w: Workspace): string[] {
  return messagesOf(requestsOf(w).at(-1))
    .filter(({ role }) => role === 'tool')
    .map(({ content }) =>
      String(content)
        .replace(/agent-\w{8}/g, 'AGENT')
        .replace(/bash-\w{8}/g, 'TASK'),
    );
}

verifies('M5', 'Agent and the tools of tasks are offered with exactly these schemas', async () => {
  const w = await kimi([OK]);
  await w.print(['hello']);
  const names = ['Agent', 'Shell', 'TaskList', 'TaskOutput', 'TaskStop'];
  const tools = (bodyOf(w.requests()[0]).tools ?? []).filter(({ function: { name } }) => names.includes(name));
  await expect(`${JSON.stringify(tools, null, 2)}\n`).toMatchFileSnapshot('./goldens/kimi-agents.txt');
});

verifies(
  ['M22', 'M7', 'M36', 'M32'],
  'each type has its tools, its role, and nothing that needs a person or starts others',
  async () => {
    const w = await kimi([
      reply.calls(
        ['coder', 'explore', 'plan'].map((type) => ({
          name: 'Agent',
          arguments: { description: 'look', prompt: 'LOOK', subagent_type: type },
        })),
      ),
      ...['coder', 'explore', 'plan'].flatMap((type) => of(type, { text: LONG, repeat: true })),
      OK,
    ]);
    await w.print([...YOLO, 'go']);
    const reads = ['ReadFile', 'ReadMediaFile', 'Glob', 'Grep'];
    expect(['coder', 'explore', 'plan'].map((type) => toolNamesOf(requestsOf(w, type)[0]))).toEqual([
      ['Shell', ...reads, 'WriteFile', 'StrReplaceFile', 'FetchURL'],
      ['Shell', ...reads, 'FetchURL'],
      [...reads, 'FetchURL'],
    ]);
    const role = /Follow these rules and the user\.\n\n(You run as a subagent [\s\S]*?)\n\n# Prompt and Tool Use/;
    const roles = ['coder', 'explore', 'plan'].map((type) => role.exec(systemOf(requestsOf(w, type)[0]))?.[1] ?? '');
    expect(
      new Set(roles.map((text) => text.slice(0, text.indexOf('say in your last message what you took.')))).size,
    ).toBe(1);
    expect(
      roles.map(
        (text) => /You do engineering work|You explore and change nothing|You plan and change nothing/.exec(text)?.[0],
      ),
    ).toEqual(['You do engineering work', 'You explore and change nothing', 'You plan and change nothing']);
    expect(systemOf(requestsOf(w)[0])).not.toContain('You run as a subagent');
  },
);

verifies(
  'M23',
  'in the foreground the last text comes back with what it is of, and can be resumed by its id',
  async () => {
    const replies = [
      { ...agent({ subagent_type: 'plan' }), when: { text: 'go' } },
      ...of('plan', { text: LONG }),
      FIRST_OK,
    ];
    const w = await kimi(replies);
    await w.print([...YOLO, 'go']);
    expect(results(w)).toEqual([
      `agent_id: AGENT\nresumed: false\nactual_subagent_type: plan\nstatus: completed\n\n[summary]\n${LONG}`,
    ]);
    const id = /agent-\w{8}/.exec(JSON.stringify(messagesOf(requestsOf(w).at(-1))))?.[0] ?? '';
    replies.push(
      { ...agent({ resume: id, prompt: 'AND MORE LATER', subagent_type: 'coder' }), when: { agent: 'root' } },
      ...of('plan', { text: `${LONG} More.` }),
      OK,
    );
    await w.print([...YOLO, '--continue', 'LATER']);
    expect(results(w).at(-1)).toBe(
      `agent_id: AGENT\nresumed: true\nrequested_subagent_type: coder\nactual_subagent_type: plan\nstatus: completed\n\n[summary]\n${LONG} More.`,
    );
    const asked = messagesOf(requestsOf(w, 'plan').at(-1)).map(({ role, content }) => [role, content]);
    expect(asked).toEqual([
      ['user', 'LOOK'],
      ['assistant', LONG],
      ['user', 'AND MORE LATER'],
    ]);
  },
);

verifies('M23', 'a very short last text is asked to be said more fully, once', async () => {
  const w = await kimi([
    { ...agent({}), when: { text: 'go' } },
    ...of('coder', { text: 'Done.' }, { text: 'Done, really.' }),
    OK,
  ]);
  await w.print([...YOLO, 'go']);
  expect(requestsOf(w, 'coder')).toHaveLength(2);
  expect(messagesOf(requestsOf(w, 'coder')[1]).at(-1)?.content).toMatch(
    /^<system-reminder>\nYour last message is all that the main agent sees [\s\S]*<\/system-reminder>$/,
  );
  expect(results(w)[0]).toMatch(/\n\[summary\]\nDone, really\.$/);
});

verifies('M23', 'in the background the call answers at once, and the end comes as a notification', async () => {
  const w = await kimi([
    { ...agent({ run_in_background: true }), when: { text: 'go' } },
    ...of('coder', { text: LONG }),
    OK,
  ]);
  const s = w.stream(YOLO);
  await s.carryOut({ type: 'prompt', text: 'go' });
  await s.until(({ type, state }) => type === 'task' && state === 'completed');
  await s.carryOut({ type: 'prompt', text: 'and?' });
  await s.end();
  expect(results(w)[0]).toMatch(
    /^task_id: AGENT\nkind: agent\nstatus: \w+\ndescription: look around\nagent_id: AGENT\nactual_subagent_type: coder\nautomatic_notification: true\nnext_step: .*\nnext_step: .*\nresume_hint: .*$/,
  );
  const told = messagesOf(requestsOf(w).at(-1)).filter(({ content }) => String(content).startsWith('<notification '));
  expect(told).toHaveLength(1);
});

verifies('M23', 'wrong arguments are said before anything is started', async () => {
  const w = await kimi([
    reply.calls([
      { name: 'Agent', arguments: { description: 'x', prompt: ' ' } },
      { name: 'Agent', arguments: { description: 'x', prompt: 'y', timeout: 5 } },
      { name: 'Agent', arguments: { description: 'x', prompt: 'y', subagent_type: 'codr' } },
      { name: 'Agent', arguments: { description: 'x', prompt: 'y', resume: 'agent-none' } },
    ]),
    OK,
  ]);
  await w.print([...YOLO, 'go']);
  expect(results(w)).toEqual([
    '<system>ERROR: Error validating JSON arguments: prompt must not be empty</system>',
    '<system>ERROR: Error validating JSON arguments: timeout must be at least 30</system>',
    '<system>ERROR: There is no agent "codr"; did you mean "coder"?</system>',
    '<system>ERROR: resume_from: there is no agent "agent-none".</system>',
  ]);
  expect(w.requests()).toHaveLength(2);
});

verifies('M36', 'explore begins with what Git says, without what is private; the others do not', async () => {
  const w = await kimi(
    [
      reply.calls(
        ['explore', 'coder'].map((type) => ({
          name: 'Agent',
          arguments: { description: 'look', prompt: 'LOOK', subagent_type: type },
        })),
      ),
      ...['explore', 'coder'].flatMap((type) => of(type, { text: LONG, repeat: true })),
      OK,
    ],
    {},
  );
  w.remove('.git');
  const git = (...args: string[]): void => {
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'init.defaultBranch=main'];
    execFileSync('git', [...identity, ...args], { cwd: w.project, stdio: 'ignore' });
  };
  git('init');
  git('add', 'a.txt');
  git('commit', '-m', 'First of all');
  git('remote', 'add', 'origin', 'https://me:secret-4711@github.com/owner/repo.git');
  w.write('new.txt', 'x');
  await w.print([...YOLO, '--trust', 'go']);
  const opening = (type: string): string => messagesOf(requestsOf(w, type)[0])[0]?.content ?? '';
  expect(opening('explore').replace(/[0-9a-f]{7,} First/, 'HASH First')).toBe(
    `<git-context>\nWorking directory: ${w.project}\nRemote: https://github.com/owner/repo\nBranch: main\nDirty files (1):\n  ?? new.txt\nRecent commits:\n  HASH First of all\n</git-context>\n\nLOOK`,
  );
  expect(opening('coder')).toBe('LOOK');
});

verifies(
  ['M28', 'M30'],
  'a command in the background says what it is, and its end is told in a message of its own',
  async () => {
    const w = await kimi([
      reply.calls([
        {
          name: 'Shell',
          arguments: {
            command: 'until [ -e go ]; do sleep 0.05; done; echo built; exit 3',
            run_in_background: true,
            description: 'build it',
          },
        },
      ]),
      OK,
    ]);
    const s = w.stream(YOLO);
    await s.carryOut({ type: 'prompt', text: 'go' });
    w.write('go', '');
    await s.until(({ type, state }) => type === 'task' && state === 'failed');
    await s.carryOut({ type: 'prompt', text: 'and?' });
    await s.end();
    const started = messagesOf(requestsOf(w).at(-1)).find(({ role }) => role === 'tool');
    const parts = (started?.content ?? []) as unknown as { text: string }[];
    expect(parts.map(({ text }) => text.replace(/bash-\w{8}/g, 'TASK'))).toEqual([
      '<system>Background task started.</system>',
      expect.stringMatching(
        /^task_id: TASK\nkind: bash\nstatus: \w+\ndescription: build it\ncommand: until .* exit 3\nautomatic_notification: true\nnext_step: .*\nnext_step: .*\nnext_step: .*\nhuman_shell_hint: .*\/task.*$/,
      ),
    ]);
    const [told, ...more] = messagesOf(requestsOf(w).at(-1)).filter(({ content }) =>
      String(content).startsWith('<notification '),
    );
    expect(more).toEqual([]);
    const plain = told?.content
      ?.replace(/bash-\w{8}/g, 'TASK')
      .replace(/"n[0-9a-f]{8}"/, '"ID"')
      .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d, Duration: [^)]*/, 'WHEN');
    expect(plain?.split('\n')).toEqual([
      '<notification id="ID" category="task" type="task.failed" source_kind="background_task" source_id="TASK">',
      'Title: Background task failed: build it',
      'Severity: error',
      'Task ID: TASK',
      'Status: failed (Finished at: WHEN)',
      'Description: build it',
      'Exit code: 3',
      'Failure reason: Command failed with exit code 3',
      '<task-notification>',
      'Task ID: TASK',
      'Task Type: bash',
      'Description: build it',
      'Status: failed',
      'Exit code: 3',
      'Failure reason: Command failed with exit code 3',
      'Output tail:',
      'built',
      '</task-notification>',
      '</notification>',
    ]);
  },
);

verifies(['M29', 'M72'], 'TaskList lists what runs, TaskOutput shows and waits, TaskStop cancels', async () => {
  const replies: RehearsalReply[] = [
    {
      ...reply.calls([
        { name: 'TaskList', arguments: {} },
        {
          name: 'Shell',
          arguments: {
            command: 'echo one; until [ -e go ]; do sleep 0.05; done',
            run_in_background: true,
            description: 'wait',
          },
        },
      ]),
      when: { text: 'go' },
    },
    FIRST_OK,
  ];
  const w = await kimi(replies);
  const s = w.stream([...YOLO, '-c', 'tasks.wake=false']);
  await s.carryOut({ type: 'prompt', text: 'go' });
  const { jobs } = (await s.carryOut({ type: 'jobs' })) as { jobs: { id: string }[] };
  const id = jobs[0]?.id ?? '';
  const calls = (...made: [string, Args][]): RehearsalReply =>
    reply.calls(made.map(([name, args]) => ({ name, arguments: { ...args } })));
  await untilOutput(w, 'one');
  replies.push(
    calls(['TaskList', {}], ['TaskOutput', { task_id: id }], ['TaskOutput', { task_id: id, block: true, timeout: 0 }]),
    calls(['TaskStop', { task_id: id, reason: 'enough' }], ['TaskList', {}], ['TaskList', { active_only: false }]),
    calls(['TaskOutput', { task_id: 'bash-none' }]),
    OK,
  );
  await s.carryOut({ type: 'prompt', text: 'LATER' });
  await s.end();
  const texts = messagesOf(requestsOf(w).at(-1))
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => {
      const parts: unknown = content;
      const list = Array.isArray(parts) ? parts.map(({ text }: { text: string }) => text) : [String(parts)];
      return list.map((text) =>
        text
          .replaceAll(id, 'TASK')
          .replace(/output_path: .*|Read .* with ReadFile|status: running/g, (line) => line.split(' ')[0] ?? ''),
      );
    });
  const facts = (status: string): string[] => [`task_id: TASK`, 'kind: bash', status, 'description: wait'];
  const command = 'command: echo one; until [ -e go ]; do sleep 0.05; done';
  const snapshot = (retrieval: string): string =>
    [
      `retrieval_status: ${retrieval}`,
      ...facts('status:'),
      command,
      'interrupted: false',
      'timed_out: false',
      '',
      'output_path:',
      'output_size_bytes: 4',
      'output_preview_bytes: 4',
      'output_truncated: false',
      '',
      'full_output_available: true',
      'full_output_tool: ReadFile',
      'full_output_hint: Read for all of it.',
      '',
      '[output]',
      'one\n',
    ].join('\n');
  expect(texts).toEqual([
    ['<system>Task list retrieved.</system>', 'active_background_tasks: 0\n[no tasks]'],
    ['<system>Background task started.</system>', expect.stringContaining('task_id: TASK')],
    [
      '<system>Task list retrieved.</system>',
      ['active_background_tasks: 1', '', '[1]', ...facts('status:'), command, ''].join('\n'),
    ],
    ['<system>Task snapshot retrieved.</system>', snapshot('not_ready')],
    ['<system>Task output retrieved.</system>', snapshot('timeout')],
    ['<system>Task stop requested.</system>', [...facts('status: killed'), command, 'reason: enough'].join('\n')],
    ['<system>Task list retrieved.</system>', 'active_background_tasks: 0\n[no tasks]'],
    [
      '<system>Task list retrieved.</system>',
      ['background_tasks: 1', '', '[1]', ...facts('status: killed'), command, 'reason: enough', ''].join('\n'),
    ],
    ['<system>ERROR: Task not found: bash-none</system>'],
  ]);
});

verifies('M33a', 'a call of an agent in the background is approved at the root, as a call of the root is', async () => {
  const w = await kimi([
    { ...agent({ run_in_background: true }), when: { agent: 'root' } },
    ...of('coder', reply.calls([{ name: 'Shell', arguments: { command: 'touch made' } }]), {
      text: LONG,
      repeat: true,
    }),
    FIRST_OK,
    { ...reply.calls([{ name: 'Shell', arguments: { command: 'touch mine' } }]), when: { agent: 'root' } },
    OK,
  ]);
  const s = w.stream(['--permission-mode', 'ask', '-c', 'tasks.wake=false']);
  s.send({ type: 'prompt', text: 'go' });
  const below = await s.until(({ type }) => type === 'permission-request');
  expect([below.tool, below.subjects, typeof below.subagent]).toEqual(['Shell', ['run touch made'], 'string']);
  s.send({ type: 'answer', id: below.id, value: 'allow' });
  await s.until(({ type, state }) => type === 'task' && state === 'completed');
  s.send({ type: 'prompt', text: 'LATER' });
  const own = await s.until(({ type }) => type === 'permission-request');
  expect([own.tool, own.subjects, own.subagent]).toEqual(['Shell', ['run touch mine'], undefined]);
  s.send({ type: 'answer', id: own.id, value: 'deny' });
  await s.until(({ type, subagent }) => type === 'turn-end' && subagent === undefined);
  await s.end();
  expect([existsSync(w.path('made')), existsSync(w.path('mine'))]).toEqual([true, false]);
});
