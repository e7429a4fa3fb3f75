import type { Json, Message, ModelInfo, ModelRequest, ToolSpec, WireShape } from '../../model/index.ts';
import { toBodyJson } from '../body-json.ts';
import { assertPairedCalls } from './assert-paired-calls.ts';
import { encodeMessage } from './encode-message.ts';

/**
 * Writes requests of the chat wire. A message that was written once is remembered by identity, so history that did not
 * change costs nothing and has the same bytes.
 */
export class ChatEncoder {
  readonly #info: ModelInfo;
  readonly #reasoningOf: string | null;
  // By shape, since a shape changes a message's bytes; the empty string stands for a message that is not sent.
  readonly #written = new WeakMap<WireShape, WeakMap<Message, string>>();

  constructor(info: ModelInfo, replaysReasoning: boolean) {
    this.#info = info;
    this.#reasoningOf = replaysReasoning ? info.provider : null;
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
    for (const message of request.messages) {
      let text = written.get(message);
      if (text === undefined) {
        text = this.#write(message, request);
        written.set(message, text);
      }
      if (text !== '') body.push(text);
    }
    body.push(encodeFields(request), `${encodeTools(request)}${encodeEffort(request.effort)}}`);
    return body;
  }

  #writtenIn(shape: WireShape): WeakMap<Message, string> {
    const known = this.#written.get(shape);
    if (known !== undefined) return known;
    const fresh = new WeakMap<Message, string>();
    this.#written.set(shape, fresh);
    return fresh;
  }

  #write(message: Message, request: ModelRequest): string {
    const { trimUserNewlines } = request.shape;
    const json = encodeMessage(message, { reasoningOf: this.#reasoningOf, trimUserNewlines, media: request.media });
    return json === null ? '' : `,${json}`;
  }
}

function encodeFields(request: ModelRequest): string {
  const fields = request.shape.fields.map(([name, value]) => {
    const sent: Json = value === '$session' ? request.sessionId : value;
    return `${toBodyJson(name)}:${toBodyJson(sent)},`;
  });
  return `],${fields.join('')}"stream":true,"stream_options":{"include_usage":true}`;
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

function encodeEffort(effort: string | undefined): string {
  return effort === undefined ? '' : `,"reasoning_effort":${toBodyJson(effort)}`;
}
