import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { type CapturedRequest, type RehearsalReply, reply } from '../src/testing/index.ts';
import { bodyOf, type Workspace, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

type Args = Readonly<Record<string, unknown>>;
type Message = {
  role: string;
  content: unknown;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
};

function calls(...made: readonly (readonly [name: string, args: Args])[]): RehearsalReply {
  return reply.calls(made.map(([name, args]) => ({ name, arguments: { ...args } })));
}

function of(agent: string, purpose: 'turn' | 'compaction', ...replies: readonly RehearsalReply[]): RehearsalReply[] {
  return replies.map((each) => ({ ...each, when: { ...each.when, agent, purpose } }));
}

/** Without what is different at every run, and on every machine. */
function plain(w: Workspace, text: string): string {
  return text
    .replaceAll(w.project, '/repo')
    .replaceAll(w.home, '/home')
    .replace(/- Path: \/\S*\/resources\//g, '- Path: /package/resources/')
    .replace(/\/home\/\.local\/state\/rein\/sessions\/\S*?\.files/g, '/session')
    .replace(/\b(bash|agent)-[0-9a-z]{8}\b/g, '$1-ID')
    .replace(/id="n[0-9a-f]{8}"/g, 'id="nID"')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d, Duration: [^)]*/g, 'WHEN')
    .replace(/status: (starting|running)/g, 'status: running')
    .replace(/You are running on (macOS|Linux)/g, 'You are running on SYSTEM');
}

function content(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return (value as { text?: string }[]).map(({ text = '[picture]' }) => text).join('\n--\n');
}

function shown({ role, content: said, tool_calls: made = [], tool_call_id: id }: Message): string {
  const head = id === undefined ? role : `${role} (${id})`;
  const lines = made.map((call) => `→ ${call.id} ${call.function.name} ${call.function.arguments}`);
  return [`[${head}]`, ...[content(said), ...lines].filter((text) => text !== '')].join('\n');
}

/** Requests one after the other: of each what was not in the one of the same agent and purpose before it. */
function transcript(w: Workspace, requests: readonly CapturedRequest[]): string {
  const before = new Map<string, string[]>();
  const parts = requests.map((request, index) => {
    const key = `${request.agent} ${request.purpose}`;
    const messages = (bodyOf(request).messages as unknown as Message[]).map(shown);
    const known = before.get(key) ?? [];
    let same = 0;
    while (same < known.length && known[same] === messages[same]) same += 1;
    before.set(key, messages);
    const { messages: _said, tools, ...rest } = request.json as Record<string, unknown>;
    const names = (tools as { function: { name: string } }[]).map((tool) => tool.function.name).join(' ');
    const kept = same === 0 ? [] : [`(${same} messages as before)`];
    const fields = JSON.stringify({ ...rest, prompt_cache_key: 'SESSION' });
    return [`===== ${index + 1}: ${key}`, fields, `tools: ${names}`, ...kept, ...messages.slice(same)].join('\n');
  });
  return plain(w, `${parts.join('\n\n')}\n`);
}

const LONG = 'What was found is here, with its path and line. '.repeat(5).trim();

verifies(
  ['M1', 'M24', 'M28', 'M72'],
  'a whole session: exploring side by side, a plan that is approved, a test run beside, an edit, a compaction, the end',
  async () => {
    const replies: RehearsalReply[] = [
      ...of(
        'root',
        'turn',
        calls(
          ['Agent', { description: 'find the sum', prompt: 'Where is sum?', subagent_type: 'explore' }],
          ['Agent', { description: 'find the tests', prompt: 'Where are its tests?', subagent_type: 'plan' }],
        ),
        calls(['EnterPlanMode', {}]),
      ),
      ...of('explore', 'turn', calls(['Grep', { pattern: 'sum', output_mode: 'content' }]), {
        text: `sum.js:1. ${LONG}`,
      }),
      ...of('plan', 'turn', { text: `test.sh. ${LONG}` }),
      ...of('root', 'compaction', {
        text: '<current_focus>\nDone but for the last word.\n</current_focus>',
        repeat: true,
      }),
    ];
    const w = await workspace(
      {
        '.git/': null,
        'AGENTS.md': 'Run test.sh before you answer.\n',
        'sum.js': 'export const sum = (a, b) => a - b;\n',
        'test.sh': 'grep -q "a + b" sum.js && echo passed\n',
      },
      { harness: 'kimi-cli', replies },
    );
    const s = w.stream(['--permission-mode', 'yolo', '-c', 'tasks.wake=false']);
    s.send({ type: 'prompt', text: 'Repair sum.\n' });
    const mayPlan = await s.until(({ type }) => type === 'question-request');
    const [file = ''] = w.sessionFiles().filter((path) => !readFileSync(path, 'utf8').includes('"kind":"subagent"'));
    const plan = `${file.replace(/\.jsonl$/, '.files')}/plan.md`;
    replies.push(
      ...of(
        'root',
        'turn',
        calls(['WriteFile', { path: plan, content: '1. Add instead of subtracting.\n2. Run test.sh.\n' }]),
        calls(['ExitPlanMode', {}]),
        calls(['ReadFile', { path: 'sum.js' }]),
        calls(['StrReplaceFile', { path: 'sum.js', edit: { old: 'a - b', new: 'a + b' } }]),
        calls([
          'Shell',
          {
            command: 'until [ -e go ]; do sleep 0.05; done; sh test.sh',
            run_in_background: true,
            description: 'test it',
          },
        ]),
        { text: 'It is changed; the test runs.' },
        { text: 'The test passed.' },
        { text: 'All is done.' },
      ),
    );
    s.send({ type: 'answer', id: mayPlan.id, value: 'Yes' });
    const handed = await s.until(({ type }) => type === 'handoff-request');
    s.send({ type: 'answer', id: handed.id, value: 'current-context' });
    await s.until(({ type, subagent }) => type === 'turn-end' && subagent === undefined);
    w.write('go', '');
    await s.until(({ type, state }) => type === 'task' && state === 'completed');
    await s.carryOut({ type: 'prompt', text: 'And the test?' });
    await s.carryOut({ type: 'compact' });
    await s.carryOut({ type: 'prompt', text: 'Anything left?' });
    await s.end();
    expect(readFileSync(w.path('sum.js'), 'utf8')).toBe('export const sum = (a, b) => a + b;\n');
    const root = w.requests().filter(({ agent }) => agent === 'root');
    await expect(transcript(w, root)).toMatchFileSnapshot('./goldens/kimi-session-root.txt');
    for (const type of ['explore', 'plan']) {
      const below = w.requests().filter(({ agent }) => agent === type);
      await expect(transcript(w, below)).toMatchFileSnapshot(`./goldens/kimi-session-${type}.txt`);
    }
  },
);
