import { resolve } from 'node:path';
import { FileError } from '../../host/index.ts';
import { hasEnded, type ToolFailure } from '../../model/index.ts';
import type { AgentArgs, AgentValue, MessageArgs, MessageValue, ToolContext, ToolOutcome } from '../contract/index.ts';

const MOST_PROMPT_BYTES = 256 * 1024;
const LONGEST_MS = 3600 * 1000;

function failure(code: string, message: string): { error: ToolFailure; observed: [] } {
  return { error: { code, message }, observed: [] };
}

/** Starts another agent, and waits for its end unless it runs in the background. */
export async function startAgent(args: AgentArgs, context: ToolContext): Promise<ToolOutcome<AgentValue>> {
  const { agents, cwd: own } = context;
  if (args.prompt.trim() === '') return failure('subagent/empty', 'prompt is empty: say what the agent is to do.');
  if (Buffer.byteLength(args.prompt) > MOST_PROMPT_BYTES) {
    return failure(
      'subagent/too-long',
      `prompt is longer than ${MOST_PROMPT_BYTES / 1024} KiB: put what is long into a file and name it.`,
    );
  }
  if (args.cwd !== undefined && args.resumeFrom !== undefined) {
    return failure('subagent/keeps-directory', 'A run that is gone on with keeps its directory: leave cwd out.');
  }
  const cwd = args.cwd === undefined ? own : resolve(own, args.cwd);
  if (cwd !== own && !(await isDirectory(cwd, context))) {
    return failure('subagent/no-directory', `cwd: ${cwd} is no directory.`);
  }
  const timeoutMs = args.timeoutMs === null ? null : Math.min(args.timeoutMs, LONGEST_MS);
  const started = await agents.start({ ...args, cwd, timeoutMs });
  if ('error' in started) return { error: started.error, observed: [] };
  const { task } = started;
  const failed = !args.background && task.state !== 'completed';
  // The model has the end of it with this result.
  const events = hasEnded(task) ? [{ type: 'task-told' as const, tasks: [task.id] }] : [];
  if (!failed) return { value: { task, background: args.background }, observed: [], events };
  const reason = task.detail.reason ?? task.state;
  const message = `${task.id} (${task.detail.agent?.name ?? args.agent}) gave no result: ${reason.replace(/[.…]+$/, '')}. It can be gone on with by resume_from.`;
  const data = { id: task.id, reason, timedOut: task.detail.timedOut === true };
  return { error: { code: 'subagent/no-result', message, data }, observed: [], events };
}

async function isDirectory(path: string, { host }: ToolContext): Promise<boolean> {
  try {
    return (await host.files.stat(path))?.kind === 'directory';
  } catch (error) {
    if (error instanceof FileError) return false;
    throw error;
  }
}

/** A word to a running agent. */
export async function messageAgent(
  { id, text }: MessageArgs,
  { agents }: ToolContext,
): Promise<ToolOutcome<MessageValue>> {
  const sent = await agents.message(id, text);
  return 'error' in sent ? { error: sent.error, observed: [] } : { value: { task: sent.task }, observed: [] };
}
