import { basename } from 'node:path';
import { NAMING_BUILTINS } from './naming-builtins.ts';
import { type OptionForm, readOptions } from './read-options.ts';
import type { Unwrapped } from './seen-command.ts';
import { type ShellWord, UNKNOWN_WORD } from './shell-word.ts';
import { unwrapFind } from './unwrap-find.ts';
import { unwrapGit } from './unwrap-git.ts';

type Unwrap = (args: readonly ShellWord[]) => Unwrapped;

const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=/;

/** Programs that start the command in their arguments after some options, and how many words stand before it. */
const PLAIN: Readonly<Record<string, { form: OptionForm; before?: number }>> = {
  nice: { form: { flags: '0123456789', valued: 'n', longValued: ['adjustment'] } },
  nohup: { form: { flags: '', valued: '' } },
  timeout: {
    form: {
      flags: 'vfp',
      valued: 'ks',
      longFlags: ['preserve-status', 'foreground', 'verbose'],
      longValued: ['kill-after', 'signal'],
    },
    before: 1,
  },
  time: {
    form: {
      flags: 'pavqV',
      // Not -o: it writes a file.
      valued: 'f',
      longFlags: ['portability', 'append', 'verbose', 'quiet'],
      longValued: ['format'],
    },
  },
  stdbuf: { form: { flags: '', valued: 'ioe', longValued: ['input', 'output', 'error'] } },
  setsid: { form: { flags: 'cfw', valued: '', longFlags: ['ctty', 'fork', 'wait'] } },
  ionice: { form: { flags: 't', valued: 'cn', longFlags: ['ignore'], longValued: ['class', 'classdata'] } },
  chrt: { form: { flags: 'abfiormd', valued: 'TPD' }, before: 1 },
  builtin: { form: { flags: '', valued: '' } },
  exec: { form: { flags: 'cl', valued: 'a' } },
  busybox: { form: { flags: '', valued: '' } },
  toybox: { form: { flags: '', valued: '' } },
};

const SUDO: OptionForm = {
  flags: 'AbEeHiklnPSsKVv',
  valued: 'CDghpRrTtUu',
  longFlags: ['askpass', 'background', 'preserve-env', 'set-home', 'login', 'non-interactive', 'stdin', 'shell'],
  longValued: ['close-from', 'chdir', 'group', 'host', 'prompt', 'chroot', 'role', 'type', 'other-user', 'user'],
};
const XARGS: OptionForm = {
  flags: '0rtxpo',
  // Not -a: it reads a file.
  valued: 'IEdLnPs',
  longFlags: ['null', 'no-run-if-empty', 'verbose', 'exit', 'interactive', 'open-tty'],
  longValued: ['delimiter', 'max-lines', 'max-args', 'max-procs', 'max-chars', 'eof'],
};
const ENV: OptionForm = {
  flags: 'i0v',
  valued: 'uCS',
  longFlags: ['ignore-environment', 'null', 'debug'],
  longValued: ['unset', 'chdir', 'split-string'],
};
const SHELL: OptionForm = {
  flags: 'abefhiklmnprstuvxBCEHPT',
  valued: 'oO',
  longFlags: ['norc', 'noprofile', 'posix', 'login'],
};
/** Where the system's own programs are. */
const SYSTEM = /^\/(?:usr\/)?bin\/[^/]+$/;
const BASH = ['bash', 'rbash'];
const POSIX = ['sh', 'dash', 'ash'];
/** The last ones have grammars of their own. */
const SHELLS = [...BASH, ...POSIX, 'zsh', 'ksh', 'mksh'];

const OTHERS: Readonly<Record<string, Unwrap>> = {
  env: unwrapEnv,
  sudo: (args) => unwrapSudo(args, SUDO),
  doas: (args) => unwrapSudo(args, { flags: 'Lns', valued: 'aCu' }),
  xargs: unwrapXargs,
  command: unwrapCommandBuiltin,
  eval: unwrapEval,
  trap: (args) => {
    const [action] = args;
    if (action === undefined || action.text === '-' || action.text === '') return {};
    return action.text === null
      ? { doubts: ['trap gets a command that is known only when it runs'] }
      : { scripts: [action.text] };
  },
  find: unwrapFind,
  git: unwrapGit,
  ...NAMING_BUILTINS,
};

/** What a simple command starts beside itself. Nothing for a plain program. */
export function unwrapCommand(name: string, args: readonly ShellWord[]): Unwrapped {
  const program = basename(name);
  const unwrapped = unwrapProgram(program, args);
  // A program of that name from anywhere else may do what it likes: what it seems to start is judged beside it.
  return name === program || SYSTEM.test(name) ? unwrapped : { ...unwrapped, transparent: false };
}

function unwrapProgram(program: string, args: readonly ShellWord[]): Unwrapped {
  if (SHELLS.includes(program)) return unwrapShell(program, args);
  if (Object.hasOwn(PLAIN, program)) {
    const { form, before = 0 } = PLAIN[program] ?? { form: { flags: '', valued: '' } };
    return unwrapPlain(program, args, form, before);
  }
  return Object.hasOwn(OTHERS, program) ? (OTHERS[program]?.(args) ?? {}) : {};
}

function unwrapPlain(program: string, args: readonly ShellWord[], form: OptionForm, before: number): Unwrapped {
  const { rest, unknown } = readOptions(args, form);
  if (unknown !== null) return strange(program, unknown);
  const inner = rest.slice(before);
  return inner.length === 0 ? {} : { inner, transparent: true };
}

function strange(program: string, option: string): Unwrapped {
  return { doubts: [`${program} is called with ${option}, which is not understood`] };
}

/** Words that set a variable, before the command. */
function splitAssignments(words: readonly ShellWord[]): { variables: string[]; inner: readonly ShellWord[] } {
  const variables: string[] = [];
  let at = 0;
  for (; at < words.length; at += 1) {
    const name = ASSIGNMENT.exec(words[at]?.chunks[0] ?? '')?.[1];
    if (name === undefined) break;
    variables.push(name);
  }
  return { variables, inner: words.slice(at) };
}

function unwrapEnv(args: readonly ShellWord[]): Unwrapped {
  const { options, rest, unknown } = readOptions(args[0]?.text === '-' ? args.slice(1) : args, ENV);
  if (unknown !== null) return strange('env', unknown);
  if (options.some(({ name }) => name === '-S' || name === '--split-string')) return strange('env', '-S');
  const moves = options.some(({ name }) => name === '-C' || name === '--chdir');
  const doubts = moves ? ['env changes the directory'] : [];
  const { variables, inner } = splitAssignments(rest);
  return inner.length === 0 ? { variables } : { variables, inner, doubts, transparent: true };
}

function unwrapSudo(args: readonly ShellWord[], form: OptionForm): Unwrapped {
  const { options, rest, unknown } = readOptions(args, form);
  if (unknown !== null) return strange('sudo', unknown);
  const { variables, inner } = splitAssignments(rest);
  const shell = options.some(({ name }) => ['-i', '-s', '--login', '--shell'].includes(name));
  const doubts = shell ? ['sudo starts a shell'] : [];
  return { variables, doubts, coversInner: true, ...(inner.length === 0 ? {} : { inner }) };
}

function unwrapXargs(args: readonly ShellWord[]): Unwrapped {
  const { options, rest, unknown } = readOptions(args, XARGS);
  if (unknown !== null) return strange('xargs', unknown);
  // Without a command it prints what it reads.
  if (rest.length === 0) return {};
  const marks = options.filter(({ name }) => name === '-I').map(({ value }) => value?.text ?? '');
  if (marks.length === 0) return { inner: [...rest, UNKNOWN_WORD], transparent: true };
  // What is read is put into the words themselves.
  const filled = (word: ShellWord): boolean => word.text === null || marks.some((mark) => word.text?.includes(mark));
  return { inner: rest.map((word) => (filled(word) ? UNKNOWN_WORD : word)), transparent: true };
}

function unwrapCommandBuiltin(args: readonly ShellWord[]): Unwrapped {
  const { options, rest, unknown } = readOptions(args, { flags: 'pvV', valued: '' });
  if (unknown !== null) return strange('command', unknown);
  const asks = options.some(({ name }) => name !== '-p');
  return asks || rest.length === 0 ? {} : { inner: rest, transparent: true };
}

function unwrapEval(args: readonly ShellWord[]): Unwrapped {
  const texts = args.map(({ text, tilde }) => (tilde ? null : text));
  if (texts.includes(null)) return { doubts: ['eval gets a text that is known only when it runs'] };
  return { scripts: [texts.join(' ')], transparent: true };
}

/** `sh -c TEXT` is judged by its text; a shell that reads commands from its input cannot be judged. */
function unwrapShell(program: string, args: readonly ShellWord[]): Unwrapped {
  const isScript = args.findIndex(({ text }) => text !== null && /^-[A-Za-z]*c[A-Za-z]*$/.test(text));
  const { rest, unknown } = readOptions(args, { ...SHELL, flags: `${SHELL.flags}c` });
  if (unknown !== null) return strange(program, unknown);
  const given = args.length - rest.length;
  if (isScript !== -1 && isScript < given) {
    const [script] = rest;
    if (script?.text == null) return { doubts: [`${program} -c gets a text that is known only when it runs`] };
    if (!POSIX.includes(program) && !BASH.includes(program))
      return { ...strange(program, '-c'), scripts: [script.text] };
    return { scripts: [script.text], grammar: BASH.includes(program) ? 'bash' : 'posix', transparent: true };
  }
  if (isScript !== -1) return strange(program, 'a -c that comes late');
  return rest.length === 0 ? { doubts: [`${program} reads commands from its input`] } : {};
}
