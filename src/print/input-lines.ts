import type { Input } from './stdio.ts';

/** Most bytes of one command line. */
const LINE_LIMIT = 32 * 1024 * 1024;

export type InputLine = { ok: true; text: string } | { ok: false; code: string; message: string };

/**
 * The lines of a stream, without their ends (`\n` or `\r\n`); empty ones are left out, the last needs no end. A line
 * over the limit, or one that is not UTF-8, is reported in its place and costs no memory beyond the limit.
 */
export async function* inputLines(input: Input, limit: number = LINE_LIMIT): AsyncGenerator<InputLine> {
  let parts: Uint8Array[] = [];
  let size = 0;
  const take = (): InputLine | null => {
    const line = size > limit ? tooLong(limit) : decode(parts);
    parts = [];
    size = 0;
    return line;
  };
  for (let chunk = await input.read(); chunk !== null; chunk = await input.read()) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      size += end - start;
      if (size <= limit) parts.push(chunk.subarray(start, end));
      start = end + 1;
      const line = take();
      if (line !== null) yield line;
    }
    size += chunk.length - start;
    if (size <= limit) parts.push(chunk.subarray(start));
    else parts = [];
  }
  const last = take();
  if (last !== null) yield last;
}

function tooLong(limit: number): InputLine {
  return { ok: false, code: 'command/too-long', message: `the line is longer than ${limit} bytes` };
}

function decode(parts: readonly Uint8Array[]): InputLine | null {
  const bytes = Buffer.concat(parts);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r$/, '');
    return text.trim() === '' ? null : { ok: true, text };
  } catch {
    return { ok: false, code: 'command/not-utf-8', message: 'the line is not valid UTF-8' };
  }
}
