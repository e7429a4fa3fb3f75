import type { Json, Message, ModelInfo, ModelRequest, Quirks, ToolSpec, WireShape } from '../../model/index.ts';
import { toBodyJson } from '../body-json.ts';
import { MessageArranger } from './arrange-messages.ts';
import { assertPairedCalls } from './assert-paired-calls.ts';
import { encodeEffort, encodeFoldedEffort, type Field } from './encode-effort.ts';
import { encodeMessage, type MessageEncoding } from './encode-message.ts';

/**
 * Writes requests of the chat wire. A message that was written once is remembered by identity, so history that did not
 * change costs nothing and has the same bytes.
 */
export class ChatEncoder {
  readonly #info: ModelInfo;
  readonly #quirks: Quirks;
  readonly #arranger: MessageArranger;
  // By shape, since a shape changes a message's bytes; the empty string stands for a message that is not sent.
  readonly #written = new WeakMap<WireShape, WeakMap<Message, string>>();

  constructor(info: ModelInfo, quirks: Quirks) {
    this.#info = info;
    this.#quirks = quirks;
    this.#arranger = new MessageArranger(info, quirks);
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
    for (const message of this.#arranger.arrange(request.messages, request.shape)) {
      const text = write(message, written, encoding);
      if (text !== '') body.push(text);
    }
    const fields = this.#allowed(this.#fieldsOf(request));
    const effort = this.#allowed(this.#effortOf(request));
    body.push(`],${fields.map(encodeField).join(',')}`);
    body.push(`${encodeTools(request)}${effort.map((field) => `,${encodeField(field)}`).join('')}}`);
    return body;
  }

  #encodingOf({ shape, media }: ModelRequest): MessageEncoding {
    return { info: this.#info, quirks: this.#quirks, shape, media };
  }

  #writtenIn(shape: WireShape): WeakMap<Message, string> {
    const known = this.#written.get(shape);
    if (known !== undefined) return known;
    const fresh = new WeakMap<Message, string>();
    this.#written.set(shape, fresh);
    return fresh;
  }

  #fieldsOf(request: ModelRequest): Field[] {
    const { shape, sessionId } = request;
    const limitField = this.#quirks.max_tokens_field;
    const fields = shape.fields.map(([name, value]): Field => {
      if (name === 'max_tokens' && typeof value === 'number') return [limitField, this.#capped(value)];
      return [name, value === '$session' ? sessionId : value];
    });
    const { outputLimit } = this.#info;
    const limited = fields.some(([name]) => name === limitField);
    if (!limited && outputLimit !== null) fields.push([limitField, this.#capped(outputLimit)]);
    if (request.native === true) fields.push(['compaction', { type: 'native' } satisfies Json]);
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

function write(message: Message, written: WeakMap<Message, string>, encoding: MessageEncoding): string {
  const known = written.get(message);
  if (known !== undefined) return known;
  const json = encodeMessage(message, encoding);
  const text = json === null ? '' : `,${json}`;
  written.set(message, text);
  return text;
}

function encodeField([name, value]: Field): string {
  return `${toBodyJson(name)}:${toBodyJson(value)}`;
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
