import { join } from 'node:path';
import type { Stdio } from '../../print/index.ts';
import { type AgentOptions, createAgent, createNodeHost, previewContext, type RunResult } from '../../sdk/index.ts';
import { contextTable } from '../context-table.ts';
import { Narration } from '../demo/narration.ts';
import { type Stage, setStage, strike } from '../demo/stage.ts';
import { isGiven } from '../given-options.ts';
import { outputWidth } from '../output-width.ts';
import type { CommandCall } from '../run-command-line.ts';

const PROMPT = 'A test fails. Find out why, put it right, and show that the tests pass.';
const SCRIPT_LIMIT = 1024 * 1024;

/** `rein demo`: the real program on a sample repository, a script in the model's place. 1 when it did not end well. */
export async function runDemoCommand({ options, stdio }: CommandCall): Promise<number> {
  const keep = isGiven(options, 'keep');
  const interrupt = new AbortController();
  let interrupted: number | null = null;
  const stop = stdio.onInterrupt((signal) => {
    const code = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }[signal];
    if (interrupted !== null) stdio.exit(code);
    interrupted = code;
    interrupt.abort();
  });
  const stage = await setStage(createNodeHost(), process.argv[0] ?? 'node');
  try {
    const ended = await play({ stage, keep, stdio, interrupt: interrupt.signal });
    return interrupted ?? ended;
  } finally {
    stop();
    if (!keep) await strike(stage);
  }
}

type Show = { stage: Stage; keep: boolean; stdio: Stdio; interrupt: AbortSignal };

async function play(show: Show): Promise<number> {
  const { stage, keep, stdio } = show;
  const say = (line: string): void => stdio.output.write(`${line}\n`);
  const { parseRehearsal, serveRehearsal } = await import('../../testing/index.ts');
  const { host, repository } = stage;
  const read = await host.files.readRegular(stage.script, { maxBytes: SCRIPT_LIMIT });
  const script = await parseRehearsal(read.ok ? new TextDecoder().decode(read.bytes) : '', stage.script);
  const server = await serveRehearsal({ host, script, wire: 'chat' });
  const options: AgentOptions = {
    cwd: repository,
    model: 'rehearsal',
    baseUrl: server.url,
    wire: 'chat',
    permissionMode: 'yolo',
  };
  say(`The sample repository: ${repository}`);
  say(`The model: a script, played at ${server.url}`);
  say(`\n> ${PROMPT}\n`);
  const result = await runAgent(options, show, say);
  const failures = server.failures();
  await server.close();
  if (show.interrupt.aborted) return 1;
  for (const failure of failures) say(`The script expected something else: ${failure}`);
  if (result.error !== null) say(`\nThe run failed: ${result.error.message}`);
  const passes = await testsPass(stage);
  say(
    `\n${passes ? 'Run once more by this program, the tests pass.' : 'Run once more by this program, the tests FAIL.'}`,
  );
  if (result.sessionId !== null) {
    say(`\nWhat the model was sent, piece by piece, in its last request:\n`);
    const asked = { ...options, storedSession: result.sessionId, request: result.turns };
    const { report } = await previewContext(asked, host);
    say(contextTable(report, outputWidth(stdio, createNodeHost().env)).trimEnd());
    say(await closing(stage, result.sessionId, keep));
  }
  return passes && result.stopReason === 'end' && failures.length === 0 ? 0 : 1;
}

async function runAgent(options: AgentOptions, show: Show, say: (line: string) => void): Promise<RunResult> {
  const agent = await createAgent(options, show.stage.host);
  show.interrupt.addEventListener('abort', () => agent.abort());
  try {
    const narration = new Narration();
    agent.subscribe((event) => {
      for (const line of narration.linesOf(event)) say(line);
    });
    return await agent.run(PROMPT);
  } finally {
    await agent.close();
  }
}

/** The judge is not the model: the tests are run again, by this program. */
async function testsPass({ host, repository }: Stage): Promise<boolean> {
  const child = await host.process.spawn({ file: 'node', args: ['--test'], cwd: repository, env: host.env.all() });
  return (await child.exited).code === 0;
}

async function closing({ host, directory }: Stage, sessionId: string, keep: boolean): Promise<string> {
  const log = await findLog(join(directory, 'home'), sessionId, host.files);
  const kept = keep ? '' : ' (removed now; "rein demo --keep" leaves it in place)';
  return `
The model was a script; files, tools, tests and requests were real.
The session's log: ${log ?? 'not found'}${kept}

With a real model:
  OPENAI_API_KEY=…  rein -p "…" --model openai/MODEL
  rein -p "…" --base-url http://127.0.0.1:8080/v1 --wire chat --model MODEL`;
}

async function findLog(folder: string, sessionId: string, files: Stage['host']['files']): Promise<string | null> {
  for (const { name, kind } of await files.list(folder)) {
    if (kind === 'file' && name === `${sessionId}.jsonl`) return join(folder, name);
    const inside = kind === 'directory' ? await findLog(join(folder, name), sessionId, files) : null;
    if (inside !== null) return inside;
  }
  return null;
}
