import { type Offer, type OfferedCommand, type OfferedOption, quoted } from './offers.ts';

/** For zsh's own completion system: `_arguments` reads what follows. */
export function zshCompletion(commands: readonly OfferedCommand[]): string {
  const named = commands.filter(({ name }) => name !== '');
  const [nameless] = commands.filter(({ name }) => name === '');
  return `#compdef rein
# Completion of rein for zsh: put this as _rein where $fpath leads, or source it after compinit.
_rein_command() {
  local -a commands=(
${named.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`).join('\n')}
  )
  _describe command commands
}

_rein() {
  local context state state_descr line
  typeset -A opt_args
  local command='' word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$word" in
      -p|--print|--) command=print; break ;;
    esac
  done
  if [[ -z $command ]]; then
    for word in "\${(@)words[2,CURRENT-1]}"; do
      case "$word" in
        ${named.map(({ name }) => name).join('|')}) command="$word"; break ;;
      esac
    done
  fi
  case "$command" in
${named.map(commandCase).join('\n')}
    print)
      _arguments -s${nameless === undefined ? '' : optionLines(nameless)} \\
        '*:prompt: '
      ;;
    *)
      _arguments -s${nameless === undefined ? '' : optionLines(nameless)} \\
        '1:command:_rein_command' \\
        '*:prompt: '
      ;;
  esac
}

if [[ "\${funcstack[1]}" == _rein ]]; then _rein "$@"; else compdef _rein rein; fi
`;
}

function commandCase(command: OfferedCommand): string {
  const { name, words, rest } = command;
  const first = words.length === 0 ? '' : ` \\\n        '2:what:(${words.join(' ')})'`;
  const others = rest === null ? '' : ` \\\n        '*:file:${action(rest)}'`;
  return `    ${name})
      _arguments -s${optionLines(command)} \\
        '1:command:(${name})'${first}${others}
      ;;`;
}

function optionLines({ options }: OfferedCommand): string {
  return options.map((option) => ` \\\n        ${optionSpec(option)}`).join('');
}

function optionSpec({ name, short, help, value }: OfferedOption): string {
  const text = help.replace(/[[\]\\:]/g, (mark) => `\\${mark}`);
  const spelling = value === 'none' ? `--${name}` : `--${name}=`;
  const brief = value === 'none' ? `-${short}` : `-${short}+`;
  const after = value === 'none' ? '' : `:${name}:${action(value)}`;
  const lines = short === null ? [`*${spelling}`] : [`*${brief}`, `*${spelling}`];
  return lines.map((line) => quoted(`${line}[${text}]${after}`)).join(' \\\n        ');
}

function action(value: Offer): string {
  if (value === null) return ' ';
  if (value === 'file') return '_files';
  if (value === 'directory') return '_files -/';
  return value.open === true ? `compadd -S "" -- ${value.words.join(' ')}` : `(${value.words.join(' ')})`;
}
