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
  longValued: ['git-dir', 'work-tree', 'namespace'],
};

/** Settings that change how things look, or who signs; any other may name a program that git starts. */
const HARMLESS =
  /^(?:color|advice|user|author|committer|column|log|status|init|push|pull|branch|merge\.conflictstyle|core\.(?:quotepath|autocrlf|eol|abbrev|ignorecase|filemode)|commit\.gpgsign|tag\.gpgsign|diff\.(?:renames|algorithm|context|colormoved)|rebase\.(?:autosquash|autostash))(?:\.|$)/i;

/** Options of git's commands that hold a program or a command line. */
const STARTS =
  /^(?:--(?:upload-pack|receive-pack|exec|open-files-in-pager|extcmd|ext-diff|textconv|[a-z]+-filter|tool|mergetool|gpg-sign-program)(?:=|$))/;

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
  judgeArguments(command?.text ?? '', more, scripts, doubts);
  return { scripts, doubts };
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
    } else if (
      STARTS.test(start) ||
      (start === '-x' && command === 'difftool') ||
      (start.startsWith('-O') && command === 'grep')
    ) {
      doubts.push(`git ${command} ${start} may start a program`);
    }
    if (start === '--') break;
  }
  if (command === 'config') judgeConfig(args, doubts);
}

/** Reading is harmless; what is set may start a program at any later call. */
function judgeConfig(args: readonly ShellWord[], doubts: string[]): void {
  const words = args.map(({ text }) => text);
  const reads = words.some(
    (text) => text !== null && /^(?:--get|--get-all|--get-regexp|--list|-l|get|list)$/.test(text),
  );
  const names = words.filter((text) => text?.startsWith('-') !== true);
  const key = names[0] === 'set' ? names[1] : names[0];
  if (reads || names.length < 2) return;
  if (key == null || !HARMLESS.test(key)) doubts.push('git config sets what may start a program');
}
