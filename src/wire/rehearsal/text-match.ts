import type { TextMatch } from './script.ts';

export function matchesText(match: TextMatch, text: string): boolean {
  return typeof match === 'string' ? text.includes(match) : text.search(match) >= 0;
}

/** As a script writes it. */
export function showMatch(match: TextMatch): string {
  return typeof match === 'string' ? JSON.stringify(match) : String(match);
}
