import type { MediaPart } from '../../model/index.ts';
import type { ReadArgs, ReadValue, ToolFace } from '../../tools/contract/index.ts';
import { closeLine, grouped, makeFace } from './face.ts';

type GoOn = (lastLine: number) => string;
type TextValue = Extract<ReadValue, { kind: 'text' }>;

/** `   12→` before each line: the width of the last number, at least 4. The arrow is no character of the file. */
function numberLines({ text, firstLine, lastLine }: TextValue): string {
  if (text === '') return '';
  const width = Math.max(4, String(lastLine).length);
  const closed = text.endsWith('\n');
  const lines = (closed ? text.slice(0, -1) : text).split('\n');
  const numbered = lines.map((line, index) => `${String(firstLine + index).padStart(width)}→${line}`).join('\n');
  return closed ? `${numbered}\n` : numbered;
}

function textNotices(value: TextValue, goOn: GoOn): string[] {
  const notices: string[] = [];
  if (value.totalLines === 0) notices.push('[the file is empty]');
  else if (value.firstLine > 1 || value.lastLine < value.totalLines) {
    const next = value.lastLine < value.totalLines ? `; go on with ${goOn(value.lastLine)}` : '';
    notices.push(`[lines ${value.firstLine} to ${value.lastLine} of ${grouped(value.totalLines)}${next}]`);
  }
  if (value.shortenedLines > 0) {
    const lines = value.shortenedLines === 1 ? '1 long line is' : `${value.shortenedLines} long lines are`;
    notices.push(`[${lines} shortened]`);
  }
  return notices;
}

/** What was read, and what of it was left out. `goOn`: the argument that the next lines are asked for with. */
export function readText(value: ReadValue, goOn: GoOn): string {
  switch (value.kind) {
    case 'text': {
      const shown = value.numbers === true ? numberLines(value) : value.text;
      const notices = textNotices(value, goOn);
      return notices.length === 0 ? shown : closeLine(shown) + notices.join('\n');
    }
    case 'binary':
      return `[binary file, ${grouped(value.size)} bytes${value.mime === null ? '' : `, ${value.mime}`}; not shown${value.why === undefined ? '' : `: ${value.why}`}]`;
    case 'image': {
      const was = value.was === null ? '' : `, made smaller from ${value.was.width}×${value.was.height}`;
      return `[picture, ${value.mime}, ${value.width}×${value.height} pixels${was}]`;
    }
    case 'directory': {
      const entries = value.entries.map(({ name, directory }) => `${name}${directory ? '/' : ''}\n`).join('');
      const more = value.total - value.entries.length;
      if (value.total === 0) return '[the directory is empty]';
      return more > 0 ? `${entries}[${grouped(more)} more entries]` : entries;
    }
  }
}

/** A picture that the model is to see. */
export function readMedia(value: ReadValue): MediaPart[] {
  return value.kind === 'image' ? [{ type: 'media', sha256: value.sha256, mime: value.mime }] : [];
}

/** Executor `read`. Lines are shown as they are in the file unless numbers are asked for. */
export function readFace(words: { name: string; description: string }): ToolFace {
  return makeFace<ReadArgs, ReadValue>({
    ...words,
    executor: 'read',
    parameters: [
      {
        name: 'path',
        type: 'string',
        required: true,
        description: 'File or directory, absolute or from the working directory.',
      },
      { name: 'start', type: 'integer', minimum: 1, description: 'First line, from 1. Default: 1.' },
      {
        name: 'end',
        type: 'integer',
        minimum: 1,
        description: 'Last line, included. Default: as far as one result goes.',
      },
      { name: 'numbers', type: 'boolean', description: 'Put line numbers before the lines. Default: false.' },
    ],
    toArgs(given) {
      const { path, start, end, numbers } = given as { path: string; start?: number; end?: number; numbers?: boolean };
      const firstLine = start ?? 1;
      if (end !== undefined && end < firstLine) {
        return {
          error: {
            code: 'arguments/invalid',
            message: `end (${end}) lies before start (${firstLine})`,
            data: { field: 'end' },
          },
        };
      }
      return {
        args: {
          path,
          ...(start === undefined ? {} : { firstLine }),
          ...(end === undefined ? {} : { lineCount: end - firstLine + 1 }),
          ...(numbers === true ? { numbers } : {}),
        },
      };
    },
    toText: (value) => readText(value, (lastLine) => `start ${lastLine + 1}`),
    toMedia: readMedia,
  });
}
