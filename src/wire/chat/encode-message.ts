import { isRecord, parseJson } from '../../base/index.ts';
import {
  type CallPart,
  isCall,
  isText,
  type Message,
  type ModelRequest,
  type Part,
  textOf,
} from '../../model/index.ts';
import { toBodyJson } from '../body-json.ts';

export type MessageEncoding = {
  /** Whose own reasoning is sent back; null: nobody's. */
  reasoningOf: string | null;
  trimUserNewlines: boolean;
  media: ModelRequest['media'];
};

/** A message in the chat wire's words, as JSON; null where nothing of it is sent (an answer without text and calls). */
export function encodeMessage(message: Message, encoding: MessageEncoding): string | null {
  if (message.role === 'user') return toBodyJson({ role: 'user', content: userContent(message.parts, encoding) });
  if (message.role === 'assistant') return encodeAssistant(message, encoding);
  return toBodyJson({ role: 'tool', tool_call_id: message.call.id, content: toolContent(message.parts, encoding) });
}

function encodeAssistant(message: Extract<Message, { role: 'assistant' }>, encoding: MessageEncoding): string | null {
  const text = textOf(message.parts);
  const calls = message.parts.filter(isCall);
  if (text === '' && calls.length === 0) return null;
  const own = message.source.provider === encoding.reasoningOf;
  const reasoning = own ? message.parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('') : '';
  return toBodyJson({
    role: 'assistant',
    // Present even without text: some servers refuse a message without the key, none refuses null beside calls.
    content: text === '' ? null : text,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(encodeCall) }),
  });
}

function encodeCall(call: CallPart): unknown {
  return { id: call.id, type: 'function', function: { name: call.name, arguments: argumentsText(call.arguments) } };
}

/**
 * Arguments that are a JSON object go back byte for byte. Anything else (nothing, `null`, a cut or broken text) goes
 * back as `{}`: servers parse them again and refuse the whole request; what was wrong is in the call's result.
 */
function argumentsText(text: string): string {
  return isRecord(parseJson(text)) ? text : '{}';
}

function userContent(parts: readonly Part[], encoding: MessageEncoding): unknown {
  const shown = parts.filter((part) => isText(part) || part.type === 'media');
  const trimmed = encoding.trimUserNewlines ? shown.map(trimNewlines) : shown;
  const [only] = trimmed;
  if (only === undefined) return '';
  if (trimmed.length === 1 && isText(only)) return only.text;
  return trimmed.filter((part) => !isText(part) || part.text !== '').map((part) => encodeContent(part, encoding));
}

function trimNewlines(part: Part): Part {
  return isText(part) ? { type: 'text', text: part.text.replace(/\n+$/, '') } : part;
}

function toolContent(parts: readonly Part[], encoding: MessageEncoding): unknown {
  if (!parts.some((part) => part.type === 'media')) return textOf(parts);
  return parts
    .filter((part) => (isText(part) && part.text !== '') || part.type === 'media')
    .map((part) => encodeContent(part, encoding));
}

function encodeContent(part: Part, encoding: MessageEncoding): unknown {
  if (isText(part)) return { type: 'text', text: part.text };
  if (part.type !== 'media') return { type: 'text', text: '' };
  const stored = encoding.media(part.sha256);
  if (stored === undefined) return { type: 'text', text: `(${part.mime}: no longer available)` };
  if (!stored.mime.startsWith('image/'))
    return { type: 'text', text: `(${stored.mime}: cannot be shown to this model)` };
  return { type: 'image_url', image_url: { url: `data:${stored.mime};base64,${stored.base64}` } };
}
