import { TerminalText } from '../../base/index.ts';
import { FileError, type HostPorts } from '../../host/index.ts';
import type { OutputWindow, TaskOutput } from '../../tools/contract/index.ts';

/** Most that is read at once. */
const MOST_BYTES = 1024 * 1024;
/** Of a character of UTF-8. */
const LONGEST_CHARACTER = 4;

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** What lies around a stretch, so that a secret that its borders cut is seen. */
const AROUND_BYTES = 4096;

/** A stretch of a file of output: whole characters, without escapes, masked. Null: there is no such file. */
export async function readOutput(
  path: string,
  window: OutputWindow,
  { host, mask }: { host: Pick<HostPorts, 'files'>; mask(text: string): string },
): Promise<TaskOutput | null> {
  const { files } = host;
  try {
    const facts = await files.stat(path);
    if (facts?.kind !== 'file') return null;
    const total = facts.size;
    const wished = 'tail' in window ? total - Math.min(window.tail, MOST_BYTES) : window.offset;
    const from = Math.min(Math.max(0, wished), total);
    const limit = 'tail' in window ? MOST_BYTES : Math.min(window.limit, MOST_BYTES);
    const first = Math.max(0, from - AROUND_BYTES);
    const bytes = await files.readRange(path, first, Math.min(total, from + limit + AROUND_BYTES));
    const start = first === from ? 0 : afterCharacter(bytes, from - first);
    const end = afterCharacter(bytes, Math.min(bytes.length, from - first + limit));
    const text = maskedMiddle(bytes, start, Math.max(start, end), mask);
    return { text, offset: first + start, total, path };
  } catch (error) {
    if (error instanceof FileError) return null;
    throw error;
  }
}

/** Where the character ends that such a border would cut. */
function afterCharacter(bytes: Uint8Array, border: number): number {
  let at = border;
  while (at < border + LONGEST_CHARACTER && isContinuation(bytes[at])) at += 1;
  return at;
}

/** The stretch with what the mask makes of it in its place: a secret that goes on beyond a border is hidden whole. */
function maskedMiddle(bytes: Uint8Array, start: number, end: number, mask: (text: string) => string): string {
  const [before, within, after] = [bytes.subarray(0, start), bytes.subarray(start, end), bytes.subarray(end)].map(
    clean,
  );
  const masked = mask(`${before}${within}${after}`);
  const head = mask(before ?? '');
  const tail = mask(after ?? '');
  let from = 0;
  while (from < head.length && head[from] === masked[from]) from += 1;
  let left = 0;
  while (left < tail.length && left < masked.length - from && tail.at(-1 - left) === masked.at(-1 - left)) left += 1;
  return masked.slice(from, masked.length - left);
}

/** A character that is not complete yet is left out. */
function clean(bytes: Uint8Array): string {
  const cleaner = new TerminalText();
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
  return cleaner.push(text) + cleaner.finish();
}
