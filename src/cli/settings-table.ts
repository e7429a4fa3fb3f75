import { printable, toJsonLine } from '../base/index.ts';
import type { SettingsReport, ShownSetting } from '../sdk/index.ts';

const MAX_COLUMN = 40;

/** A setting a line: `key = value`, and behind it where the value comes from. Values are JSON. */
export function settingsTable({ values }: SettingsReport): string {
  const rows = values.map((setting) => [assignment(setting), origin(setting)] as const);
  const column = Math.min(MAX_COLUMN, Math.max(...rows.map(([left]) => left.length)));
  return rows.map(([left, right]) => `${left.padEnd(column)}  ${right}\n`).join('');
}

function assignment({ key, value }: ShownSetting): string {
  return `${printable(key)} = ${value === null ? 'not chosen' : toJsonLine(value)}`;
}

function origin({ from, path, line, variable }: ShownSetting): string {
  if (path !== undefined) return `${from}  ${printable(path, 4096)}${line === undefined ? '' : `:${line}`}`;
  return variable === undefined ? from : `${from}  ${variable}`;
}
