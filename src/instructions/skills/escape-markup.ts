const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A text inside a tag that can neither open nor close one. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>]/g, (unit) => ENTITIES[unit] ?? unit);
}

/** A text inside a quoted attribute: on one line, too. */
export function escapeAttribute(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029"<>&]/gu, (unit) => `&#x${(unit.codePointAt(0) ?? 0).toString(16)};`);
}
