import type { GrepFile, GrepValue } from '../../../tools/contract/index.ts';

/**
 * What was found as ripgrep prints it: `FILE`, `FILE:COUNT`, `FILE:LINE:TEXT`, around a match `FILE-LINE-TEXT`. `gaps`:
 * `--` stands between lines that do not follow each other.
 */
export function matchLines({ mode, files }: GrepValue, numbers: boolean, gaps: boolean): string[] {
  if (mode === 'files') return files.map(({ path }) => path);
  if (mode === 'count') return files.map(({ path, count }) => `${path}:${count}`);
  return files.flatMap((file, index) => [...(gaps && index > 0 ? ['--'] : []), ...linesOf(file, numbers, gaps)]);
}

function linesOf({ path, rows, binary, overlong }: GrepFile, numbers: boolean, gaps: boolean): string[] {
  if (binary === true) return [`${path}: binary file matches`];
  const lines: string[] = [];
  let before: number | null = null;
  for (const { line, match, text } of rows) {
    if (gaps && before !== null && line > before + 1) lines.push('--');
    const mark = match ? ':' : '-';
    lines.push(`${path}${mark}${numbers ? `${line}${mark}` : ''}${text}`);
    before = line;
  }
  if (overlong === true) lines.push(`${path}: a match in a line too long to be shown`);
  return lines;
}
