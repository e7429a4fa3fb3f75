import type { PieceRef, Trigger } from './piece.ts';

/** State that only its provider understands; replayed to that provider byte for byte, to no other. */
export type ProviderState = { provider: string; data: unknown };

export type TextPart = {
  type: 'text';
  text: string;
  /** Which stretches (UTF-8 bytes of `text`) are pieces. */
  pieces?: { at: [number, number]; piece: PieceRef; trigger: Trigger }[];
};
export type MediaPart = { type: 'media'; sha256: string; mime: string };
export type ReasoningPart = {
  type: 'reasoning';
  text: string;
  opaque?: ProviderState;
};
/** `arguments` as received, byte for byte. */
export type CallPart = {
  type: 'call';
  id: string;
  name: string;
  arguments: string;
  /** Goes back with the call to the provider that gave it. */
  opaque?: ProviderState;
};

export type Part = TextPart | MediaPart | ReasoningPart | CallPart;

export function isCall(part: Part): part is CallPart {
  return part.type === 'call';
}

export function isText(part: Part): part is TextPart {
  return part.type === 'text';
}

/** All text parts, one after the other. */
export function textOf(parts: readonly Part[]): string {
  return parts
    .filter(isText)
    .map((part) => part.text)
    .join('');
}
