import type { Unwrapped } from './seen-command.ts';
import { type ShellWord, UNKNOWN_WORD } from './shell-word.ts';

const ACTIONS = ['-exec', '-execdir', '-ok', '-okdir'];

/** The commands that `find` starts; `{}` is any path. Only the first is returned as `inner`, more of them are a doubt. */
export function unwrapFind(args: readonly ShellWord[]): Unwrapped {
  const found: ShellWord[][] = [];
  const doubts: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const { text: word = null, chunks = [] } = args[at] ?? {};
    if (chunks[0] === null) doubts.push('find gets a word that is known only when it runs, and may be an action');
    if (word === null || !ACTIONS.includes(word)) continue;
    const rest = args.slice(at + 1);
    const end = rest.findIndex(({ text }) => text === ';' || text === '+');
    found.push((end === -1 ? rest : rest.slice(0, end)).map(withPath));
    at += end === -1 ? rest.length : end + 1;
  }
  if (args.some(({ text }) => text === '-execdir' || text === '-okdir')) doubts.push('find changes the directory');
  if (found.length > 1) doubts.push('find starts more than one command');
  return { doubts, ...(found[0] === undefined ? {} : { inner: found[0] }) };
}

function withPath(word: ShellWord): ShellWord {
  return word.text?.includes('{}') === true ? UNKNOWN_WORD : word;
}
