import { isRecord, parseJson } from '../../base/index.ts';
import type { Json, JsonSchema } from '../../model/index.ts';
import type { ExitArgs, ExitValue, ToolFace, ToolOutcome } from '../../tools/contract/index.ts';
import { describeTool } from './face.ts';

export type ExitWords = { name: string; description: string; schema: JsonSchema };

/** Executor `exit`. The parameters are what the definition's schema says, and nothing else is looked at here. */
export function exitFace({ name, description, schema }: ExitWords): ToolFace {
  return {
    name,
    description: describeTool(name, description),
    schema,
    toCall(id, text) {
      const value = text.trim() === '' ? {} : parseJson(text);
      if (value === undefined || !isRecord(value)) {
        return { error: { code: 'arguments/invalid', message: 'the arguments are not a JSON object' } };
      }
      const args: ExitArgs = { value: value as Json, schema };
      return { call: { id, name, executor: 'exit', args } };
    },
    toParts(outcome) {
      const ended = outcome as ToolOutcome<ExitValue>;
      return [
        { type: 'text', text: 'error' in ended ? `Error: ${ended.error.message}` : 'Your caller has the result.' },
      ];
    },
  };
}
