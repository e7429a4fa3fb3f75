import { isRecord, parseJson } from '../base/index.ts';
import type { JsonSchema } from '../model/index.ts';

export type BodyView = {
  /** The conversation in the wire's words, its leading system messages left out. */
  messages: unknown[];
  /** Each tool's schema, by name. */
  schemas: ReadonlyMap<string, JsonSchema>;
};

/** Reads a request's body back, of whichever wire: what a report shows beside the pieces. Empty where it is not JSON. */
export function readBody(body: string): BodyView {
  const parsed = parseJson(body);
  if (!isRecord(parsed)) return { messages: [], schemas: new Map() };
  const list = Array.isArray(parsed.messages) ? parsed.messages : Array.isArray(parsed.input) ? parsed.input : [];
  const first = list.findIndex((message) => !(isRecord(message) && message.role === 'system'));
  const tools = Array.isArray(parsed.tools) ? parsed.tools : [];
  return {
    messages: first === -1 ? [] : list.slice(first),
    schemas: new Map(tools.flatMap((tool): [string, JsonSchema][] => schemaOf(tool))),
  };
}

function schemaOf(tool: unknown): [string, JsonSchema][] {
  if (!isRecord(tool)) return [];
  const inner = isRecord(tool.function) ? tool.function : tool;
  const schema = inner.parameters ?? inner.input_schema;
  return typeof inner.name === 'string' && isRecord(schema) ? [[inner.name, schema as JsonSchema]] : [];
}
