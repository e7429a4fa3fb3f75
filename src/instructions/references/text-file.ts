/** Endings of files that hold prose: what a link delivers, and what counts as delivered once it was read whole. */
const TEXT_ENDINGS: ReadonlySet<string> = new Set([
  'md',
  'markdown',
  'mdown',
  'mdx',
  'mdc',
  'txt',
  'text',
  'rst',
  'adoc',
  'asciidoc',
  'org',
]);

/** Whether the path ends like a file of prose, in any letter case. */
export function isTextFile(path: string): boolean {
  const dot = path.lastIndexOf('.');
  // A name that is nothing but an ending, `.md`, is a hidden file without one.
  if (dot < 1 || path[dot - 1] === '/') return false;
  return TEXT_ENDINGS.has(path.slice(dot + 1).toLowerCase());
}
