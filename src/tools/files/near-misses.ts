const MAX_TOLD = 3;
const MAX_LINES = 100_000;

/** Lines (1-based) where the text stands but for the white space within and around its lines. Empty: nowhere. */
export function nearMisses(text: string, wanted: string): number[] {
  const sought = wanted.split('\n').map(squeeze);
  while (sought.at(-1) === '') sought.pop();
  while (sought[0] === '') sought.shift();
  if (sought.length === 0) return [];
  const lines = text.split('\n', MAX_LINES).map(squeeze);
  const found: number[] = [];
  for (let line = 0; line + sought.length <= lines.length && found.length < MAX_TOLD; line += 1) {
    if (sought.every((one, index) => lines[line + index] === one)) found.push(line + 1);
  }
  return found;
}

function squeeze(line: string): string {
  return line.trim().replace(/\s+/g, ' ');
}
