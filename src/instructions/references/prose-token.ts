/** What stands after an `@` in prose. `at`: the whole token in the text, the `@` and quotes included. */
export type ProseToken = { at: [number, number]; path: string; quoted: boolean };

/** Longer ones are no paths; it also bounds how far an open quote is followed. UTF-16. */
const MAX_TOKEN = 1024;

const BEFORE = /[\s(["'\u2018\u201c\u00ab]/;
const ENDS_TOKEN = /[\s\p{Cc}<>"`|\u2019\u201d\u00bb]/u;
/** What a backslash takes the meaning from; before any other character it stands for itself. */
const ESCAPABLE = /[\s!-/:-@[-`{-~]/;
const TRAILING = /[.,;:!?'*]/;
const OPENING = '([{';
const CLOSING = ')]}';

/** Whether an `@` here may begin a reference: `from` is where the line's content begins. */
export function mayBegin(text: string, at: number, from: number): boolean {
  return at === from || BEFORE.test(text[at - 1] ?? ' ');
}

type Read = { token: ProseToken | null; next: number };

function quotedToken(text: string, at: number, end: number): Read {
  const close = text.slice(at + 2, Math.min(end, at + 2 + MAX_TOKEN)).indexOf('"');
  if (close < 1) return { token: null, next: at + 2 };
  const path = text.slice(at + 2, at + 2 + close);
  const next = at + close + 3;
  return { token: { at: [at, next], path, quoted: true }, next };
}

type Unit = { unit: string; escaped: boolean; end: number };

/** The characters of a plain token, one more than it may have at most. */
function readUnits(text: string, from: number, end: number): Unit[] {
  const units: Unit[] = [];
  const open: string[] = [];
  for (let at = from; at < end && units.length <= MAX_TOKEN; ) {
    const unit = text[at] ?? '';
    const next = text[at + 1] ?? '';
    if (unit === '\\' && at + 1 < end && ESCAPABLE.test(next)) {
      at += 2;
      units.push({ unit: next, escaped: true, end: at });
      continue;
    }
    if (ENDS_TOKEN.test(unit)) break;
    if (OPENING.includes(unit)) open.push(unit);
    // A bracket that was not opened here closes what stands around the token.
    else if (CLOSING.includes(unit) && open.pop() === undefined) break;
    at += 1;
    units.push({ unit, escaped: false, end: at });
  }
  return units;
}

function withoutPunctuation(units: readonly Unit[]): readonly Unit[] {
  const last = units.findLastIndex(({ unit, escaped }) => escaped || !TRAILING.test(unit));
  return units.slice(0, last + 1);
}

/**
 * The token that begins with the `@` at `at`, in a line that ends at `end`, and where to read on. A path with spaces
 * stands in quotes, or has each space behind a backslash. Punctuation at the end belongs to the sentence.
 */
export function tokenAt(text: string, at: number, end: number): Read {
  if (text[at + 1] === '"') return quotedToken(text, at, end);
  const read = readUnits(text, at + 1, end);
  if (read.length > MAX_TOKEN) return { token: null, next: read.at(-1)?.end ?? end };
  const units = withoutPunctuation(read);
  const next = units.at(-1)?.end;
  if (next === undefined) return { token: null, next: at + 1 };
  const path = units.map(({ unit }) => unit).join('');
  return { token: { at: [at, next], path, quoted: false }, next };
}
