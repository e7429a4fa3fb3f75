import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib';

/** Lower case, without parameters; empty where there is none. */
export function mimeOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

const TEXT_TYPES = new Set([
  '',
  'application/json',
  'application/ld+json',
  'application/ndjson',
  'application/x-ndjson',
  'application/javascript',
  'application/x-javascript',
  'application/ecmascript',
  'application/typescript',
  'application/xml',
  'application/yaml',
  'application/x-yaml',
  'application/toml',
  'application/graphql',
  'application/sql',
  'application/x-sh',
  'application/rtf',
  'image/svg+xml',
]);

/** A server that names no type is believed to send text, until a NUL says otherwise. */
export function isTextType(mime: string): boolean {
  return mime.startsWith('text/') || TEXT_TYPES.has(mime) || /\+(?:json|xml|yaml)$/.test(mime);
}

/** What a server packed although it was asked not to. Null: it cannot be unpacked within `limit` bytes. */
export function unpack(bytes: Buffer, encoding: string | undefined, limit: number): Buffer | null {
  const name = (encoding ?? '').trim().toLowerCase();
  if (name === '' || name === 'identity') return bytes;
  // Of a body that was cut short as much as there is.
  const options = { maxOutputLength: limit, finishFlush: constants.Z_SYNC_FLUSH };
  try {
    if (name === 'gzip' || name === 'x-gzip') return gunzipSync(bytes, options);
    if (name === 'deflate') return inflateSync(bytes, options);
    if (name === 'br') return brotliDecompressSync(bytes, { maxOutputLength: limit });
  } catch {
    return null;
  }
  return null;
}

// Where a page must name its characters' encoding.
const PROLOGUE_BYTES = 1024;

/** By the byte order mark, the header, the page's own word; else UTF-8. */
export function decodeBody(bytes: Buffer, contentType: string | undefined, mime: string): string {
  const named = charsetIn(contentType ?? '');
  const inPage = mime.includes('html') || mime.includes('xml') ? bytes.toString('latin1', 0, PROLOGUE_BYTES) : '';
  return decoderFor(bytes, named ?? charsetIn(inPage)).decode(bytes);
}

function charsetIn(text: string): string | null {
  return /(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(text)?.[1] ?? null;
}

function decoderFor(bytes: Buffer, name: string | null): InstanceType<typeof TextDecoder> {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be');
  try {
    return new TextDecoder(name ?? 'utf-8');
  } catch {
    return new TextDecoder('utf-8');
  }
}
