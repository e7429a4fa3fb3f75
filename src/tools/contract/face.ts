import type { Call, JsonSchema, Laid, Part, ToolFailure, Turn } from '../../model/index.ts';
import type { ToolOutcome } from './executor.ts';

/** How one harness shows an engine tool to the model: its words on top of an executor. It touches no file. */
export interface ToolFace {
  readonly name: string;
  readonly description: Laid;
  readonly schema: JsonSchema;
  /** `args`: the arguments as received. A failure here reaches the model as the call's result. */
  toCall(id: string, args: string): { call: Call } | { error: ToolFailure };
  /** `call`: what ran; absent where nothing did. */
  toParts(outcome: ToolOutcome<unknown>, turn: Turn, call?: Call): Part[];
}
