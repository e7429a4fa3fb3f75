import { isRecord, parseJson, screenLine } from '../base/index.ts';

/** Arguments that say what a call is about, the most telling first, under the names the harnesses' tools use. */
const TELLING = ['path', 'file_path', 'file', 'command', 'pattern', 'query', 'url', 'description', 'name', 'prompt'];
const LENGTH = 100;

/**
 * One line that says what a tool call is about: `edit src/a.js`. `args`: the arguments as received. Paths below
 * `cwd` lose that part.
 */
export function callSubject(name: string, args: string, cwd: string | null): string {
  const subject = tellingArgument(parseJson(args));
  const short = cwd !== null && subject.startsWith(`${cwd}/`) ? subject.slice(cwd.length + 1) : subject;
  return screenLine(`${name} ${short}`, LENGTH);
}

function tellingArgument(value: unknown): string {
  if (!isRecord(value)) return '';
  for (const key of TELLING) {
    const found = value[key];
    if (typeof found === 'string' && found !== '') return found;
  }
  const first = Object.values(value).find((inner) => typeof inner === 'string');
  return typeof first === 'string' ? first : '';
}
