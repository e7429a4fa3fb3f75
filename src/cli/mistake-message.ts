import { nearest } from '../base/index.ts';
import type { Mistake } from './command-line.ts';
import type { CommandSpec } from './table.ts';

/** One line: what is wrong with the command line, and what to do. */
export function mistakeMessage(mistake: Mistake): string {
  switch (mistake.type) {
    case 'unknown-option':
      return `unknown option ${mistake.option}: ${unknownOptionHint(mistake.option, mistake.command)}`;
    case 'option-of-another': {
      const others = mistake.others.map((name) => `"${callOf(name)}"`).join(', ');
      return `${mistake.option} is not an option of "${callOf(mistake.command.name)}"; it belongs to ${others}`;
    }
    case 'value-missing': {
      const { name, value } = mistake.option;
      const hint = mistake.next === null ? '' : `; a value that begins with "-" is written --${name}=${mistake.next}`;
      return `--${name} needs a value: --${name} ${value ?? ''}${hint}`;
    }
    case 'value-unwanted':
      return `--${mistake.option.name} takes no value`;
    case 'value-unknown':
      return wordMistake(`--${mistake.option.name}`, mistake.value, mistake.option.words ?? []);
    case 'command-not-built':
      return `"rein ${mistake.command}" is not in this version yet; as a prompt: rein -p ${mistake.command}`;
    case 'argument-unknown':
      return wordMistake(`"${callOf(mistake.command.name)}":`, mistake.word, mistake.command.words ?? []);
    case 'too-many-arguments':
      return tooMany(mistake.command, mistake.extra);
  }
}

function callOf(command: string): string {
  return command === '' ? 'rein -p' : `rein ${command}`;
}

function unknownOptionHint(option: string, command: CommandSpec): string {
  const near = option.startsWith('--') ? nearest(option.slice(2), command.options) : undefined;
  return near === undefined ? `see ${callOf(command.name).replace(' -p', '')} --help` : `did you mean --${near}?`;
}

function wordMistake(what: string, value: string, words: readonly string[]): string {
  const near = nearest(value, words);
  const hint = near === undefined ? '' : `; did you mean ${near}?`;
  return `${what} ${shown(value)} is not one of ${words.join(', ')}${hint}`;
}

function tooMany(command: CommandSpec, extra: string): string {
  if (command.name === '') return `one PROMPT only, then came ${shown(extra)}: put the prompt in quotes`;
  return `unexpected argument ${shown(extra)}: ${command.usage[0] ?? ''}`;
}

function shown(word: string): string {
  return JSON.stringify(word.length > 40 ? `${word.slice(0, 40)}…` : word);
}

/** A single word that is almost a command's name was hardly meant as a prompt. Null: it is a prompt. */
export function almostCommand(word: string, commands: readonly string[]): string | null {
  if (word.length < 4 || /\s/.test(word)) return null;
  const near = nearest(word, commands);
  if (near === undefined || near.length < 4) return null;
  return `unknown command "${word}": did you mean "rein ${near}"? As a prompt: rein -p ${word}`;
}
