import type { DoubleQuotedChild, Word, WordPart } from 'unbash';

/** One word of a command as the shell will see it, as far as that can be known. */
export type ShellWord = {
  /** Known text, and null where something is put in only when it runs. */
  chunks: readonly (string | null)[];
  /** The whole word where all of it is known. */
  text: string | null;
  /** It begins with an unquoted `~`. */
  tilde: boolean;
  /** What is not known stands for names that a pattern matches: no `/` is in it. */
  globbed?: true;
};

export function knownWord(text: string): ShellWord {
  return { chunks: [text], text, tilde: false };
}

/** A word, or any number of words, of which nothing is known. */
export const UNKNOWN_WORD: ShellWord = { chunks: [null], text: null, tilde: false };

/** Globs and braces count as unknown: they stand for whatever names there are. */
export function toShellWord(word: Word): ShellWord {
  const { parts } = word;
  const chunks = parts === undefined ? [word.value] : parts.flatMap(chunksOf);
  const first = parts?.[0];
  const start = parts === undefined ? word.text : first?.type === 'Literal' ? first.text : '';
  const text = chunks.includes(null) ? null : chunks.join('');
  const globbed = text === null && parts?.every((part) => part.type === 'Glob' || !chunksOf(part).includes(null));
  return { chunks, text, tilde: start.startsWith('~'), ...(globbed === true ? { globbed } : {}) };
}

/** What follows the first `=`, as a word; null where there is none in the known beginning. */
export function afterEquals(word: ShellWord): ShellWord | null {
  const [first, ...rest] = word.chunks;
  const at = first?.indexOf('=') ?? -1;
  if (first == null || at === -1) return null;
  const chunks = [first.slice(at + 1), ...rest];
  const text = chunks.includes(null) ? null : chunks.join('');
  const { globbed } = word;
  return { chunks, text, tilde: first.startsWith('~', at + 1), ...(globbed === true ? { globbed } : {}) };
}

function chunksOf(part: WordPart | DoubleQuotedChild): (string | null)[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [part.value];
    case 'DoubleQuoted':
      return part.parts.flatMap(chunksOf);
    default:
      return [null];
  }
}
