import { isBlank } from '../base/index.ts';
import type { Command, Reminder } from '../model/index.ts';
import { CommandError } from './error.ts';

/** What the program has to tell; no reminders: the ends of tasks alone. */
export type Told = { type: 'told'; reminders: readonly Reminder[]; tag?: string };

/** What a session's queue holds: commands, a caller's word to its subagent, and what the program has to tell. */
export type Work = Command | { type: 'asked'; text: string; tag?: string } | Told;

/** A message without content would be refused by the server, with every request of the session after it. */
export function refuseEmpty(command: Extract<Command, { text: string }>): void {
  const hasParts = 'parts' in command && (command.parts ?? []).length > 0;
  if (isBlank(command.text) && !hasParts) {
    throw new CommandError('command/invalid', `${command.type}: there is nothing in it`);
  }
}

/** What a person may want to end: a turn, and the writing of a summary. */
export function takesTime(command: Work): boolean {
  return isMessage(command) || command.type === 'compact';
}

/** What starts a turn when none runs. */
export function isMessage(command: Work): boolean {
  return command.type === 'prompt' || command.type === 'steer' || command.type === 'asked' || command.type === 'told';
}
