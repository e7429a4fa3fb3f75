import { isRecord } from '../../base/index.ts';
import type { ServerRules } from './script.ts';

/** What the server remembers of its own answers: the reasoning it sent with a call, by the call's id. */
export type SentReasoning = ReadonlyMap<string, string>;

type Body = Record<string, unknown>;

/** Why a server with these rules refuses a request, in its words; null: it takes it. */
export function refusalOf(
  rules: ServerRules,
  body: unknown,
  sent: SentReasoning,
  states: ReadonlySet<string> = new Set(),
): string | null {
  if (!isRecord(body)) return null;
  const messages = (Array.isArray(body.messages) ? body.messages : []).filter(isRecord);
  const pictures = messages.reduce((count, message) => count + picturesIn(message), 0);
  return (
    refusedField(rules, body, messages, pictures) ??
    tooManyPictures(rules, pictures) ??
    wrongId(rules, messages) ??
    missingReasoning(rules, messages, sent) ??
    foreignState(rules, body, messages, states) ??
    null
  );
}

function refusedField(
  { refuses = [] }: ServerRules,
  body: Body,
  messages: readonly Body[],
  pictures: number,
): string | undefined {
  for (const name of refuses) {
    if (name === 'image' && pictures > 0) return 'this model does not support image input';
    if (Object.hasOwn(body, name)) return `unknown field "${name}"`;
    const at = messages.findIndex((message) => Object.hasOwn(message, name));
    if (at !== -1) return `messages[${at}]: unknown field "${name}"`;
  }
  return undefined;
}

/** A state that this server never gave, or that was changed on the way. */
function foreignState(
  { nativeCompaction }: ServerRules,
  body: Body,
  messages: readonly Body[],
  states: ReadonlySet<string>,
): string | undefined {
  if (body.compaction !== undefined && nativeCompaction !== true) return 'unknown field "compaction"';
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? content : [])).filter(isRecord);
  const foreign = parts.some(({ type, state }) => type === 'compaction' && !states.has(String(state)));
  return foreign ? 'the compaction state is none of this server' : undefined;
}

function tooManyPictures({ mostImages }: ServerRules, pictures: number): string | undefined {
  if (mostImages === undefined || pictures <= mostImages) return undefined;
  return `too many images: ${pictures} in the request, at most ${mostImages} are allowed`;
}

function picturesIn({ content }: Body): number {
  return (Array.isArray(content) ? content : []).filter((part) => isRecord(part) && part.type === 'image_url').length;
}

const ID_FORMS = { word: /^[A-Za-z0-9_-]{1,40}$/, nine: /^[A-Za-z0-9]{9}$/ };

function wrongId({ callIds }: ServerRules, messages: readonly Body[]): string | undefined {
  if (callIds === undefined) return undefined;
  const wrong = messages.flatMap(idsOf).find((id) => !ID_FORMS[callIds].test(id));
  return wrong === undefined ? undefined : `"${wrong}" is no valid id of a tool call`;
}

function missingReasoning(
  { reasoning }: ServerRules,
  messages: readonly Body[],
  sent: SentReasoning,
): string | undefined {
  if (reasoning === undefined) return undefined;
  for (const [at, message] of messages.entries()) {
    const ids = message.role === 'assistant' ? idsOf(message) : [];
    if (ids.length === 0) continue;
    const given = typeof message.reasoning_content === 'string' ? message.reasoning_content : '';
    const expected = ids.map((id) => sent.get(id)).find((text) => text !== undefined);
    const holds = reasoning === 'required' ? given.trim() !== '' : expected === undefined || given === expected;
    if (!holds) return `messages[${at}]: reasoning_content is missing, or is not the one that was sent`;
  }
  return undefined;
}

function idsOf({ tool_calls: calls, tool_call_id: answered }: Body): string[] {
  const called = (Array.isArray(calls) ? calls : []).map((call) => (isRecord(call) ? call.id : undefined));
  return [...called, answered].filter((id): id is string => typeof id === 'string');
}
