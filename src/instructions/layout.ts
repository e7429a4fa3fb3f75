import { byteLength, sha256 } from '../base/index.ts';
import type { Laid, Piece, Trigger } from '../model/index.ts';

export type LaidItem = Laid[number];

/** UTF-8 bytes [start, end) of the text. */
export type LaidSpan = { start: number; end: number; item: LaidItem };

/** The text, exactly as sent. */
export function layoutText(laid: Laid): string {
  let text = '';
  for (const item of laid) text += 'piece' in item ? item.piece.text : item.separator;
  return text;
}

/** Where each piece and each separator lies. Together the spans are the whole text, without gap or overlap. */
export function spansOf(laid: Laid): LaidSpan[] {
  let start = 0;
  return laid.map((item) => {
    const end = start + byteLength('piece' in item ? item.piece.text : item.separator);
    const span = { start, end, item };
    start = end;
    return span;
  });
}

/** One layout from parts: empty separators fall away and neighbouring ones become one, so equal texts lie equally. */
export function joinLaid(...parts: readonly (Laid | string)[]): Laid {
  const joined: LaidItem[] = [];
  for (const item of parts.flatMap((part): Laid => (typeof part === 'string' ? [{ separator: part }] : part))) {
    const last = joined.at(-1);
    if (!('separator' in item)) joined.push(item);
    else if (last !== undefined && 'separator' in last) joined[joined.length - 1] = merge(last, item);
    else if (item.separator !== '') joined.push(item);
  }
  return joined;
}

function merge(left: { separator: string }, right: { separator: string }): { separator: string } {
  return { separator: left.separator + right.separator };
}

/** The parts between a tag of the program's own and its end, each tag on a line of its own. The parts end their line. */
export function inTag(tag: string, ...parts: readonly (Laid | string)[]): Laid {
  return joinLaid(`<${tag}>\n`, ...parts, `</${tag}>`);
}

/** The layouts that are not empty, with the separator between each two. */
export function layBetween(separator: string, layouts: readonly Laid[]): Laid {
  const parts = layouts.filter((laid) => laid.length > 0);
  return joinLaid(...parts.flatMap((laid, index) => (index === 0 ? [laid] : [separator, laid])));
}

export function lay(piece: Piece, trigger: Trigger): Laid {
  return [{ piece, trigger }];
}

/**
 * What is wrong with a layout, one sentence each; empty: every byte of `text` belongs to exactly one piece or
 * separator, and each piece is what its hash says.
 */
export function checkLaid(laid: Laid, text: string = layoutText(laid)): string[] {
  const problems: string[] = [];
  for (const item of laid) {
    if ('separator' in item) {
      if (item.separator === '') problems.push('an empty separator');
      else if (!item.separator.isWellFormed()) problems.push('a separator with half a character');
      continue;
    }
    const { piece } = item;
    if (!piece.text.isWellFormed()) problems.push(`${piece.id}: half a character`);
    if (sha256(piece.text) !== piece.sha256) problems.push(`${piece.id}: not the text of its hash`);
    problems.push(...checkFragments(piece));
  }
  if (layoutText(laid) !== text) problems.push('the layout is not the text');
  const total = spansOf(laid).at(-1)?.end ?? 0;
  if (total !== byteLength(text)) problems.push(`${total} bytes laid out of ${byteLength(text)}`);
  return problems;
}

function checkFragments(piece: Piece): string[] {
  const bytes = byteLength(piece.text);
  return (piece.fragments ?? [])
    .filter(({ at: [start, end] }) => start < 0 || end < start || end > bytes)
    .map(({ from }) => `${piece.id}: a fragment of ${from.path} outside the piece`);
}
