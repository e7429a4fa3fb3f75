import { isUtf8 } from 'node:buffer';
import { isRecord, parseJson } from '../base/index.ts';
import type { Event, Header, Note, PieceLine } from '../model/index.ts';
import { readHeader } from './header.ts';
import { kindOf } from './line-kinds.ts';
import { LogIndex } from './log-index.ts';
import type { LogStorage } from './log-storage.ts';
import { StoredTexts, toBlob } from './stored-texts.ts';

/** Bytes read in one step. */
const CHUNK = 1024 * 1024;
/** A longer line is damaged: no program of ours writes one, and no string could hold much more. */
const MAX_LINE = 256 * 1024 * 1024;

/** How the writer begins the line of a text or a medium: enough to know where it lies without reading it. */
const BLOB_START = /^\{"type":"(blob|media)","sha256":"([0-9a-f]{64})",/;
const BLOB_START_LENGTH = 110;

export type ReadLog = {
  header: Header;
  index: LogIndex;
  /** Where the last whole line ends, bytes. */
  end: number;
  /** Lines that are not what they should be, whole ones. */
  damaged: number;
};

/**
 * Reads a log in one pass. Lines that cannot be read are counted and passed over; bytes after the last newline are left
 * alone. Throws SessionError session/damaged, session/newer-version for its first line.
 */
export function readLog(storage: LogStorage, path: string, id: string): ReadLog {
  const index = new LogIndex(new StoredTexts(storage));
  let header: Header | undefined;
  let damaged = 0;
  const end = eachLine(storage, (line, start) => {
    if (header === undefined) header = readHeader(line === null ? '' : line.toString('utf8'), path, id);
    else if (line === null || !addLine(index, line, start)) damaged += 1;
  });
  header ??= readHeader('', path, id);
  return { header, index, end, damaged };
}

/** False where the line is damaged. */
function addLine(index: LogIndex, bytes: Buffer, start: number): boolean {
  if (bytes.length === 0) return true;
  const blob = BLOB_START.exec(bytes.toString('latin1', 0, BLOB_START_LENGTH));
  if (blob !== null && bytes.at(-1) === 0x7d) {
    index.texts.place(blob[1] === 'media' ? 'media' : 'blob', blob[2] ?? '', start, start + bytes.length, false);
    return true;
  }
  const line = isUtf8(bytes) ? parseJson(bytes.toString('utf8')) : undefined;
  if (!isRecord(line)) return false;
  switch (line.type) {
    case 'session':
      return false;
    case 'blob':
    case 'media': {
      const stored = toBlob(line);
      if (stored !== undefined) index.texts.place(stored.type, stored.sha256, start, start + bytes.length, false);
      return stored !== undefined;
    }
    case 'piece':
      if (!isPieceLine(line)) return false;
      index.addPiece(line);
      return true;
    default:
      return addTold(index, line);
  }
}

function addTold(index: LogIndex, line: Record<string, unknown>): boolean {
  switch (kindOf(line)) {
    case 'event':
      return index.addEvent(line as Event);
    case 'note':
      index.addNote(line as Note);
      return true;
    case null:
      return false;
  }
}

function isPieceLine(line: Record<string, unknown>): line is PieceLine & Record<string, unknown> {
  const { ref, piece } = line;
  if (typeof ref !== 'string' || !isRecord(piece)) return false;
  return ['id', 'kind', 'placement', 'rule', 'sha256'].every((name) => typeof piece[name] === 'string');
}

/**
 * Calls back with each line that ends in a newline, without it, and where it begins; null for a line that is too long.
 * Returns where the last of them ends.
 */
function eachLine(storage: LogStorage, take: (line: Buffer | null, start: number) => void): number {
  let lineStart = 0;
  let begun: Buffer[] = [];
  let begunLength = 0;
  for (let at = 0; at < storage.size; ) {
    const bytes = storage.read(at, at + CHUNK);
    if (bytes.length === 0) break;
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let from = 0;
    for (let newline = chunk.indexOf(10); newline >= 0; newline = chunk.indexOf(10, from)) {
      const rest = chunk.subarray(from, newline);
      const length = begunLength + rest.length;
      take(length > MAX_LINE ? null : begunLength === 0 ? rest : Buffer.concat([...begun, rest]), lineStart);
      begun = [];
      begunLength = 0;
      from = newline + 1;
      lineStart = at + from;
    }
    const rest = chunk.subarray(from);
    begunLength += rest.length;
    if (begunLength <= MAX_LINE) begun.push(rest);
    else begun = [];
    at += chunk.length;
  }
  return lineStart;
}
