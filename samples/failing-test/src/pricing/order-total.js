import { lineTotal } from './line-total.js';

/** What a whole order costs in cents. */
export function orderTotal(lines) {
  return lines.reduce((sum, line) => sum + lineTotal(line), 0);
}
