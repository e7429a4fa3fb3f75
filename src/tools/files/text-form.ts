/** How a file's bytes are text. A byte order mark decides; without one it is UTF-8. */
export type Encoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be';

export function sniffEncoding(bytes: Uint8Array): Encoding {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8-bom';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return 'utf-8';
}

/** Without the byte order mark; bytes that are no text become U+FFFD. */
export function decodeText(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding === 'utf-16be') return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder(encoding === 'utf-16le' ? 'utf-16le' : 'utf-8').decode(bytes);
}

// How much of a file is looked at, and how large a share of it may be no text.
const SAMPLE_BYTES = 64 * 1024;
const MAX_FOREIGN_SHARE = 0.3;

/**
 * Whether this is no text: it holds a NUL, or a third of its beginning is invalid UTF-8 or control characters. So a
 * Latin-1 file stays text, an image or an archive does not.
 */
export function looksBinary(bytes: Uint8Array): boolean {
  const encoding = sniffEncoding(bytes);
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return false;
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  if (sample.includes(0)) return true;
  const foreign = decodeText(sample, encoding).match(/[\ufffd\u0001-\u0007\u000e-\u001a\u001c-\u001f\u007f]/g);
  return (foreign?.length ?? 0) > sample.length * MAX_FOREIGN_SHARE;
}

const SIGNATURES: readonly (readonly [mime: string, at: number, bytes: string])[] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
  ['image/bmp', 0, 'BM'],
  ['image/x-icon', 0, '\0\0\x01\0'],
  ['application/pdf', 0, '%PDF-'],
  ['application/zip', 0, 'PK\x03\x04'],
  ['application/gzip', 0, '\x1f\x8b'],
  ['application/zstd', 0, '\x28\xb5\x2f\xfd'],
  ['application/x-xz', 0, '\xfd7zXZ\0'],
  ['application/x-bzip2', 0, 'BZh'],
  ['application/x-elf', 0, '\x7fELF'],
  ['application/wasm', 0, '\0asm'],
  ['application/vnd.sqlite3', 0, 'SQLite format 3\0'],
  ['audio/mpeg', 0, 'ID3'],
  ['audio/ogg', 0, 'OggS'],
  ['audio/wav', 8, 'WAVE'],
  ['video/mp4', 4, 'ftyp'],
  ['video/webm', 0, '\x1a\x45\xdf\xa3'],
  ['font/woff2', 0, 'wOF2'],
];

/** By the file's first bytes; null where they say nothing. */
export function sniffMime(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, 32)).toString('latin1');
  return SIGNATURES.find(([, at, signature]) => start.startsWith(signature, at))?.[0] ?? null;
}
