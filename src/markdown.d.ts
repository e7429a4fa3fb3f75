/** Markdown files are imported as text: the build and the tests load them so. */
declare module '*.md' {
  const text: string;
  export default text;
}
