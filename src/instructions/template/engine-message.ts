import { printable } from '../../base/index.ts';
import type { TemplateContext } from '../../model/index.ts';
import { definedNames, pathsIn, pathText, type WrittenPath } from './variable-paths.ts';

/** What MiniJinja said of a source, read from its message. Line and column from 1, of the source's text. */
export type EngineMessage = {
  kind: 'syntax' | 'undefined' | 'limit' | 'failed';
  message: string;
  line: number | null;
  column: number | null;
  /** The line and the UTF-16 offsets in it that it points at. */
  at: { line: string; from: number; to: number } | null;
};

const MAX_SHOWN = 300;
const HEAD = /^([^\n]*?)(?: \(in [^\n]*:(\d+)\))?(?:\n|$)/;
const POINTER = /^ *i ( *)(\^+) /;

export function readEngineMessage(text: string, source: string): EngineMessage {
  const [, said = '', number] = HEAD.exec(text) ?? [];
  const line = number === undefined ? null : Number(number);
  const at = line === null ? null : pointedAt(text, source, line);
  const column = at === null ? null : columnAt(at.line, at.from);
  return { ...worded(printable(said).slice(0, MAX_SHOWN)), line, column, at };
}

/** `   3 > text`, and below it `     i    ^^^^ reason`, both after seven characters. */
function pointedAt(text: string, source: string, number: number): EngineMessage['at'] {
  const shown = text.split('\n');
  const row = shown.findIndex((line) => line.trimStart().startsWith(`${number} > `));
  const [, spaces, carets] = POINTER.exec(shown[row + 1] ?? '') ?? [];
  const line = source.split('\n')[number - 1]?.replace(/\r$/, '');
  if (row < 0 || spaces === undefined || carets === undefined || line === undefined) return null;
  const characters = [...line];
  const from = characters.slice(0, spaces.length).join('').length;
  return { line, from, to: from + characters.slice(spaces.length, spaces.length + carets.length).join('').length };
}

function worded(said: string): Pick<EngineMessage, 'kind' | 'message'> {
  const detail = said.replace(/^[a-z ]+: /, '');
  if (said === 'undefined value') return { kind: 'undefined', message: 'a name that is not defined is used' };
  if (said.startsWith('unknown function'))
    return { kind: 'undefined', message: 'a function that does not exist is called' };
  if (said.startsWith('syntax error') || said.startsWith('bad string escape')) {
    return { kind: 'syntax', message: detail };
  }
  if (said === 'engine ran out of fuel') return { kind: 'limit', message: 'the template does not come to an end' };
  if (said.includes('recursion limit')) return { kind: 'limit', message: 'the template calls itself too deeply' };
  if (said.startsWith('template not found')) {
    return { kind: 'failed', message: 'templates cannot include, import or extend others; transclude can' };
  }
  return { kind: 'failed', message: detail === '' ? 'the template could not be rendered' : detail };
}

/** The paths that an error for something undefined points at, the missing ones only. */
export function undefinedPaths({ at }: EngineMessage, context: TemplateContext): WrittenPath[] {
  if (at === null) return [];
  return pathsIn(at.line).filter(
    (path) => path.start < at.to && path.end > at.from && definedNames(path, context) < path.names.length,
  );
}

/** What to call the missing: up to the first missing name, and whole where the template itself made the first one. */
export function undefinedName(
  message: EngineMessage,
  source: string,
  context: TemplateContext,
): { name: string; column: number } | null {
  const paths = undefinedPaths(message, context);
  const path = paths.find(({ names }) => !isFunction(names[0]?.name ?? '', context)) ?? paths[0];
  if (path === undefined || message.at === null) return null;
  const defined = definedNames(path, context);
  const isLocal = defined === 0 && path.names.length > 1 && isMadeBy(source, path.names[0]?.name ?? '');
  return {
    name: pathText(path, isLocal ? path.names.length : defined + 1),
    column: columnAt(message.at.line, path.start),
  };
}

/** From 1, in characters. */
function columnAt(line: string, offset: number): number {
  return [...line.slice(0, offset)].length + 1;
}

const FUNCTIONS = ['has_tool', 'get_tool', 'has_mcp', 'has_skill', 'is_model_variant', 'embedded', 'range', 'dict'];

function isFunction(name: string, { variables }: TemplateContext): boolean {
  return FUNCTIONS.includes(name) && !Object.hasOwn(variables, name);
}

/** By a loop, an assignment or a macro. */
function isMadeBy(source: string, name: string): boolean {
  return [...source.matchAll(/\{%[-+]?[ \t\r\n]*(?:for|set|macro|with|call)\b([^%}]{0,200})/g)].some(([, head = '']) =>
    head.split(/[^A-Za-z0-9_]+/).includes(name),
  );
}
