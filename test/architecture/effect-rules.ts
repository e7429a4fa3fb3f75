import { readImports } from './read-imports.ts';
import { isTest, type SourceTree, type Violation } from './source-tree.ts';
import { type Token, tokenize } from './tokenize.ts';

/** Built-in modules that only compute. All others are effects and belong to `src/host/node`. */
const PURE_MODULES = [
  'node:buffer',
  'node:crypto',
  'node:path',
  'node:string_decoder',
  'node:url',
  'node:util',
  'node:zlib',
];

/** What the command line may use of `process`: the streams, the arguments, signals and the exit code. */
const PROCESS_OF_CLI = ['argv', 'exit', 'exitCode', 'off', 'on', 'once', 'stderr', 'stdin', 'stdout'];

/** Calls and members that reach outside without a port. `*`: any member. */
const AMBIENT: readonly (readonly [object: string, member: string])[] = [
  ['process', '*'],
  ['Date', 'now'],
  ['Math', 'random'],
  ['performance', '*'],
  ['crypto', '*'],
];
const AMBIENT_CALLS = ['fetch', 'setTimeout', 'setInterval', 'setImmediate', 'randomBytes', 'randomInt', 'randomUUID'];
const BARE_ERRORS = ['Error', 'TypeError', 'RangeError', 'SyntaxError', 'AggregateError'];

/** Harnesses are values: only their own folder and the composition root know them by name. */
const HARNESS_NAMES = ['kli', 'kimi-cli', 'polytoken'];
const KNOW_HARNESSES = ['src/harness/', 'src/runtime/'];

function is(token: Token | undefined, text: string): boolean {
  return token !== undefined && token.text === text && (token.kind === 'word' || token.kind === 'mark');
}

/** Reads the program's own code, before there is a host to read anything by: docs/decisions/0008-code-cache.md. */
const LOADS_THE_PROGRAM = 'src/cli/load-program.ts';

function isAllowedInCli(file: string, object: string, member: string): boolean {
  if (object !== 'process') return false;
  if (file === LOADS_THE_PROGRAM && member === 'getBuiltinModule') return true;
  return file.startsWith('src/cli/') && PROCESS_OF_CLI.includes(member);
}

function ambientAt(file: string, tokens: readonly Token[], index: number): string | undefined {
  const token = tokens[index];
  if (token?.kind !== 'word' || is(tokens[index - 1], '.')) return undefined;
  const next = tokens[index + 1];
  const member = is(next, '.') ? (tokens[index + 2]?.text ?? '') : is(next, '[') ? '[…]' : undefined;
  const isAmbient = AMBIENT.some(([object, name]) => object === token.text && (name === '*' || name === member));
  if (member !== undefined && isAmbient && !isAllowedInCli(file, token.text, member)) return `${token.text}.${member}`;
  if (is(next, '(') && AMBIENT_CALLS.includes(token.text)) return `${token.text}()`;
  const isClock =
    token.text === 'Date' && is(tokens[index - 1], 'new') && (!is(next, '(') || is(tokens[index + 2], ')'));
  return isClock ? 'new Date()' : undefined;
}

function effectsOf(file: string, tokens: readonly Token[]): Violation[] {
  if (file.startsWith('src/host/node/')) return [];
  const modules = readImports(tokens)
    .filter((found) => found.kind !== 'type' && found.specifier !== null)
    .filter((found) => found.specifier?.startsWith('node:') === true && !PURE_MODULES.includes(found.specifier))
    .map((found) => ({ rule: 'ambient-effect', file, line: found.line, detail: found.specifier ?? '' }));
  const calls = tokens.flatMap((token, index) => {
    const detail = ambientAt(file, tokens, index);
    return detail === undefined ? [] : [{ rule: 'ambient-effect', file, line: token.line, detail }];
  });
  return [...modules, ...calls];
}

function bareErrors(file: string, tokens: readonly Token[]): Violation[] {
  return tokens.flatMap((token, index) => {
    const name = tokens[index + 2];
    const isBare = is(token, 'throw') && is(tokens[index + 1], 'new') && BARE_ERRORS.includes(name?.text ?? '');
    return isBare ? [{ rule: 'bare-error', file, line: token.line, detail: `throw new ${name?.text}` }] : [];
  });
}

function harnessNames(file: string, tokens: readonly Token[]): Violation[] {
  if (KNOW_HARNESSES.some((folder) => file.startsWith(folder))) return [];
  return tokens
    .filter((token) => (token.kind === 'string' || token.kind === 'template') && HARNESS_NAMES.includes(token.text))
    .map((token) => ({ rule: 'harness-name', file, line: token.line, detail: `'${token.text}'` }));
}

/** Effects without a port, errors without a code, harnesses known by name. Tests may do all of it. */
export function checkEffects(tree: SourceTree): Violation[] {
  return [...tree]
    .filter(([file]) => !isTest(file))
    .flatMap(([file, source]) => {
      const tokens = tokenize(source);
      return [...effectsOf(file, tokens), ...bareErrors(file, tokens), ...harnessNames(file, tokens)];
    });
}
