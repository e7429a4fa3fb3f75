import type { Offer, OfferedCommand, OfferedOption } from './offers.ts';

/** For fish: one `complete` a line. */
export function fishCompletion(commands: readonly OfferedCommand[]): string {
  const named = commands.filter(({ name }) => name !== '');
  const [nameless] = commands.filter(({ name }) => name === '');
  const names = named.map(({ name }) => name).join(' ');
  const lines = [
    'complete -c rein -f',
    ...named.map(({ name, summary }) => line('__rein_needs_command', `-a ${name} -d ${fishQuoted(summary)}`)),
    ...(nameless === undefined ? [] : nameless.options.map((option) => line('__rein_runs', optionPart(option)))),
    ...named.flatMap((command) => commandLines(command)),
  ];
  return `# Completion of rein for fish: put this into ~/.config/fish/completions/rein.fish.
function __rein_command
  set -l words (commandline -opc)
  for word in $words[2..-1]
    switch $word
      case -p --print --
        return 1
    end
  end
  for word in $words[2..-1]
    if contains -- $word ${names}
      echo $word
      return 0
    end
  end
  return 1
end

function __rein_runs
  not __rein_command >/dev/null
end

function __rein_needs_command
  test (count (commandline -opc)) -eq 1
end

function __rein_is
  test (__rein_command) = $argv[1] 2>/dev/null
end

${lines.join('\n')}
`;
}

function commandLines({ name, options, words, rest }: OfferedCommand): string[] {
  const condition = `__rein_is ${name}`;
  return [
    ...options.map((option) => line(condition, optionPart(option))),
    ...(words.length === 0 ? [] : [line(condition, `-a ${fishQuoted(words.join(' '))}`)]),
    ...(rest === 'file' ? [line(condition, '-F')] : []),
  ];
}

function line(condition: string, what: string): string {
  return `complete -c rein -n ${fishQuoted(condition)} ${what}`;
}

function optionPart({ name, short, help, value }: OfferedOption): string {
  const brief = short === null ? '' : `-s ${short} `;
  return `${brief}-l ${name} -d ${fishQuoted(help)}${value === 'none' ? '' : valuePart(value)}`;
}

function valuePart(value: Offer): string {
  if (value === null) return ' -x';
  if (value === 'file') return ' -r -F';
  if (value === 'directory') return ` -x -a '(__fish_complete_directories)'`;
  return ` -x -a ${fishQuoted(value.words.join(' '))}`;
}

function fishQuoted(text: string): string {
  return `'${text.replace(/['\\]/g, (mark) => `\\${mark}`)}'`;
}
