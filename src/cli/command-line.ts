import { parseArgs } from 'node:util';
import { COMMANDS, COMMANDS_NOT_BUILT, type CommandSpec, OPTIONS, type OptionSpec } from './table.ts';

/** An option as it was given; `value` is null for one that takes none. */
export type GivenOption = { name: string; value: string | null };

export type CommandLine =
  | { type: 'version' }
  | { type: 'help'; command: CommandSpec }
  | CommandRunLine
  | { type: 'mistake'; mistake: Mistake };

/** `commands`: the words that name a command, also those of later versions. */
export type CommandRunLine = {
  type: 'run';
  command: CommandSpec;
  options: readonly GivenOption[];
  arguments: readonly string[];
  commands: readonly string[];
};

/** What is wrong, as data; `mistake-message.ts` has the words. `option` as typed: `--modle`, `-x`. */
export type Mistake =
  | { type: 'unknown-option'; option: string; command: CommandSpec }
  | { type: 'option-of-another'; option: string; command: CommandSpec; others: readonly string[] }
  | { type: 'value-missing'; option: OptionSpec; next: string | null }
  | { type: 'value-unwanted'; option: OptionSpec }
  | { type: 'value-unknown'; option: OptionSpec; value: string }
  | { type: 'command-not-built'; command: string }
  | { type: 'argument-unknown'; command: CommandSpec; word: string }
  | { type: 'too-many-arguments'; command: CommandSpec; extra: string };

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number];
type OptionToken = Extract<Token, { kind: 'option' }>;

/** Reads the arguments after the program's name. The first argument that is no option names the command, or is PROMPT. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    options: Object.fromEntries(
      OPTIONS.map(({ name, short, value }) => [
        name,
        { type: value === undefined ? 'boolean' : 'string', ...(short === undefined ? {} : { short }) } as const,
      ]),
    ),
  });
  const words = tokens.filter((token) => token.kind === 'positional');
  const [first] = words;
  const printing = tokens.some((token) => token.kind === 'option' && token.name === 'print');
  const isWord = first !== undefined && !printing && !isAfterTerminator(first, tokens);
  if (isWord && COMMANDS_NOT_BUILT.includes(first.value)) {
    return { type: 'mistake', mistake: { type: 'command-not-built', command: first.value } };
  }
  const named = isWord ? COMMANDS.find(({ name }) => name === first.value) : undefined;
  const command = named ?? (COMMANDS[0] as CommandSpec);
  const values = words.map(({ value }) => value);
  return readOptions(command, tokens, named === undefined ? values : values.slice(1));
}

function isAfterTerminator(word: Token, tokens: readonly Token[]): boolean {
  const terminator = tokens.find((token) => token.kind === 'option-terminator');
  return terminator !== undefined && terminator.index < word.index;
}

function readOptions(command: CommandSpec, tokens: readonly Token[], words: readonly string[]): CommandLine {
  const options: GivenOption[] = [];
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const mistake = firstMistake(token, command);
    if (mistake !== null) return { type: 'mistake', mistake };
    if (token.name === 'help') return { type: 'help', command };
    if (token.name === 'version') return { type: 'version' };
    options.push({ name: token.name, value: token.value ?? null });
  }
  const [word] = words;
  if (word !== undefined && command.words?.includes(word) === false) {
    return { type: 'mistake', mistake: { type: 'argument-unknown', command, word } };
  }
  const extra = words[command.arguments];
  if (extra !== undefined) return { type: 'mistake', mistake: { type: 'too-many-arguments', command, extra } };
  const commands = [...COMMANDS.map(({ name }) => name), ...COMMANDS_NOT_BUILT].filter((name) => name !== '');
  return { type: 'run', command, options, arguments: words, commands };
}

function firstMistake(token: OptionToken, command: CommandSpec): Mistake | null {
  const option = OPTIONS.find(({ name }) => name === token.name);
  if (option === undefined) return { type: 'unknown-option', option: token.rawName, command };
  if (!command.options.includes(option.name)) {
    const others = COMMANDS.filter((other) => other.options.includes(option.name)).map(({ name }) => name);
    return { type: 'option-of-another', option: token.rawName, command, others };
  }
  if (option.value === undefined) {
    return token.value === undefined ? null : { type: 'value-unwanted', option };
  }
  if (token.value === undefined) return { type: 'value-missing', option, next: null };
  if (!token.inlineValue && /^-./.test(token.value)) return { type: 'value-missing', option, next: token.value };
  if (option.words !== undefined && !option.words.includes(token.value)) {
    return { type: 'value-unknown', option, value: token.value };
  }
  return null;
}
