/** Any text, the empty one included. */
export const STAR: unique symbol = Symbol('any text');

/** A pattern: characters, and places where any text may stand. */
export type Wild = readonly (string | typeof STAR)[];

/** A text of which parts are not known: those are null, and may be anything. */
export type Partly = readonly (string | null)[];

/** `*` is any text; a backslash makes the next character an ordinary one. */
export function readWild(pattern: string): Wild {
  const units: (string | typeof STAR)[] = [];
  let escaped = false;
  for (const character of pattern) {
    if (!escaped && character === '\\') {
      escaped = true;
      continue;
    }
    units.push(!escaped && character === '*' ? STAR : character);
    escaped = false;
  }
  return units;
}

/**
 * `always`: the pattern matches whatever the unknown parts are. `maybe`: it matches for some of what they could be.
 * Time is at most the product of both lengths, and little where the beginning differs.
 */
export function matchWild(pattern: Wild, text: Partly): 'always' | 'maybe' | 'never' {
  if (run(pattern, text, false)) return 'always';
  return text.includes(null) && run(pattern, text, true) ? 'maybe' : 'never';
}

/** Walks all places of the pattern that the text so far can lead to. */
function run(pattern: Wild, text: Partly, hopeful: boolean): boolean {
  let places = reach(pattern, [0]);
  for (const chunk of text) {
    if (chunk === null) {
      const from = places[0];
      if (from === undefined) return false;
      // What is unknown is surely matched only where any text may stand; hopefully it is whatever the pattern wants.
      places = hopeful
        ? Array.from({ length: pattern.length + 1 - from }, (_, index) => from + index)
        : reach(
            pattern,
            places.filter((at) => pattern[at] === STAR),
          );
      continue;
    }
    for (const character of chunk) {
      const next: number[] = [];
      for (const at of places) {
        if (pattern[at] === STAR) next.push(at);
        else if (pattern[at] === character) next.push(at + 1);
      }
      if (next.length === 0) return false;
      places = reach(pattern, next);
    }
  }
  return places.includes(pattern.length);
}

/** These places in order, and those behind a star that may be empty. */
function reach(pattern: Wild, places: readonly number[]): number[] {
  const all = new Set<number>();
  for (let at of places) {
    all.add(at);
    while (pattern[at] === STAR) {
      at += 1;
      all.add(at);
    }
  }
  return [...all].sort((left, right) => left - right);
}
