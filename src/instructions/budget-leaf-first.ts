import { byteLength, cutHead } from '../base/index.ts';

export type Budgeted = {
  text: string;
  /** UTF-8 bytes of the trimmed text that found no room. */
  droppedBytes: number;
};

/**
 * Shares a budget of UTF-8 bytes among texts given outermost first: the last is served first and kept whole as far as
 * it goes, so that the nearest instructions are the last to be cut (spec/kimi-cli.md 6). `headings`: what stands
 * before each text, charged with its newline; between two texts a blank line is charged. Cuts fall between characters.
 */
export function budgetLeafFirst(
  items: readonly { heading: string; text: string }[],
  budgetBytes: number,
): readonly Budgeted[] {
  const kept: Budgeted[] = [];
  let remaining = budgetBytes;
  for (const [index, { heading, text }] of [...items.entries()].reverse()) {
    const separator = index === items.length - 1 ? 0 : 2;
    remaining = Math.max(0, remaining - byteLength(heading) - 1 - separator);
    const whole = text.trim();
    const bytes = byteLength(whole);
    const fitting = bytes <= remaining ? whole : cutHead(whole, remaining).trim();
    remaining -= byteLength(fitting);
    kept.unshift({ text: fitting, droppedBytes: bytes - byteLength(fitting) });
  }
  return kept;
}
