import type { Json, ToolFailure, Turn } from '../../../model/index.ts';
import type { ToolFace, ToolOutcome } from '../../../tools/contract/index.ts';
import { describeTool } from '../../faces/face.ts';
import { type KimiResult, resultParts } from '../tool-result.ts';
import { type KimiParameter, kimiSchema, parseKimiArguments } from './kimi-arguments.ts';

export type KimiFaceParts<A, R> = {
  name: string;
  description: string;
  executor: string;
  parameters: readonly KimiParameter[];
  /** `given` has every parameter, with its default. `executor`: where these arguments are another one's. */
  toArgs(given: Readonly<Record<string, Json>>): { args: A; executor?: string } | { error: ToolFailure };
  /**
   * What becomes of a value; a failure is its message as an error unless `toFailure` words it. `args`: of the call, as
   * `toArgs` gave them; absent where nothing ran.
   */
  toResult(value: R, outcome: ToolOutcome<R>, turn: Turn, args: A | undefined): KimiResult;
  toFailure?(error: ToolFailure, turn: Turn, args: A | undefined): KimiResult;
};

/** A tool as kimi-cli shows it (spec/kimi-cli.md 11, 12). */
export function kimiFace<A, R>(parts: KimiFaceParts<A, R>): ToolFace {
  const { name, description, parameters } = parts;
  return {
    name,
    description: describeTool(name, description),
    schema: kimiSchema(parameters),
    toCall(id, text) {
      const parsed = parseKimiArguments(text, parameters);
      if ('error' in parsed) return parsed;
      const made = parts.toArgs(parsed.value);
      if ('error' in made) return made;
      return { call: { id, name, executor: made.executor ?? parts.executor, args: made.args } };
    },
    toParts(outcome, turn, call) {
      const args = call?.args as A | undefined;
      if ('error' in outcome) {
        const { error } = outcome;
        return resultParts(parts.toFailure?.(error, turn, args) ?? { message: error.message, failed: true });
      }
      return resultParts(parts.toResult(outcome.value as R, outcome as ToolOutcome<R>, turn, args));
    },
  };
}
