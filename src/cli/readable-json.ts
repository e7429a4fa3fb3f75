import { toJsonLine } from '../base/index.ts';

/** Indented, with the escapes of `toJsonLine`: a terminal is shown no control character. Without the final newline. */
export function readableJson(value: object): string {
  return JSON.stringify(JSON.parse(toJsonLine(value)), null, 2).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
