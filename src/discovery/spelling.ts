/** A name without its letter case. */
export function folded(name: string): string {
  return name.toLowerCase();
}

/** Another spelling of `meant`: another letter case, or one character more, less or other (`.Rein`, `rein`, `.reins`). */
export function isNearSpelling(name: string, meant: string): boolean {
  if (name === meant) return false;
  const left = folded(name);
  const right = folded(meant);
  if (Math.abs(left.length - right.length) > 1) return false;
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  const leftRest = left.slice(start);
  const rightRest = right.slice(start);
  return leftRest.slice(1) === rightRest.slice(1) || leftRest.slice(1) === rightRest || leftRest === rightRest.slice(1);
}
