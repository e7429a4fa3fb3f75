import { readOptions } from './read-options.ts';
import type { Unwrapped } from './seen-command.ts';
import type { ShellWord } from './shell-word.ts';

const GLOBAL = {
  flags: 'pPhv',
  valued: 'cC',
  longFlags: [
    'no-pager',
    'paginate',
    'bare',
    'no-replace-objects',
    'literal-pathspecs',
    'glob-pathspecs',
    'noglob-pathspecs',
    'icase-pathspecs',
    'no-optional-locks',
    'no-lazy-fetch',
    'no-advice',
    'version',
    'help',
  ],
  longValued: ['work-tree', 'namespace'],
};

/** Settings that change how things look, or who signs; any other may name a program that git starts. */
const HARMLESS =
  /^(?:color|advice|user|author|committer|column|log|status|init\.defaultbranch|push|pull|branch|merge\.conflictstyle|core\.(?:quotepath|autocrlf|eol|abbrev|ignorecase|filemode)|commit\.gpgsign|tag\.gpgsign|diff\.(?:renames|algorithm|context|colormoved)|rebase\.(?:autosquash|autostash))(?:\.|$)/i;

/** Options of git's commands that hold a program, a command line, or a directory with hooks. */
const STARTS = [
  'upload-pack',
  'receive-pack',
  'exec',
  'open-files-in-pager',
  'extcmd',
  'ext-diff',
  'textconv',
  'tool',
  'template',
  'config',
];
/** Short options of the same kind, by command; what follows the letter may be the value. */
const SHORT_STARTS: Readonly<Record<string, RegExp>> = {
  difftool: /^-[xt]/,
  mergetool: /^-t/,
  grep: /^-O/,
  clone: /^-[uc]/,
};
/** Commands of git that start programs which its settings or their arguments name, or that serve others. */
const STARTERS = [
  'citool',
  'cvsserver',
  'daemon',
  'filter-branch',
  'gui',
  'hook',
  'http-backend',
  'imap-send',
  'instaweb',
  'p4',
  'remote-ext',
  'remote-fd',
  'send-email',
  'shell',
  'svn',
  'web--browse',
];

/** Commands of git that start what they are given: how, by the word after which it begins. */
const RUNS: Readonly<Record<string, string>> = { bisect: 'run', submodule: 'foreach' };

/** `git -c alias.x='!rm' x`, `git rebase --exec CMD` and the like start programs: those are judged, or doubted. */
export function unwrapGit(args: readonly ShellWord[]): Unwrapped {
  const { options, rest, unknown } = readOptions(args, GLOBAL);
  if (unknown !== null) return { doubts: [`git is called with ${unknown}, which is not understood`] };
  const scripts: string[] = [];
  const doubts: string[] = [];
  for (const { value } of options.filter(({ name }) => name === '-c')) judgeSetting(value, scripts, doubts);
  const [command, ...more] = rest;
  if (command !== undefined && command.text === null) doubts.push('which command git runs is known only when it runs');
  if (STARTERS.includes(command?.text ?? '')) doubts.push(`git ${command?.text} starts other programs`);
  judgeArguments(command?.text ?? '', more, scripts, doubts);
  // Git gives them to the system's shell.
  return { scripts, doubts, grammar: 'posix' };
}

function judgeSetting(value: ShellWord | null, scripts: string[], doubts: string[]): void {
  const text = value?.text ?? null;
  if (text === null) {
    doubts.push('git -c gets a setting that is known only when it runs');
    return;
  }
  const [key = ''] = text.split('=', 1);
  const program = text.slice(text.indexOf('=') + 1);
  if (/^alias\./i.test(key)) {
    if (program.startsWith('!')) scripts.push(program.slice(1));
    else doubts.push(`git -c ${key} gives a command another name`);
  } else if (!HARMLESS.test(key)) doubts.push(`git -c ${key} may start a program`);
}

function judgeArguments(command: string, args: readonly ShellWord[], scripts: string[], doubts: string[]): void {
  const runs = Object.hasOwn(RUNS, command) ? RUNS[command] : undefined;
  const at = runs === undefined ? -1 : args.findIndex(({ text }) => text === runs);
  if (at !== -1) {
    const words = args.slice(at + 1).filter(({ text }) => text === null || !/^--?(?:recursive|quiet|q)$/.test(text));
    const texts = words.map(({ text }) => text);
    if (texts.includes(null)) doubts.push(`git ${command} ${runs} gets words that are known only when it runs`);
    else scripts.push(texts.join(' '));
  }
  for (const [index, { text, chunks }] of args.entries()) {
    const start = text ?? chunks[0] ?? '';
    if (command === 'rebase' && (start === '-x' || start === '--exec')) {
      const given = args[index + 1]?.text;
      if (given == null) doubts.push('git rebase --exec gets a text that is known only when it runs');
      else scripts.push(given);
    } else if (startsProgram(command, start)) {
      doubts.push(`git ${command} ${start} may start a program`);
    }
    if (start === '--') break;
  }
  if (command === 'config') judgeConfig(args, doubts);
}

/** Also where the name is cut short, as git takes it. */
function startsProgram(command: string, word: string): boolean {
  if (word.startsWith('ext::')) return true;
  if (Object.hasOwn(SHORT_STARTS, command) && SHORT_STARTS[command]?.test(word) === true) return true;
  if (command === 'rebase' && /^-[a-zA-Z]*x/.test(word)) return true;
  const [option = ''] = word.split('=', 1);
  if (!option.startsWith('--') || option === '--') return false;
  if (/^--[a-z]+-filter$/.test(option)) return true;
  // `--text` is an option of its own; the template of a commit is a message.
  if (option === '--text' || (option === '--template' && command === 'commit')) return false;
  return STARTS.some((name) => `--${name}`.startsWith(option));
}

/** Reading is harmless; what is set may start a program at any later call. */
function judgeConfig(args: readonly ShellWord[], doubts: string[]): void {
  const words = args.map(({ text }) => text);
  const end = words.findIndex((text) => text?.startsWith('-') !== true);
  const options = words.slice(0, end === -1 ? words.length : end);
  const names = words.filter((text) => text?.startsWith('-') !== true);
  if (options.some((text) => /^(?:--get|--get-all|--get-regexp|--list|-l)$/.test(text ?? ''))) return;
  if (names[0] === 'get' || names[0] === 'list') return;
  // Which word is the name is told apart without the options that take a value only.
  const hasFile = options.some((text) => /^(?:-f|--f)/.test(text ?? ''));
  const key = hasFile ? null : names[0] === 'set' ? names[1] : names[0];
  if (names.length < 2) return;
  if (key == null || !HARMLESS.test(key)) doubts.push('git config sets what may start a program');
}
