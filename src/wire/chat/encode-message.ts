import { isRecord, parseJson } from '../../base/index.ts';
import {
  type CallPart,
  isCall,
  isText,
  type MediaPart,
  type Message,
  type ModelInfo,
  type ModelRequest,
  type Part,
  type Quirks,
  takesImages,
  textOf,
  type WireShape,
} from '../../model/index.ts';
import { toBodyJson } from '../body-json.ts';
import { callId } from './call-id.ts';
import { NO_REASONING, pictureLeftOut } from './stand-ins.ts';

export type MessageEncoding = {
  info: ModelInfo;
  quirks: Quirks;
  shape: WireShape;
  media: ModelRequest['media'];
};

type AssistantMessage = Extract<Message, { role: 'assistant' }>;

/** A message in the chat wire's words, as JSON; null where nothing of it is sent (an answer without text and calls). */
export function encodeMessage(message: Message, encoding: MessageEncoding): string | null {
  if (message.role === 'user') return encodeUser(message, encoding);
  if (message.role === 'assistant') return encodeAssistant(message, encoding);
  const content = toolContent(message.parts, encoding);
  return toBodyJson({ role: 'tool', tool_call_id: callId(message.call.id, encoding.quirks.call_ids), content });
}

/** A provider's own state of the conversation goes back to it as it came, and to no other. */
function encodeUser(message: Extract<Message, { role: 'user' }>, encoding: MessageEncoding): string | null {
  const { opaque, parts } = message;
  if (opaque === undefined) return toBodyJson({ role: 'user', content: userContent(parts, encoding) });
  if (opaque.provider !== encoding.info.provider) return null;
  return toBodyJson({ role: 'user', content: [{ type: 'compaction', state: opaque.data }] });
}

function encodeAssistant(message: AssistantMessage, encoding: MessageEncoding): string | null {
  const { quirks } = encoding;
  const text = textOf(message.parts);
  const calls = message.parts.filter(isCall);
  if (text === '' && calls.length === 0) return null;
  return toBodyJson({
    role: 'assistant',
    ...(text === '' ? nullContent(quirks) : { content: text }),
    ...encodeReasoning(message, calls.length > 0, encoding),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map((call) => encodeCall(call, encoding)) }),
  });
}

function nullContent({ null_content: form }: Quirks): { content?: null | '' } {
  if (form === 'omit') return {};
  return { content: form === 'empty' ? '' : null };
}

/** Only what the same model wrote: to another one it would be foreign, and many servers refuse the field. */
function encodeReasoning(
  { parts, source }: AssistantMessage,
  hasCalls: boolean,
  { info, quirks }: MessageEncoding,
): Record<string, string> {
  const { reasoning_replay: field, empty_reasoning: empty } = quirks;
  if (field === 'none') return {};
  const own = source.provider === info.provider && source.model === info.id;
  const reasoning = own ? parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('') : '';
  if (reasoning.trim() !== '') return { [field]: reasoning };
  return hasCalls && empty === 'placeholder' ? { [field]: NO_REASONING } : {};
}

function encodeCall(call: CallPart, { info, quirks }: MessageEncoding): unknown {
  return {
    id: callId(call.id, quirks.call_ids),
    type: 'function',
    function: { name: call.name, arguments: argumentsText(call.arguments) },
    ...(call.opaque?.provider === info.provider ? { extra_content: call.opaque.data } : {}),
  };
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
  const trimmed = encoding.shape.trimUserNewlines ? shown.map(trimNewlines) : shown;
  const [only] = trimmed;
  if (only === undefined) return '';
  if (trimmed.length === 1 && isText(only)) return only.text;
  return trimmed.filter((part) => !isText(part) || part.text !== '').map((part) => encodeContent(part, encoding));
}

function trimNewlines(part: Part): Part {
  return isText(part) ? { type: 'text', text: part.text.replace(/\n+$/, '') } : part;
}

function toolContent(parts: readonly Part[], encoding: MessageEncoding): unknown {
  if (encoding.shape.results === 'parts') return listed(parts, encoding);
  const apart = encoding.quirks.tool_images === 'after-results' && takesImages(encoding.info);
  if (apart || !parts.some((part) => part.type === 'media')) return textOf(parts);
  return parts
    .filter((part) => (isText(part) && part.text !== '') || part.type === 'media')
    .map((part) => encodeContent(part, encoding));
}

/** One text alone is just that text. */
function listed(parts: readonly Part[], encoding: MessageEncoding): unknown {
  const shown = parts.filter((part) => isText(part) || part.type === 'media');
  const [only] = shown;
  if (shown.length === 1 && only !== undefined && isText(only)) return only.text;
  return shown.map((part) => encodeContent(part, encoding));
}

function encodeContent(part: Part, encoding: MessageEncoding): unknown {
  if (isText(part)) return { type: 'text', text: part.text };
  return part.type === 'media' ? encodePicture(part, encoding) : { type: 'text', text: '' };
}

function encodePicture({ sha256, mime }: MediaPart, { info, media, shape }: MessageEncoding): unknown {
  if (!takesImages(info)) return { type: 'text', text: pictureLeftOut(mime, 'this model takes text alone') };
  const stored = media(sha256);
  if (stored === undefined) return { type: 'text', text: pictureLeftOut(mime, 'no longer available') };
  if (!stored.mime.startsWith('image/')) {
    return { type: 'text', text: pictureLeftOut(stored.mime, 'cannot be shown to this model') };
  }
  const id = shape.imageIds === true ? { id: null } : {};
  return { type: 'image_url', image_url: { url: `data:${stored.mime};base64,${stored.base64}`, ...id } };
}
