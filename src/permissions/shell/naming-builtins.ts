import { isRiskyVariable } from './risky-variables.ts';
import type { Unwrapped } from './seen-command.ts';
import type { ShellWord } from './shell-word.ts';

type Unwrap = (args: readonly ShellWord[]) => Unwrapped;

/** Builtins of the shell that take names of variables; the index of an element is computed, commands in it included. */
export const NAMING_BUILTINS: Readonly<Record<string, Unwrap>> = {
  printf: after('printf', /^-v/),
  test: after('test', /^-[vR]$/),
  '[': after('[', /^-[vR]$/),
  wait: after('wait', /^-p/),
  read: anywhere('read'),
  mapfile: anywhere('mapfile'),
  readarray: anywhere('readarray'),
  getopts: anywhere('getopts'),
  unset: anywhere('unset'),
  declare: anywhere('declare'),
  typeset: anywhere('typeset'),
  local: anywhere('local'),
  export: anywhere('export'),
  readonly: anywhere('readonly'),
  let: () => ({ doubts: ['let computes with variables'] }),
};

/** The name is the value of an option. */
function after(program: string, option: RegExp): Unwrap {
  return (args) => {
    const at = args.findIndex(({ text, chunks }) => option.test(text ?? chunks[0] ?? ''));
    const given = args[at]?.text ?? null;
    if (at === -1) return {};
    if (given !== null && given.length > 2) return doubtOf(program, given.slice(2));
    return doubtOf(program, args[at + 1]?.text ?? null);
  };
}

/** Any argument may be one. */
function anywhere(program: string): Unwrap {
  return (args) => {
    const doubts = args.flatMap(({ text, chunks }) => {
      const name = text ?? (chunks[0] ?? '').match(/^(.*?)\+?=/s)?.[1] ?? null;
      return doubtOf(program, name === null ? null : name.replace(/\+?=.*$/s, '')).doubts ?? [];
    });
    return { doubts };
  };
}

function doubtOf(program: string, name: string | null): Unwrapped {
  if (name === null) return { doubts: [`${program} gets a name that is known only when it runs`] };
  if (isRiskyVariable(name)) return { doubts: [`${program} sets ${name}`] };
  return name.includes('[') ? { doubts: [`${program} computes with a variable`] } : {};
}
