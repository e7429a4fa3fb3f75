/** What one line costs in cents: price times quantity, less the discount in percent. */
export function lineTotal({ cents, quantity, discountPercent = 0 }) {
  const full = cents * quantity;
  const discount = Math.floor((full * discountPercent) / 100);
  return full - discount;
}
