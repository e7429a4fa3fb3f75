import { isUtf8 } from 'node:buffer';
import { isRecord, parseJson } from '../base/index.ts';
import type { Event, Note, PieceLine } from '../model/index.ts';
import { kindOf } from './line-kinds.ts';
import type { LineKind } from './line-table.ts';
import { toBlob } from './stored-texts.ts';

/** A line of a log but the header, as far as a reader of the tree needs it: texts stay where they are. */
export type ReadLine =
  | { kind: 'blob' | 'media'; sha256: string }
  | { kind: 'piece'; line: PieceLine }
  | { kind: 'event'; event: Event }
  | { kind: 'note'; note: Note };

/** How the writer begins the line of a text or a medium: enough to know where it lies without reading it. */
const STORED = { blob: '{"type":"blob","sha256":"', media: '{"type":"media","sha256":"' } as const;
const HASH_LENGTH = 64;
/** How it begins an event and a note. */
const TOLD =
  /^\{"id":"([0-9a-z]{1,64})",(?:"parentId":(null|"[0-9a-z]{1,64}"),)?"time":"[0-9T:.+-]{1,40}","type":"([a-z-]{1,40})"/;
const TOLD_LENGTH = 300;
const CLOSING_BRACE = 0x7d;
const QUOTE = 0x22;
const COMMA = 0x2c;
/** The third byte tells `{"type"` and `{"id"` apart, long before a pattern does. */
const OF_TYPE = 0x74;
const OF_ID = 0x69;

/** Null where the line is damaged; undefined where there is nothing in it. */
export function readLine(bytes: Buffer): ReadLine | null | undefined {
  if (bytes.length === 0) return undefined;
  const stored = bytes[2] === OF_TYPE ? (readStored(bytes, 'blob') ?? readStored(bytes, 'media')) : null;
  if (stored !== null) return stored;
  const line = isUtf8(bytes) ? parseJson(bytes.toString('utf8')) : undefined;
  if (!isRecord(line)) return null;
  switch (line.type) {
    case 'session':
      return null;
    case 'blob':
    case 'media': {
      const blob = toBlob(line);
      return blob === undefined ? null : { kind: blob.type, sha256: blob.sha256 };
    }
    case 'piece':
      return isPieceLine(line) ? { kind: 'piece', line } : null;
  }
  switch (kindOf(line)) {
    case 'event':
      return { kind: 'event', event: line as Event };
    case 'note':
      return { kind: 'note', note: line as Note };
    case null:
      return null;
  }
}

/** By its first bytes, without a pattern: half of a log's lines are texts. */
function readStored(bytes: Buffer, kind: 'blob' | 'media'): ReadLine | null {
  const { length } = STORED[kind];
  if (bytes.toString('latin1', 0, length) !== STORED[kind]) return null;
  const end = length + HASH_LENGTH;
  if (bytes[end] !== QUOTE || bytes[end + 1] !== COMMA || bytes.at(-1) !== CLOSING_BRACE) return null;
  return { kind, sha256: bytes.toString('latin1', length, end) };
}

export type LineName = { kind: LineKind; name: string };

/** What an event or a note is called, by its beginning alone; null for any other line and for any other form. */
export function nameTold(bytes: Buffer): LineName | null {
  const told = bytes[2] === OF_ID ? TOLD.exec(bytes.toString('latin1', 0, TOLD_LENGTH)) : null;
  if (told === null || bytes.at(-1) !== CLOSING_BRACE) return null;
  const [, name = '', parent, type] = told;
  return { kind: parent === undefined ? 'note' : type === 'request' ? 'request' : 'event', name };
}

/** What a line is called; null for what is none. */
export function nameLine(bytes: Buffer): LineName | null {
  const told = nameTold(bytes);
  if (told !== null) return told;
  const line = readLine(bytes);
  switch (line?.kind) {
    case undefined:
      return null;
    case 'blob':
    case 'media':
      return { kind: line.kind, name: line.sha256 };
    case 'piece':
      return { kind: 'piece', name: line.line.ref };
    case 'event':
      return { kind: line.event.type === 'request' ? 'request' : 'event', name: line.event.id };
    case 'note':
      return { kind: 'note', name: line.note.id };
  }
}

function isPieceLine(line: Record<string, unknown>): line is PieceLine & Record<string, unknown> {
  const { ref, piece } = line;
  if (typeof ref !== 'string' || !isRecord(piece)) return false;
  return ['id', 'kind', 'placement', 'rule', 'sha256'].every((name) => typeof piece[name] === 'string');
}
