import type { Diagnostic } from '../base/index.ts';
import { type Command, type TransientEvent, type World, workingDirectory } from '../model/index.ts';
import { beginAnew } from './begin-anew.ts';
import type { ChoiceKeeper } from './choice-keeper.ts';
import { compactByCommand } from './compaction/compact-command.ts';
import { enterDirectory, leaveDirectory } from './directory-commands.ts';
import { CommandError } from './error.ts';
import { changeFacet } from './facet-command.ts';
import type { AgentParts } from './parts.ts';
import { reload } from './reload-command.ts';

export type CommandScope = {
  parts: AgentParts;
  choices: ChoiceKeeper;
  /** The harness's sources as they were last seen; null: never in this run. */
  looked(): World | null;
  reloaded(world: World): void;
  tell(diagnostic: Diagnostic): void;
  emit(event: TransientEvent): void;
  /** Of the command. */
  signal: AbortSignal;
};

export type CommandValue = Record<string, unknown> | undefined;

/** A command that is no message: what changes the session between two turns. Throws CommandError and UsageError. */
export async function carryOutCommand(command: Command, scope: CommandScope): Promise<CommandValue> {
  const { parts, choices } = scope;
  const { log } = parts;
  switch (command.type) {
    case 'tools':
      await choices.tools(command);
      return undefined;
    case 'harness':
      await choices.harness(command.to);
      if (command.new === true) beginAnew(parts, false);
      return undefined;
    case 'model':
      await choices.model(command.to);
      return undefined;
    case 'effort':
      choices.effort(command.to);
      return undefined;
    case 'permission-mode':
      choices.permissionMode(command.to);
      return undefined;
    case 'facet':
      return await changeFacet(parts, command.to);
    case 'compact':
      return await compactByCommand(parts, command.guidance ?? null, scope.signal, scope.emit);
    case 'clear':
      beginAnew(parts, command.plan === true);
      return undefined;
    case 'pushd':
      await enterDirectory(parts, command.path);
      return whereabouts(parts);
    case 'popd':
      leaveDirectory(parts);
      return whereabouts(parts);
    case 'reload':
      return await reload(scope);
    case 'rewind':
      return { text: rewind(parts, command.to), files: 'unchanged' };
    case 'fork':
      return { session: await fork(parts, command.at ?? null) };
    case 'title':
      log.note({ type: 'title', text: command.text });
      return undefined;
    default:
      throw new CommandError(
        'command/not-built',
        `this version cannot carry out the command ${JSON.stringify(command.type)} yet`,
      );
  }
}

/** The session goes on as it is; its copy is a session of its own from here. */
function fork({ log, copySession }: AgentParts, at: string | null): Promise<string> {
  if (log.path === null) {
    throw new CommandError('command/not-stored', 'a session that is kept in memory alone cannot be copied');
  }
  if (at !== null && !log.branch().some(({ id }) => id === at)) {
    throw new CommandError(
      'command/no-target',
      `no event ${JSON.stringify(at.slice(0, 100))} on this branch to copy to`,
    );
  }
  return copySession(at);
}

function whereabouts({ log }: AgentParts): CommandValue {
  const state = log.state();
  return { stack: [...state.directories], cwd: workingDirectory(state) };
}

/**
 * To the point before a prompt, whose text is returned, or to a clear or compaction, which stays: then null. Files are
 * not rewound.
 */
function rewind({ log }: AgentParts, to: string): string | null {
  const event = log.branch().find(({ id }) => id === to);
  if (event?.type === 'clear' || event?.type === 'compaction') {
    log.append({ type: 'rewind', to: event.id });
    return null;
  }
  if (event?.type !== 'prompt') {
    const message = `no prompt, clear or compaction ${JSON.stringify(to.slice(0, 100))} on this branch to go back to`;
    throw new CommandError('command/no-target', message);
  }
  log.append({ type: 'rewind', to: event.parentId });
  return event.typed ?? event.text;
}
