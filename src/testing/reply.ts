import type { RehearsalCall, RehearsalReply, RehearsalScript } from '../wire/rehearsal/index.ts';

/** What a reply may carry besides its text or calls. */
export type ReplyExtras = Omit<RehearsalReply, 'line' | 'calls'>;

/** `arguments`: a value, sent as compact JSON, or text that is sent as it is. */
export type CallInput = { id?: string; name: string; arguments?: string | Readonly<Record<string, unknown>> };

function text(words: string, extras: ReplyExtras = {}): RehearsalReply {
  return { ...extras, text: words };
}

function calls(called: readonly CallInput[], extras: ReplyExtras = {}): RehearsalReply {
  return { ...extras, calls: called.map(toCall) };
}

function toCall({ arguments: given = {}, ...call }: CallInput): RehearsalCall {
  return { ...call, arguments: typeof given === 'string' ? given : JSON.stringify(given) };
}

/** Replies of a rehearsal, written in code: `reply.text('Done.', { expect: { toolResult: ['ok'] } })`. */
export const reply: {
  /** The model says this and stops. */
  text(words: string, extras?: ReplyExtras): RehearsalReply;
  /** The model calls these tools; with `text` in the extras it says something first. */
  calls(called: readonly CallInput[], extras?: ReplyExtras): RehearsalReply;
} = { text, calls };

/** A script of these replies. `name` stands for it in messages. */
export function script(replies: readonly RehearsalReply[], name = 'script'): RehearsalScript {
  return { path: name, replies };
}
