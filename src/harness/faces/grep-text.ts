import type { GrepFile, GrepRow, GrepValue } from '../../tools/contract/index.ts';
import { grouped } from './face.ts';

/** How one harness writes rows and names. */
export type GrepForm = {
  path(path: string): string;
  /** The number of a line and what stands before its text. */
  lead(row: GrepRow): string;
  /** Between rows with context that do not follow each other. Null: nothing. */
  gap: string | null;
};

/** Files with their rows, or names, or names and counts. */
export function grepText(value: GrepValue, form: GrepForm): string {
  const { files, mode } = value;
  switch (mode) {
    case 'files':
      return files.map(({ path }) => form.path(path)).join('\n');
    case 'count':
      return files.map(({ path, count }) => `${form.path(path)}: ${grouped(count)}`).join('\n');
    case 'content':
      return files.map((file) => fileText(file, form)).join('\n\n');
  }
}

function fileText(file: GrepFile, form: GrepForm): string {
  const path = form.path(file.path);
  if (file.binary === true) return `${path}: binary file, its matches are not shown`;
  const lines = [path];
  const gap = file.rows.some(({ match }) => !match) ? form.gap : null;
  let before: number | null = null;
  for (const row of file.rows) {
    if (gap !== null && before !== null && row.line > before + 1) lines.push(gap);
    lines.push(form.lead(row) + rowText(row));
    before = row.line;
  }
  if (file.overlong === true) lines.push('[a match in a line too long to be shown]');
  return lines.join('\n');
}

/** Of a shortened line, what is missing stands in brackets. */
function rowText({ text, cut, hidden }: GrepRow): string {
  const [before, after] = cut ?? [0, 0];
  const start = before > 0 ? `[…${grouped(before)} characters] ` : '';
  const end = after > 0 ? ` […${grouped(after)} characters]` : '';
  const more =
    hidden === undefined ? '' : ` [${grouped(hidden)} more ${hidden === 1 ? 'match' : 'matches'} in this line]`;
  return `${start}${text}${end}${more}`;
}
