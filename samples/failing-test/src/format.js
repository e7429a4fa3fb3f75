/** 123456 → '1234.56 €' */
export function formatCents(cents) {
  return `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')} €`;
}
