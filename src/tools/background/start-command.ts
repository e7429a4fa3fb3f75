import { hasEnded } from '../../model/index.ts';
import { commandShell } from '../command-shell.ts';
import type { StartArgs, StartValue, ToolContext, ToolOutcome } from '../contract/index.ts';
import { unattended } from '../unattended.ts';

/** Starts a command that runs beside the conversation, with the environment that all commands have. */
export async function startCommand(
  { command, description, timeoutMs, service }: StartArgs,
  { tasks, host, cwd, childEnv }: ToolContext,
): Promise<ToolOutcome<StartValue>> {
  const started = await tasks.startCommand({
    command,
    shell: await commandShell(host.files),
    description,
    cwd,
    env: unattended(childEnv),
    timeoutMs: timeoutMs ?? null,
    notify: service === true ? 'on-failure' : 'always',
  });
  if ('error' in started) return { error: started.error, observed: [] };
  const { task } = started;
  // One that could not be started has ended, and this result says so.
  const told = hasEnded(task) ? { events: [{ type: 'task-told' as const, tasks: [task.id] }] } : {};
  return { value: { task }, observed: [], ...told };
}
