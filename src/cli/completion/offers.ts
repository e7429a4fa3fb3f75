import { COMMANDS, type CommandSpec, OPTIONS, type OptionSpec } from '../table.ts';

/** What a shell offers for a value: these words, what it knows itself, or nothing. `open`: a word may go on. */
export type Offer = { words: readonly string[]; open?: true } | 'file' | 'directory' | null;

export type OfferedOption = { name: string; short: string | null; help: string; value: Offer | 'none' };

export type OfferedCommand = {
  /** Empty: the call without a command word. */
  name: string;
  summary: string;
  options: readonly OfferedOption[];
  words: readonly string[];
  /** After the first argument. */
  rest: Offer;
};

/** Words that only the running program knows. */
export type KnownWords = Readonly<Record<'harness' | 'model' | 'effort' | 'setting', readonly string[]>>;

/** The command line as a shell completes it, from the table. */
export function offers(known: KnownWords): OfferedCommand[] {
  return COMMANDS.map((command) => ({
    name: command.name,
    summary: command.summary,
    options: optionsOf(command, known),
    words: command.words ?? [],
    rest: command.completes ?? null,
  }));
}

function optionsOf({ options }: CommandSpec, known: KnownWords): OfferedOption[] {
  return OPTIONS.filter(({ name }) => options.includes(name)).map((option) => ({
    name: option.name,
    short: option.short ?? null,
    help: option.help,
    value: option.value === undefined ? 'none' : offerOf(option, known),
  }));
}

function offerOf({ words, completes }: OptionSpec, known: KnownWords): Offer {
  if (words !== undefined) return { words };
  if (completes === undefined) return null;
  if (completes === 'file' || completes === 'directory') return completes;
  const offered = { words: known[completes] };
  return completes === 'model' || completes === 'setting' ? { ...offered, open: true } : offered;
}

/** For a shell's single quotes. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
