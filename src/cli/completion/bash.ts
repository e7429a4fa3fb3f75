import { type Offer, type OfferedCommand, type OfferedOption, quoted } from './offers.ts';

/** What is offered are the words that begin with what stands at the cursor. */
const WORDS = `_rein_words() {
  local word
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$@" -- "$cur")
}`;

/** Reads the words before the cursor: the command, the option that waits for its value, what else was said. */
const READ = `  local cur="\${COMP_WORDS[COMP_CWORD]}" before='' command='' printing='' first='' ended='' skip='' word i
  COMPREPLY=()
  [[ $cur == '=' ]] && cur=''
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [[ -n $before ]]; then
      # The option's own "=" stands before its value.
      [[ $word == '=' ]] || before=''
      continue
    fi
    if [[ $word == [=:] ]]; then
      skip=1
      continue
    elif [[ -n $skip ]]; then
      skip=''
      continue
    fi
    if _rein_takes_value "$word"; then
      before="$word"
      continue
    fi
    case "$word" in
      --) ended=1 ;;
      -p|--print) printing=1 ;;
      -*) ;;
      *)
        if [[ -n $printing$ended || -n $command ]]; then first=1
        else command="$word"
        fi
        ;;
    esac
  done
  [[ $COMP_CWORD -gt 1 && \${COMP_WORDS[COMP_CWORD]} == '=' && -z $before ]] && return`;

/**
 * For bash 3.2 and later, without its completion package. There `=` and `:` are words of their own: `--wire=c` comes as
 * three.
 */
export function bashCompletion(commands: readonly OfferedCommand[]): string {
  const named = commands.filter(({ name }) => name !== '');
  const values = commands.flatMap(({ options }) => options).filter(({ value }) => value !== 'none');
  return `# Completion of rein for bash: source this, or put it where bash-completion looks.
${WORDS}

_rein_takes_value() {
  case "$1" in
    ${optionPattern(values)}) return 0 ;;
  esac
  return 1
}

_rein() {
${READ}
  case "$command" in
    ${named.map(({ name }) => name).join('|')}|'') ;;
    *) command='' ; first=1 ;;
  esac
  case "$before" in
${uniqueValues(values).map(valueCase).join('\n')}
  esac
  if [[ -z $ended && $cur == -* ]]; then
    case "$command" in
${commands.map(optionsCase).join('\n')}
    esac
    return
  fi
  [[ -n $printing$ended ]] && return
  case "$command:$first" in
    :) _rein_words -W ${quoted(named.map(({ name }) => name).join(' '))} ;;
${named.flatMap(argumentCases).join('\n')}
  esac
}

complete -F _rein rein
`;
}

function spellings({ name, short }: OfferedOption): string[] {
  return short === null ? [`--${name}`] : [`-${short}`, `--${name}`];
}

function optionPattern(options: readonly OfferedOption[]): string {
  return [...new Set(options.flatMap(spellings))].join('|');
}

/** An option means the same wherever it is taken. */
function uniqueValues(options: readonly OfferedOption[]): OfferedOption[] {
  return [...new Map(options.map((option) => [option.name, option])).values()];
}

function valueCase(option: OfferedOption): string {
  return `    ${spellings(option).join('|')}) ${offer(option.value)}return ;;`;
}

function offer(value: Offer | 'none'): string {
  if (value === null || value === 'none') return '';
  if (value === 'file') return 'compopt -o filenames 2>/dev/null; _rein_words -f; ';
  if (value === 'directory') return 'compopt -o filenames 2>/dev/null; _rein_words -d; ';
  const open = value.open === true ? 'compopt -o nospace 2>/dev/null; ' : '';
  return `${open}_rein_words -W ${quoted(value.words.join(' '))}; `;
}

function optionsCase({ name, options }: OfferedCommand): string {
  return `      ${quoted(name)}) _rein_words -W ${quoted(options.flatMap(spellings).join(' '))} ;;`;
}

function argumentCases({ name, words, rest }: OfferedCommand): string[] {
  const first = words.length === 0 ? [] : [`    ${name}:) _rein_words -W ${quoted(words.join(' '))} ;;`];
  return rest === null ? first : [...first, `    ${name}:1) ${offer(rest).trimEnd()} ;;`];
}
