import { ReinError } from '../base/index.ts';

/**
 * A command that cannot be carried out now. Codes: command/unknown, command/not-built, command/busy,
 * command/no-target, command/invalid, command/ended, facet/none, facet/unknown, directory/none, directory/bottom,
 * directory/too-many.
 */
export class CommandError extends ReinError {}

/** The turn could not go on for a reason of the engine's own. Codes: turn/needs-unbounded, turn/tool-missing. */
export class TurnError extends ReinError {}

/** A call needed a person and nobody could be asked. Code: permission/needed; `data`: tool, subjects, rules. */
export class PermissionNeeded extends ReinError {}
