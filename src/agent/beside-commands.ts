import type { Command, Task, World } from '../model/index.ts';
import { lookAround } from './begin-turn.ts';
import type { Beside } from './beside.ts';
import { CommandError } from './error.ts';
import type { AgentParts } from './parts.ts';
import type { CommandValue } from './session-commands.ts';

type BesideCommand = Extract<Command, { type: 'jobs' | 'subagents' | 'tasks' | 'stop' }>;

const ALL: ReadonlySet<string> = new Set<BesideCommand['type']>(['jobs', 'subagents', 'tasks', 'stop']);

/** Commands about what runs beside the conversation: they are carried out while a turn runs, too. */
export function isAboutBeside(command: Command): command is BesideCommand {
  return ALL.has(command.type);
}

/** Throws CommandError command/no-target. */
export async function carryOutBeside(
  command: BesideCommand,
  { parts, beside, looked }: { parts: AgentParts; beside: Beside; looked: World | null },
): Promise<CommandValue> {
  switch (command.type) {
    case 'jobs':
      return { jobs: jobsOf(beside) };
    case 'tasks':
      return { tasks: parts.log.state().todos };
    case 'subagents':
      return {
        subagents: await definitions(parts, looked),
        runs: jobsOf(beside).filter(({ kind }) => kind === 'agent'),
      };
    case 'stop': {
      const task = (await beside.known?.cancel(command.id, 'stopped by the user')) ?? null;
      if (task === null) throw noTask(command.id);
      return { job: task };
    }
  }
}

function jobsOf(beside: Beside): readonly Task[] {
  return beside.known?.list() ?? [];
}

function noTask(id: string): CommandError {
  return new CommandError('command/no-target', `there is no job ${JSON.stringify(id.slice(0, 100))}`);
}

async function definitions(parts: AgentParts, looked: World | null): Promise<unknown> {
  const session = parts.log.state();
  const world = looked ?? (await lookAround(parts, session, 'turn'));
  const settings = parts.settings(parts.harness.name);
  return parts.harness.subagents?.list({ world, session, settings }) ?? [];
}

/** A word into the work of a running agent. Throws CommandError command/no-target. */
export function steerAgent(id: string, text: string, beside: Beside): void {
  const sent = beside.known === null ? null : beside.runs().message(id, text);
  if (sent === null)
    throw new CommandError('command/no-target', `there is no agent ${JSON.stringify(id.slice(0, 100))}`);
  if ('error' in sent) throw new CommandError('command/no-target', sent.error.message);
}
