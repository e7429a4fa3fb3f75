import { joinLaid, lay, shippedPiece } from '../../instructions/index.ts';
import type { Laid, MediaPart, Part, ToolFailure, Turn } from '../../model/index.ts';
import type { ToolFace, ToolOutcome } from '../../tools/contract/index.ts';
import { type Parameter, type ParsedArguments, parametersSchema, parseArguments } from './arguments.ts';

/** What the faces of one capability differ in, and what they say. */
export type FaceParts<A, R> = {
  name: string;
  executor: string;
  /** The program's own words, or a layout where others have a part in it. */
  description: string | Laid;
  parameters: readonly Parameter[];
  /** `executor`: where these arguments are another one's. */
  toArgs(given: ParsedArguments): { args: A; executor?: string } | { error: ToolFailure };
  /** The result as text; exactly what the model gets. */
  toText(value: R, outcome: ToolOutcome<R>, turn: Turn): string;
  /** What the model sees beside the text. */
  toMedia?(value: R): MediaPart[];
};

/** The program's own words for a tool, with what follows them in the description; nothing follows where that is empty. */
export function describeTool(name: string, text: string, list: Laid = []): Laid {
  const own = lay(
    shippedPiece({
      id: `tool/${name}`,
      kind: 'tool-description',
      placement: 'tools',
      rule: 'Tells the model what the tool does, with the tool list of every request.',
      text,
    }),
    'every-request',
  );
  return list.length === 0 ? own : joinLaid(own, '\n\n', list);
}

/** A tool as a harness shows it: a text part for each result, then its media; a failure is `Error: ` and what went wrong. */
export function makeFace<A, R>(parts: FaceParts<A, R>): ToolFace {
  const { name, description } = parts;
  return {
    name,
    description: typeof description === 'string' ? describeTool(name, description) : description,
    schema: parametersSchema(parts.parameters),
    toCall(id, text) {
      const parsed = parseArguments(text, parts.parameters);
      if ('error' in parsed) return parsed;
      const made = parts.toArgs(parsed.value);
      if ('error' in made) return made;
      return { call: { id, name, executor: made.executor ?? parts.executor, args: made.args } };
    },
    toParts(outcome, turn): Part[] {
      const text =
        'error' in outcome
          ? `Error: ${outcome.error.message}`
          : parts.toText(outcome.value as R, outcome as ToolOutcome<R>, turn);
      const media = 'error' in outcome ? [] : (parts.toMedia?.(outcome.value as R) ?? []);
      return [{ type: 'text', text }, ...media];
    },
  };
}

/** Closes a text's last line, where it has one, so that a notice can stand on a line of its own. */
export function closeLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** `12,345`. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
