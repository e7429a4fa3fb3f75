import { byteLength } from '../../base/index.ts';
import type { Segment } from '../../model/index.ts';
import { MAX_OUTPUT_BYTES } from './bounds.ts';

/** Neighbours of one source as one stretch, empty ones left out; lone surrogates, which no UTF-8 has, replaced. */
export function mergeSegments(segments: readonly Segment[]): Segment[] {
  const runs: { from: string | null; texts: string[] }[] = [];
  for (const { text, from } of segments) {
    if (text === '') continue;
    const last = runs.at(-1);
    if (last?.from === from) last.texts.push(text);
    else runs.push({ from, texts: [text] });
  }
  return runs.map(({ texts, from }) => ({ text: texts.join('').toWellFormed(), from }));
}

export function isTooLong(segments: readonly Segment[]): boolean {
  return segments.reduce((sum, { text }) => sum + byteLength(text), 0) > MAX_OUTPUT_BYTES;
}
