import { formatCents } from './format.js';
import { lineTotal } from './pricing/line-total.js';
import { orderTotal } from './pricing/order-total.js';

/** The receipt of an order, one line an item, the sum last. */
export function receipt(lines) {
  const items = lines.map((line) => `${line.quantity} × ${line.name}: ${formatCents(lineTotal(line))}`);
  return [...items, `total: ${formatCents(orderTotal(lines))}`].join('\n');
}
