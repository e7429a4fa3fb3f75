import type { ShellWord } from './shell-word.ts';

/** What a program's options look like: single letters, and long names without the dashes. */
export type OptionForm = {
  /** Letters and names that take no value. */
  flags: string;
  longFlags?: readonly string[];
  /** Letters and names that take one: attached, or as the next word. */
  valued: string;
  longValued?: readonly string[];
};

export type ReadOptions = {
  /** Each option with its value: `-u`, `--user`. */
  options: readonly { name: string; value: ShellWord | null }[];
  rest: readonly ShellWord[];
  /** An option that this form does not know: what follows cannot be told apart. */
  unknown: string | null;
};

/** Options at the beginning of a command's arguments, to the first word that is none. */
export function readOptions(words: readonly ShellWord[], form: OptionForm): ReadOptions {
  const options: { name: string; value: ShellWord | null }[] = [];
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at];
    const start = word?.chunks[0] ?? null;
    if (word === undefined) break;
    if (word.text === '--') return { options, rest: words.slice(at + 1), unknown: null };
    if (start === null) return { options, rest: words.slice(at), unknown: 'a word that is known only when it runs' };
    if (!start.startsWith('-') || word.text === '-') break;
    if (word.text === null) return { options, rest: [], unknown: start };
    const taken = start.startsWith('--')
      ? readLong(word.text, words[at + 1], form)
      : readShort(word.text, words[at + 1], form);
    if (taken === null) return { options, rest: [], unknown: word.text };
    options.push(...taken.options);
    if (taken.tookNext) at += 1;
  }
  return { options, rest: words.slice(at), unknown: null };
}

type Taken = { options: { name: string; value: ShellWord | null }[]; tookNext: boolean };

function readLong(text: string, next: ShellWord | undefined, form: OptionForm): Taken | null {
  const equals = text.indexOf('=');
  const name = text.slice(2, equals === -1 ? undefined : equals);
  const value = equals === -1 ? null : wordOf(text.slice(equals + 1));
  if (form.longFlags?.includes(name) === true) return { options: [{ name: `--${name}`, value }], tookNext: false };
  if (form.longValued?.includes(name) !== true) return null;
  if (value !== null) return { options: [{ name: `--${name}`, value }], tookNext: false };
  return { options: [{ name: `--${name}`, value: next ?? null }], tookNext: true };
}

function readShort(text: string, next: ShellWord | undefined, form: OptionForm): Taken | null {
  const options: Taken['options'] = [];
  for (let at = 1; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (form.valued.includes(letter)) {
      const attached = text.slice(at + 1);
      options.push({ name: `-${letter}`, value: attached === '' ? (next ?? null) : wordOf(attached) });
      return { options, tookNext: attached === '' };
    }
    if (!form.flags.includes(letter)) return null;
    options.push({ name: `-${letter}`, value: null });
  }
  return { options, tookNext: false };
}

function wordOf(text: string): ShellWord {
  return { chunks: [text], text, tilde: false };
}
