import { byteLength } from '../../base/index.ts';
import type { ToolContext } from '../contract/index.ts';

const CHUNK_BYTES = 1024 * 1024;

/**
 * Gives every line of a UTF-8 file, its end included, without having more of it in memory than a chunk and one line's
 * shown part. Of a longer line only the first chunk's worth is given. False when it was aborted.
 */
export async function scanLines(
  context: ToolContext,
  path: string,
  size: number,
  take: (line: string, missingBytes: number) => void,
): Promise<boolean> {
  const decoder = new TextDecoder('utf-8');
  let open = '';
  let skipped = 0;
  for (let at = 0; at < size; at += CHUNK_BYTES) {
    if (context.signal.aborted) return false;
    const bytes = await context.host.files.readRange(path, at, Math.min(size, at + CHUNK_BYTES));
    const text = decoder.decode(bytes, { stream: true });
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      if (skipped === 0) take(open + text.slice(start, end + 1), 0);
      else take(`${open}\n`, skipped + byteLength(text.slice(start, end)));
      open = '';
      skipped = 0;
      start = end + 1;
    }
    const rest = text.slice(start);
    if (open.length + rest.length <= CHUNK_BYTES) open += rest;
    else {
      const room = Math.max(0, CHUNK_BYTES - open.length);
      open += rest.slice(0, room);
      skipped += byteLength(rest.slice(room));
    }
  }
  if (open !== '') take(open, skipped);
  return true;
}
