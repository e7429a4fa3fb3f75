// A whole control string (OSC, DCS, SOS, PM, APC) with its end; a control sequence (CSI); any other escape. The first
// part's text excludes every introducer, so that the search stays linear.
const ESCAPES =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0090\u0098\u009c-\u009f]{0,4096}(?:\u0007|\u001b\\|\u009c)|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[ -/]*[0-~]/g;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Text of a model, a tool or a file as a terminal may show it: escape sequences and control characters are gone, but
 * for newline and tab. Nothing in it can move the cursor, set a title or write to the clipboard.
 */
export function screenText(text: string): string {
  return text.replace(ESCAPES, '').replace(CONTROLS, '');
}

/** The same on one line of at most `length` characters; what is cut shows as `…`. */
export function screenLine(text: string, length: number): string {
  const line = screenText(text.slice(0, length * 8))
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length <= length ? line : `${characters.slice(0, Math.max(0, length - 1)).join('')}…`;
}
