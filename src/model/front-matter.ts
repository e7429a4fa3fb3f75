import type { Json } from './wire.ts';

/** Between a first line `---` and the next one: what a file says of itself. */
export type FrontMatter = {
  /**
   * yaml: read as YAML 1.2. line-wise: it is no YAML, and was read as `key: the rest of the line`. failed: not even
   * that; `data` is empty, and the whole text is the body.
   */
  read: 'yaml' | 'line-wise' | 'failed';
  data: Readonly<Record<string, Json>>;
  /** UTF-16 offset of the body in the text, and the body's first line, from 1. */
  bodyStart: number;
  bodyLine: number;
  /** Where each top-level key stands, from 1. */
  lines: Readonly<Record<string, number>>;
  /** Why it is no YAML, in the parser's words; line and column from 1, of the file. */
  faults: readonly { message: string; line: number; column: number }[];
};
