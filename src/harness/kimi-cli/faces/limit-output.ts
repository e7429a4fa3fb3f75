const MARKER = '[...truncated]';

/** Said behind a message where output was cut. */
export const TRUNCATED = ' Output is truncated to fit in the message.';

/** Characters: of all, and of one line (null: no bound of its own). */
export type OutputLimits = { total: number; line: number | null };

/** spec/kimi-cli.md 11: what the tools share. */
const OUTPUT_LIMITS: OutputLimits = { total: 50_000, line: 2_000 };

/**
 * Cuts output to what a result may hold: a long line keeps its beginning, the marker and its line break; what goes
 * beyond the whole is left out. `cut`: something is missing, also where the bound fell on the end of a line.
 */
export function limitOutput(text: string, limits: OutputLimits = OUTPUT_LIMITS): { text: string; cut: boolean } {
  const kept: string[] = [];
  let left = limits.total;
  let cut = false;
  let from = 0;
  while (from < text.length) {
    if (left <= 0) return { text: kept.join(''), cut: true };
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end === -1 ? text.length : end + 1);
    from += line.length;
    const most = Math.min(left, limits.line ?? left);
    const shown = line.length <= most ? line : shortened(line, most);
    cut ||= shown !== line;
    kept.push(shown);
    left -= shown.length;
  }
  return { text: kept.join(''), cut };
}

/** Never in the middle of a character, never shorter than the marker. */
function shortened(line: string, most: number): string {
  const close = /[\r\n]*$/.exec(line)?.[0] ?? '';
  const room = Math.max(0, most - MARKER.length - close.length);
  return `${line
    .slice(0, room)
    .toWellFormed()
    .replace(/\ufffd$/, '')}${MARKER}${close}`;
}
