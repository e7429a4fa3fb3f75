const TAB_STOP = 4;

/** A run of backticks or tildes that opens fenced code, or closes it where nothing follows (`bare`). */
export type FenceRun = { mark: '`' | '~'; length: number; bare: boolean };

/** What the beginning of a line says of the block that it stands in. Columns count a tab up to the next fourth. */
export type LineShape = {
  /** How many `>` it begins with. */
  quotes: number;
  /** Columns of blank before the content or the first list marker, after the quote marks. */
  indent: number;
  /** The columns at which the contents of the list items begin that it opens, outermost first. */
  items: readonly number[];
  /** Where the content begins: its column, and its offset in the line. */
  column: number;
  content: number;
  blank: boolean;
  fence: FenceRun | null;
};

const FENCE = /(`{3,}|~{3,})(.*)/sy;
const LIST_MARKER = /(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)/y;

/** A line across the page, which list markers would else be seen in. */
const RULE = /([-*_])(?:[ \t]*\1){2,}[ \t]*$/y;

/** More items opened by one line are taken for content. */
const MAX_ITEMS = 16;

type Place = { at: number; column: number };

function skipBlank(line: string, from: Place): Place {
  let { at, column } = from;
  for (; at < line.length; at += 1) {
    const unit = line[at];
    if (unit === ' ') column += 1;
    else if (unit === '\t') column += TAB_STOP - (column % TAB_STOP);
    else break;
  }
  return { at, column };
}

function skipQuotes(line: string, most: number): { place: Place; quotes: number } {
  let place = skipBlank(line, { at: 0, column: 0 });
  let quotes = 0;
  while (quotes < most && place.column < TAB_STOP && line[place.at] === '>') {
    quotes += 1;
    const after = line[place.at + 1] === ' ' ? place.at + 2 : place.at + 1;
    place = skipBlank(line, { at: after, column: 0 });
  }
  return { place, quotes };
}

/** The list items that begin here, one in the other, and what follows them. */
function openItems(line: string, from: Place): { place: Place; items: number[] } {
  const items: number[] = [];
  let place = from;
  RULE.lastIndex = from.at;
  if (RULE.test(line)) return { place, items };
  while (items.length < MAX_ITEMS) {
    LIST_MARKER.lastIndex = place.at;
    const marker = LIST_MARKER.exec(line)?.[0];
    if (marker === undefined) break;
    const end = { at: place.at + marker.length, column: place.column + marker.length };
    place = skipBlank(line, end);
    const isCode = place.column - end.column > TAB_STOP;
    const isEmpty = place.at >= line.length;
    items.push(isCode || isEmpty ? end.column + 1 : place.column);
    if (isCode || isEmpty) break;
  }
  return { place, items };
}

function fenceAt(line: string, at: number): FenceRun | null {
  FENCE.lastIndex = at;
  const [, run = '', rest = ''] = FENCE.exec(line) ?? [];
  if (run === '') return null;
  const mark = run.startsWith('~') ? '~' : '`';
  // A backtick after backticks makes it a code span.
  if (mark === '`' && rest.includes('`')) return null;
  return { mark, length: run.length, bare: rest.trim() === '' };
}

/** The shape of a line without its end. `mostQuotes`: more `>` are content. */
export function shapeOf(line: string, mostQuotes: number = Number.POSITIVE_INFINITY): LineShape {
  const { place: start, quotes } = skipQuotes(line, mostQuotes);
  const { place, items } = openItems(line, start);
  return {
    quotes,
    indent: start.column,
    items,
    column: place.column,
    content: place.at,
    blank: start.at >= line.length,
    fence: fenceAt(line, place.at),
  };
}
