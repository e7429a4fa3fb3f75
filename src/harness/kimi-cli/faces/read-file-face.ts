import type { Json, ToolFailure } from '../../../model/index.ts';
import type { ReadArgs, ReadValue, ToolFace } from '../../../tools/contract/index.ts';
import description from '../descriptions/read-file.md';
import type { KimiResult } from '../tool-result.ts';
import { type Ground, placeOf, quotedPath } from './ground.ts';
import { kimiFace } from './kimi-face.ts';

const MAX_LINES = 1000;
const MAX_BYTES = 102_400;
const MAX_LINE_LENGTH = 2000;

type Given = { path: string; line_offset: number; n_lines: number };
type TextValue = Extract<ReadValue, { kind: 'text' }>;

function toArgs(given: Readonly<Record<string, Json>>, ground: Ground): { args: ReadArgs } | { error: ToolFailure } {
  const { path, line_offset: offset, n_lines: lineCount } = given as Given;
  if (offset === 0 || offset < -MAX_LINES) {
    const why = offset === 0 ? 'lines are counted from 1, or from -1 at the end' : `it must be at least -${MAX_LINES}`;
    const message = `Error validating JSON arguments: line_offset cannot be ${offset}: ${why}`;
    return { error: { code: 'arguments/invalid', message } };
  }
  const place = placeOf(path, ground);
  if ('error' in place) return place;
  return {
    args: {
      path: place.path,
      ...(offset < 0 ? { lastLines: -offset } : { firstLine: offset }),
      lineCount,
      bounds: { lines: MAX_LINES, bytes: MAX_BYTES, lineLength: MAX_LINE_LENGTH },
      numbers: true,
      pastEnd: 'empty',
      only: 'text',
      withoutSecrets: true,
    },
  };
}

/** Each line with its end; `\r` ends lines only where there is no other end. */
function linesOf({ text, firstLine, lastLine }: TextValue): string[] {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return lines.length === lastLine - firstLine + 1 ? lines : (text.match(/[^\r]*\r|[^\r]+$/g) ?? []);
}

function numbered(value: TextValue): string {
  return linesOf(value)
    .map((line, index) => `${String(value.firstLine + index).padStart(6)}\t${line}`)
    .join('');
}

function messageOf(value: TextValue, asked: number): string {
  const count = value.lastLine - value.firstLine + 1;
  const sentences = [
    count === 0 ? 'No lines read from file.' : `${count} lines read from file starting from line ${value.firstLine}.`,
    `Total lines in file: ${value.totalLines}.`,
  ];
  if (value.ended === 'lines') sentences.push(`Max ${MAX_LINES} lines reached.`);
  else if (value.ended === 'bytes') sentences.push(`Max ${MAX_BYTES} bytes reached.`);
  else if (count < asked) sentences.push('End of file reached.');
  const shortened = value.shortenedAt ?? [];
  if (shortened.length > 0) sentences.push(`Lines [${shortened.join(', ')}] were truncated.`);
  return sentences.join(' ');
}

function toFailure(error: ToolFailure, ground: Ground): KimiResult {
  return { failed: true, message: failureMessage(error, ground) };
}

function failureMessage(error: ToolFailure, { pictures }: Ground): string {
  const path = quotedPath(error);
  switch (error.code) {
    case 'read/absent':
      return `${path} does not exist.`;
    case 'read/not-regular':
      return `${path} is not a file.`;
    case 'read/secret':
      return `${path} is named like a file of keys or passwords, and such files are not read. Ask the user for what you need to know.`;
    case 'read/not-text':
      return notText(path, error.data?.mime, pictures !== false);
    default:
      return error.code.startsWith('read/') ? `Failed to read ${path}. Error: ${error.message}` : error.message;
  }
}

function notText(path: string, mime: unknown, pictures: boolean): string {
  if (typeof mime === 'string' && /^(image|video)\//.test(mime)) {
    const kind = mime.startsWith('image/') ? 'an image' : 'a video';
    return `${path} is ${kind}, not text. ${pictures ? 'Use ReadMediaFile to look at it.' : 'This model cannot look at it.'}`;
  }
  return `${path} is not text. Use Shell, a Python script or an MCP tool that knows its format.`;
}

/** Executor `read` (spec/kimi-cli.md 13.2). */
export function kimiReadFileFace(ground: Ground): ToolFace {
  return kimiFace<ReadArgs, ReadValue>({
    name: 'ReadFile',
    description,
    executor: 'read',
    parameters: [
      {
        name: 'path',
        required: true,
        schema: { type: 'string', description: 'The file. Outside the working directory the path must be absolute.' },
      },
      {
        name: 'line_offset',
        schema: {
          type: 'integer',
          default: 1,
          description: `First line, from 1. Negative: that many lines before the end, at most ${MAX_LINES}.`,
        },
      },
      {
        name: 'n_lines',
        schema: {
          type: 'integer',
          default: MAX_LINES,
          minimum: 1,
          description: `Most lines. One call gives at most ${MAX_LINES}.`,
        },
      },
    ],
    toArgs: (given) => toArgs(given, ground),
    toResult(value, _outcome, _turn, args) {
      // It was asked for text alone.
      if (value.kind !== 'text') return { failed: true, message: `\`${value.path}\` is not text.` };
      return { message: messageOf(value, args?.lineCount ?? MAX_LINES), output: numbered(value) };
    },
    toFailure: (error) => toFailure(error, ground),
  });
}
