import { type FenceRun, type LineShape, shapeOf } from './line-shape.ts';

/** A heading, and a row of a table: no code span goes on from it or into it. */
const SINGLE_LINE = /(?:#{1,6}(?:[ \t]|$)|\|)/y;

/** Columns from which on a line is indented code. */
const CODE_INDENT = 4;

export type BlockState = {
  quotes: number;
  /** Columns at which the contents of the list items around begin, outermost first. */
  items: readonly number[];
  /** A paragraph is open, which an indented line goes on with. */
  paragraph: boolean;
  fence: { run: FenceRun; quotes: number; indent: number } | null;
};

/** `content`: where prose begins in the line. `joined`: it goes on from the line before. */
export type LineBlock = { state: BlockState } & (
  | { type: 'code' | 'blank' }
  | { type: 'prose'; content: number; joined: boolean }
);

export const OUTSIDE: BlockState = { quotes: 0, items: [], paragraph: false, fence: null };

/** After prose that begins in the middle of a line. */
export function inParagraph(state: BlockState): BlockState {
  return { ...state, paragraph: true };
}

/** Null: the fenced code has ended before this line, with the quote or the list item that it stood in. */
function inFence(line: string, state: BlockState, fence: NonNullable<BlockState['fence']>): LineBlock | null {
  const shape = shapeOf(line, fence.quotes);
  if (shape.quotes < fence.quotes || (!shape.blank && shape.indent < fence.indent)) return null;
  const { run } = fence;
  const closes =
    shape.items.length === 0 &&
    shape.fence?.mark === run.mark &&
    shape.fence.length >= run.length &&
    shape.fence.bare &&
    shape.indent - fence.indent < CODE_INDENT;
  return { type: 'code', state: closes ? { ...state, fence: null } : state };
}

function isSingleLine(line: string, at: number): boolean {
  SINGLE_LINE.lastIndex = at;
  return SINGLE_LINE.test(line);
}

/** The items around that a line with this indent still stands in. */
function itemsAround(items: readonly number[], indent: number): readonly number[] {
  return items.filter((column) => column <= indent);
}

function prose(line: string, shape: LineShape, state: BlockState, joined: boolean): LineBlock {
  const single = isSingleLine(line, shape.content);
  return {
    type: 'prose',
    content: shape.content,
    joined: joined && !single,
    state: { ...state, paragraph: !single },
  };
}

function outsideFence(line: string, before: BlockState): LineBlock {
  const shape = shapeOf(line);
  if (shape.blank) return { type: 'blank', state: { ...before, paragraph: false } };
  const state = shape.quotes === before.quotes ? before : { ...OUTSIDE, quotes: shape.quotes };
  const begins = !state.paragraph || shape.items.length > 0 || shape.fence !== null;
  const around = begins ? itemsAround(state.items, shape.indent) : state.items;
  const relative = shape.indent - (around.at(-1) ?? 0);
  if (relative >= CODE_INDENT) {
    if (!state.paragraph) return { type: 'code', state: { ...state, items: around } };
    return prose(line, { ...shape, content: line.length - line.trimStart().length }, state, true);
  }
  const items = [...around, ...shape.items];
  const opened = { ...state, items, paragraph: false };
  const own = shape.items.at(-1);
  if (own !== undefined && shape.column - own >= CODE_INDENT) return { type: 'code', state: opened };
  if (shape.fence !== null) {
    const fence = { run: shape.fence, quotes: shape.quotes, indent: items.at(-1) ?? 0 };
    return { type: 'code', state: { ...opened, fence } };
  }
  return prose(line, shape, opened, state.paragraph && shape.items.length === 0);
}

/**
 * What a line of Markdown is, after the lines before it: prose, or code (fenced or indented, in quotes and list items
 * too). Near enough to CommonMark for telling whether a reference in it is meant: headings of two lines, HTML blocks
 * and lazy lines of quotes are taken for prose.
 */
export function blockOf(line: string, state: BlockState): LineBlock {
  const fenced = state.fence === null ? null : inFence(line, state, state.fence);
  return fenced ?? outsideFence(line, state.fence === null ? state : { ...state, fence: null, paragraph: false });
}
