import type { Json, Message, ModelInfo, ModelRequest, Quirks, ToolSpec, WireShape } from '../../model/index.ts';
import { toBodyJson } from '../body-json.ts';
import { assertPairedCalls } from './assert-paired-calls.ts';
import { encodeEffort, encodeFoldedEffort, type Field } from './encode-effort.ts';
import {
  ENCODED_ANSWER,
  encodeMessage,
  encodePictures,
  type MessageEncoding,
  type ToolMessage,
} from './encode-message.ts';

type Written = {
  messages: WeakMap<Message, string>;
  /** By the last result of a run: the run, since an earlier one may be replaced, and what follows it. */
  pictures: WeakMap<Message, { run: readonly ToolMessage[]; text: string | null }>;
};

/**
 * Writes requests of the chat wire. A message that was written once is remembered by identity, so history that did not
 * change costs nothing and has the same bytes.
 */
export class ChatEncoder {
  readonly #info: ModelInfo;
  readonly #quirks: Quirks;
  // By shape, since a shape changes a message's bytes; the empty string stands for a message that is not sent.
  readonly #written = new WeakMap<WireShape, Written>();

  constructor(info: ModelInfo, quirks: Quirks) {
    this.#info = info;
    this.#quirks = quirks;
  }

  /**
   * The body in stretches: `{"model":…,"messages":[`, the system message, one for each message with its leading comma,
   * the fields after the messages, tools and the end. Throws ModelError `bad-request` where a call lacks its result.
   */
  encode(request: ModelRequest): string[] {
    assertPairedCalls(request.messages);
    const body = [
      `{"model":${toBodyJson(this.#info.id)},"messages":[`,
      toBodyJson({ role: 'system', content: request.system }),
    ];
    const written = this.#writtenIn(request.shape);
    const encoding = this.#encodingOf(request);
    let run: ToolMessage[] = [];
    for (const [index, message] of request.messages.entries()) {
      const text = this.#write(message, written, encoding);
      if (text !== '') body.push(text);
      if (message.role !== 'tool') continue;
      run.push(message);
      const next = request.messages[index + 1];
      if (next?.role === 'tool') continue;
      body.push(...this.#afterResults(run, next, written, encoding));
      run = [];
    }
    const fields = this.#allowed(this.#fieldsOf(request));
    const effort = this.#allowed(this.#effortOf(request));
    body.push(`],${fields.map(([name, value]) => `${toBodyJson(name)}:${toBodyJson(value)}`).join(',')}`);
    body.push(`${encodeTools(request)}${effort.map(([name, value]) => `,"${name}":${toBodyJson(value)}`).join('')}}`);
    return body;
  }

  #encodingOf({ shape, media }: ModelRequest): MessageEncoding {
    return { info: this.#info, quirks: this.#quirks, trimUserNewlines: shape.trimUserNewlines, media };
  }

  #writtenIn(shape: WireShape): Written {
    const known = this.#written.get(shape);
    if (known !== undefined) return known;
    const fresh: Written = { messages: new WeakMap(), pictures: new WeakMap() };
    this.#written.set(shape, fresh);
    return fresh;
  }

  #write(message: Message, written: Written, encoding: MessageEncoding): string {
    const known = written.messages.get(message);
    if (known !== undefined) return known;
    const json = encodeMessage(message, encoding);
    const text = json === null ? '' : `,${json}`;
    written.messages.set(message, text);
    return text;
  }

  /** What some servers need between the results of a batch and what comes after them. */
  #afterResults(
    run: readonly ToolMessage[],
    next: Message | undefined,
    written: Written,
    encoding: MessageEncoding,
  ): string[] {
    const pictures = this.#pictures(run, written, encoding);
    const userFollows = pictures !== null || next?.role === 'user';
    const answer = this.#quirks.answer_after_results && userFollows ? [`,${ENCODED_ANSWER}`] : [];
    return pictures === null ? answer : [...answer, `,${pictures}`];
  }

  #pictures(run: readonly ToolMessage[], written: Written, encoding: MessageEncoding): string | null {
    const last = run.at(-1);
    if (last === undefined || !run.some(({ parts }) => parts.some((part) => part.type === 'media'))) return null;
    const known = written.pictures.get(last);
    const same = known?.run.length === run.length && known.run.every((message, index) => message === run[index]);
    if (known !== undefined && same) return known.text;
    const text = encodePictures(run, encoding);
    written.pictures.set(last, { run: [...run], text });
    return text;
  }

  #fieldsOf({ shape, sessionId }: ModelRequest): Field[] {
    const limitField = this.#quirks.max_tokens_field;
    const fields = shape.fields.map(([name, value]): Field => {
      if (name === 'max_tokens' && typeof value === 'number') return [limitField, this.#capped(value)];
      return [name, value === '$session' ? sessionId : value];
    });
    const { outputLimit } = this.#info;
    const limited = fields.some(([name]) => name === limitField);
    if (!limited && outputLimit !== null) fields.push([limitField, this.#capped(outputLimit)]);
    fields.push(['stream', true]);
    if (this.#quirks.stream_usage) fields.push(['stream_options', { include_usage: true } satisfies Json]);
    return fields;
  }

  #capped(tokens: number): number {
    return Math.min(tokens, this.#info.outputLimit ?? tokens, this.#quirks.max_tokens_cap ?? tokens);
  }

  #effortOf({ effort, shape }: ModelRequest): readonly Field[] {
    const { reasoning } = this.#info;
    if (shape.effort === 'folded') return encodeFoldedEffort(effort, reasoning);
    return encodeEffort(effort, { reasoning, switch: this.#quirks.reasoning_switch });
  }

  #allowed(fields: readonly Field[]): readonly Field[] {
    return fields.filter(([name]) => !this.#quirks.drop_fields.includes(name));
  }
}

function encodeTools(request: ModelRequest): string {
  if (request.tools.length === 0 && request.shape.toolsWhenEmpty === 'omit') return '';
  return `,"tools":${toBodyJson(request.tools.map(encodeTool))}`;
}

function encodeTool(tool: ToolSpec): unknown {
  return {
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters: tool.schema },
  };
}
