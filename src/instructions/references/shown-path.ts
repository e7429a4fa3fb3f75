/** A path inside a tag's attribute or a list: on one line, and unable to close what it stands in. */
export function shownPath(path: string): string {
  return path.replace(/[\p{Cc}\u2028\u2029"<>&]/gu, (unit) => `&#x${(unit.codePointAt(0) ?? 0).toString(16)};`);
}
