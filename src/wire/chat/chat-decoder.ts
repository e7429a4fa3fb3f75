import { isRecord } from '../../base/index.ts';
import { ModelError, type ModelEvent, NO_USAGE, type StopReason, type Usage } from '../../model/index.ts';
import { failureInStream } from '../provider-failure.ts';
import { CallAssembler } from './call-assembler.ts';
import { readUsage } from './read-usage.ts';
import { stateOfJson } from './state-of-json.ts';

/**
 * Turns the chunks of one streamed answer into events. Takes a whole answer (`message` in place of `delta`) as well,
 * which servers send that do not know streaming. `usage` of the finish is the constant NO_USAGE itself where the
 * server told none.
 */
export class ChatDecoder {
  /** Without credentials: for messages. */
  readonly #url: string;
  readonly #calls: CallAssembler;
  #open: 'text' | 'reasoning' | null = null;
  #reason: string | null = null;
  #usage: Usage | undefined;
  #marked = false;
  /** Stands for the whole conversation, where the server was asked for it. */
  #state: unknown;
  readonly #provider: string;

  /** `provider`: whose state comes with the calls. */
  constructor(url: string, provider: string, makeId: () => string) {
    this.#url = url;
    this.#provider = provider;
    this.#calls = new CallAssembler(provider, makeId);
  }

  /** One chunk's value. Throws ModelError for an error inside the stream. */
  push(chunk: unknown): ModelEvent[] {
    if (!isRecord(chunk)) return [];
    if (chunk.error !== undefined && chunk.error !== null) throw failureInStream(chunk, this.#url);
    this.#usage = readUsage(chunk.usage) ?? this.#usage;
    const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
    if (!isRecord(choice)) return [];
    this.#usage = readUsage(choice.usage) ?? this.#usage;
    const delta = choice.delta ?? choice.message;
    const events = isRecord(delta) ? this.#delta(delta) : [];
    if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') this.#reason = choice.finish_reason;
    if (this.#reason === 'error') throw failureInStream(choice.error ?? { message: 'an error' }, this.#url);
    return events;
  }

  /** The server's end mark: an answer without a finish reason is complete all the same. */
  mark(): void {
    this.#marked = true;
  }

  /** After the last chunk. Throws ModelError `truncated` where neither a reason nor the end mark came. */
  end(): ModelEvent[] {
    if (this.#reason === null && !this.#marked) {
      const text = `the answer of ${new URL(this.#url).host} ended in its middle, without a finish reason`;
      throw new ModelError('truncated', text, { url: this.#url });
    }
    return [
      ...this.#close(),
      ...this.#calls.end(),
      {
        type: 'finish',
        stop: this.#stop(),
        usage: this.#usage ?? NO_USAGE,
        ...(this.#state === undefined ? {} : { opaque: { provider: this.#provider, data: this.#state } }),
      },
    ];
  }

  #delta(delta: Record<string, unknown>): ModelEvent[] {
    const events: ModelEvent[] = [];
    const reasoning = [delta.reasoning_content, delta.reasoning, delta.reasoning_text].find(isText);
    if (reasoning !== undefined) events.push(...this.#write('reasoning', reasoning));
    for (const part of contentParts(delta.content)) events.push(...this.#write(part.kind, part.text));
    if (isText(delta.refusal)) events.push(...this.#write('text', delta.refusal));
    if (delta.compaction_state !== undefined && delta.compaction_state !== null) this.#state = delta.compaction_state;
    const calls = Array.isArray(delta.tool_calls) ? delta.tool_calls : [];
    if (calls.length > 0) events.push(...this.#close());
    for (const call of calls) events.push(...this.#calls.add(call));
    return events;
  }

  #write(kind: 'text' | 'reasoning', text: string): ModelEvent[] {
    const events: ModelEvent[] = [];
    if (this.#open !== kind) {
      events.push(...this.#close(), { type: `${kind}-start` });
      this.#open = kind;
    }
    events.push({ type: `${kind}-delta`, text });
    return events;
  }

  #close(): ModelEvent[] {
    const open = this.#open;
    this.#open = null;
    return open === null ? [] : [{ type: `${open}-end` }];
  }

  /**
   * Complete calls decide, whatever word the server ends with. Arguments that stop in their middle were cut by the
   * output limit, also where the server calls that a normal stop; arguments that are closed and broken are the model's
   * own mistake and reach it as such.
   */
  #stop(): StopReason {
    if (this.#reason === 'length' || this.#reason === 'max_tokens') return 'length';
    if (this.#reason === 'content_filter') return 'filter';
    if (this.#calls.calls.length === 0) return 'end';
    return this.#calls.calls.some((call) => stateOfJson(call.arguments) === 'cut') ? 'length' : 'calls';
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** A string, or Mistral's list of text and thinking parts. */
function contentParts(content: unknown): { kind: 'text' | 'reasoning'; text: string }[] {
  if (isText(content)) return [{ kind: 'text', text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown): { kind: 'text' | 'reasoning'; text: string }[] => {
    if (!isRecord(part)) return [];
    if (isText(part.text)) return [{ kind: 'text', text: part.text }];
    return contentParts(part.thinking).map(({ text }) => ({ kind: 'reasoning', text }));
  });
}
