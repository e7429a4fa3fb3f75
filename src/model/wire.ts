/** The three formats of requests to a model server. */
export type Wire = 'chat' | 'responses' | 'messages';

export const WIRES: readonly Wire[] = ['chat', 'responses', 'messages'];

export function isWire(text: string): text is Wire {
  return (WIRES as readonly string[]).includes(text);
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * How a harness wants its requests written, as data; `wire/` makes the bytes. `fields` are added to the body after
 * the messages, in this order; the value '$session' stands for the session's id.
 */
export type WireShape = {
  fields: readonly (readonly [name: string, value: Json])[];
  /** Whether `tools` is sent when there is none. */
  toolsWhenEmpty: 'omit' | 'empty-list';
  /** Trailing newlines of user messages are removed. */
  trimUserNewlines: boolean;
  /**
   * How an effort is written. Absent: as the model's control and the provider's quirks say. `folded`: three levels with
   * `thinking` beside them, and for models with a switch the switch alone (spec/kimi-cli.md 9).
   */
  effort?: 'folded';
  /** parts: the parts of a tool's result go out as a list, pictures among them; absent: its texts as one. */
  results?: 'parts';
  /** drop: calls without a result are not sent; absent: they are, each with a result that says so. */
  unanswered?: 'drop';
  /** Pictures are written with `id: null` beside their address. */
  imageIds?: true;
};
