import { COMMANDS, type CommandSpec, OPTIONS, type OptionSpec } from './table.ts';

const WIDTH = 96;
const COLUMN = 36;

/** The help of one command; of the nameless one it is the program's. With the final newline. */
export function helpText(command: CommandSpec): string {
  const usage = command.usage.map((line, index) => `${index === 0 ? 'Usage: ' : '       '}${line}`);
  const options = command.options
    .map((name) => OPTIONS.find((option) => option.name === name))
    .filter((option) => option !== undefined)
    .flatMap((option) => entry(`  ${spelling(option)}`, option.help));
  const sections = [usage, wrapped(sentence(command.summary), WIDTH), ['Options:', ...options]];
  if (command.name === '') sections.splice(2, 0, commandList());
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function commandList(): string[] {
  const others = COMMANDS.filter(({ name }) => name !== '');
  const list = others.flatMap(({ name, summary }) => entry(`  rein ${name}`, summary));
  return ['Commands:', ...list, '  rein COMMAND --help'];
}

/** `-C, --cwd DIR` */
export function spelling({ name, short, value }: OptionSpec): string {
  const long = value === undefined ? `--${name}` : `--${name} ${value}`;
  return short === undefined ? long : `-${short}, ${long}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** A term and its explanation, which is wrapped in a column of its own. */
function entry(term: string, explanation: string): string[] {
  const lines = wrapped(explanation, WIDTH - COLUMN);
  const indent = ' '.repeat(COLUMN);
  const fits = term.length <= COLUMN - 2;
  const head = fits ? `${term.padEnd(COLUMN)}${lines[0] ?? ''}` : term;
  return [head, ...lines.slice(fits ? 1 : 0).map((text) => `${indent}${text}`)];
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
