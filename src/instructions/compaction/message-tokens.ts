import type { Message, Part } from '../../model/index.ts';
import { estimateTokens, PICTURE_TOKENS } from '../estimate-tokens.ts';

/** What a message costs beside its text: its role, its place, the ids of its calls. */
const FRAME_TOKENS = 6;

/** A message never changes once folded: counted once. */
const counted = new WeakMap<Message, number>();

/** About how many tokens a message takes of the window. */
export function messageTokens(message: Message): number {
  const known = counted.get(message);
  if (known !== undefined) return known;
  const tokens = message.parts.reduce((sum, part) => sum + partTokens(part), FRAME_TOKENS);
  counted.set(message, tokens);
  return tokens;
}

function partTokens(part: Part): number {
  switch (part.type) {
    case 'media':
      return PICTURE_TOKENS;
    case 'call':
      return estimateTokens(part.name) + estimateTokens(part.arguments) + FRAME_TOKENS;
    default:
      return estimateTokens(part.text);
  }
}

export function conversationTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + messageTokens(message), 0);
}
