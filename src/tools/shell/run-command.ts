import { printable } from '../../base/index.ts';
import { type ChildProcess, type LivingProcess, ProcessError, type ProcessExit } from '../../host/index.ts';
import { commandShell } from '../command-shell.ts';
import { CALL_MARK, type ShellArgs, type ShellValue, type ToolContext, type ToolOutcome } from '../contract/index.ts';
import { unattended } from '../unattended.ts';
import { OutputSink } from './output-sink.ts';

// After the shell's own end: time for what is still in the pipes.
const MAX_HEAD_BYTES = 256 * 1024;
const DRAIN_MS = 300;
// From the polite signal to the one that cannot be ignored, and from that one to giving up.
const TERM_GRACE_MS = 1500;
const KILL_GRACE_MS = 1000;
const POLL_MS = 25;
// For processes that end together with the shell.
const SETTLE_MS = 50;
const MAX_NAME = 64;

type Ending = 'exit' | 'timeout' | 'abort';

/**
 * Runs a command line in a shell of its own session, without a terminal and without input. It ends with the shell, with
 * the time limit or with an abort, whichever is first; the last two kill all that it started. What the shell left
 * running keeps running, is named, and nothing waits for it.
 */
export async function runCommand(args: ShellArgs, context: ToolContext): Promise<ToolOutcome<ShellValue>> {
  const { host, limits, signal } = context;
  const started = host.clock.monotonicMs();
  const sink = new OutputSink(keeping(args.headBytes, context));
  if (signal.aborted) return { value: { ...NOT_RUN, aborted: true }, observed: [] };
  let child: ChildProcess;
  try {
    child = await start(args.command, context);
  } catch (error) {
    if (!(error instanceof ProcessError)) throw error;
    const message = `The command was not started: ${error.message}.`;
    return { error: { code: 'shell/not-started', message, data: error.data }, observed: [] };
  }
  const reading = drain(child, sink);
  const limitMs = Math.min(args.timeoutMs ?? limits.commandTimeoutMs, limits.commandTimeoutMaxMs);
  const ending = await firstEnding(child, context, limitMs);
  const exit = ending === 'exit' ? await child.exited : await kill(child, context);
  const closed = await within(context, DRAIN_MS, reading);
  child.detachOutput();
  await reading;
  const left = ending === 'exit' ? await leftBehind(child, context) : child.living();
  const { spill, ...output } = await sink.finish();
  const value: ShellValue = {
    exitCode: exit?.code ?? null,
    signal: exit?.signal ?? null,
    timedOut: ending === 'timeout',
    aborted: ending === 'abort',
    durationMs: Math.round(host.clock.monotonicMs() - started),
    ...output,
    leftRunning: !closed || left.length > 0 || child.groupAlive(),
    left: left.map(({ pid, name }) => ({ pid, name: printable(name, MAX_NAME) })),
  };
  return { value, observed: [], ...(spill === undefined ? {} : { spill }) };
}

/** As a harness wants it, within what one result may take of the memory. */
function keeping(headBytes: number | undefined, context: ToolContext): ToolContext {
  if (headBytes === undefined) return context;
  const limits = { ...context.limits, headBytes: Math.min(headBytes, MAX_HEAD_BYTES), tailBytes: 0 };
  return { ...context, limits };
}

const NOT_RUN: ShellValue = {
  exitCode: null,
  signal: null,
  timedOut: false,
  aborted: false,
  durationMs: 0,
  head: '',
  tail: '',
  droppedBytes: 0,
  leftRunning: false,
  left: [],
};

async function start(command: string, context: ToolContext): Promise<ChildProcess> {
  const { host } = context;
  const file = await commandShell(host.files);
  return host.process.spawn({
    file,
    args: ['-c', '--', inOneOrder(command)],
    cwd: context.cwd,
    env: unattended(context.childEnv),
    mark: { variable: CALL_MARK, value: markOf(context) },
  });
}

/** Within a call of another such program, that one's mark stays at the beginning. */
function markOf({ mark, childEnv }: ToolContext): string {
  const outer = childEnv[CALL_MARK];
  return outer === undefined ? mark : `${outer},${mark}`;
}

/** What is just about to end is not left behind. */
async function leftBehind(child: ChildProcess, context: ToolContext): Promise<LivingProcess[]> {
  if (child.living().length === 0) return [];
  await context.host.clock.sleep(SETTLE_MS);
  return child.living();
}

/** Errors and output share one pipe: over two, nobody could say which line came first. On the same line, so that the
 * shell's own messages count lines as the command does. */
function inOneOrder(command: string): string {
  return `exec 2>&1; ${command}`;
}

async function drain(child: ChildProcess, sink: OutputSink): Promise<void> {
  for await (const chunk of child.output) await sink.push(chunk);
}

async function firstEnding(child: ChildProcess, context: ToolContext, limitMs: number): Promise<Ending> {
  const { signal } = context;
  const over = new AbortController();
  // The sleep ends with whichever comes first, so that no timer outlives the command.
  const either = AbortSignal.any([signal, over.signal]);
  const slept = context.host.clock.sleep(limitMs, either).then((): Ending => (signal.aborted ? 'abort' : 'timeout'));
  try {
    return await Promise.race([child.exited.then((): Ending => 'exit'), slept]);
  } finally {
    over.abort();
  }
}

/** All of the group: asked first, then forced. Null where even that did not end it (a process stuck in the system). */
async function kill(child: ChildProcess, context: ToolContext): Promise<ProcessExit | null> {
  let exit: ProcessExit | null = null;
  const gone = child.exited.then((how) => {
    exit = how;
  });
  for (const [signal, graceMs] of [
    ['SIGTERM', TERM_GRACE_MS],
    ['SIGKILL', KILL_GRACE_MS],
  ] as const) {
    for (let waited = 0; waited < graceMs; waited += POLL_MS) {
      // The signal that cannot be ignored is repeated: what was being started may have missed it.
      if (waited === 0 || signal === 'SIGKILL') child.killGroup(signal);
      await within(context, POLL_MS, gone);
      if (exit !== null && !child.groupAlive()) return exit;
      if (exit !== null) await context.host.clock.sleep(POLL_MS);
    }
  }
  return exit;
}

/** Whether the work was done within this time. The abort signal has no say here: it is what led here. */
async function within(context: ToolContext, ms: number, work: Promise<void>): Promise<boolean> {
  const over = new AbortController();
  const slept = context.host.clock.sleep(ms, over.signal).then(() => false);
  try {
    return await Promise.race([work.then(() => true), slept]);
  } finally {
    over.abort();
  }
}
