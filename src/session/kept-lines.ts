import { isRecord, parseJson, sha256, toJsonLine } from '../base/index.ts';
import { FileError, type FilePort } from '../host/index.ts';
import { LineTable } from './line-table.ts';
import type { LogStorage } from './log-storage.ts';
import type { KeptTable, StoredLines } from './stored-lines.ts';

/** A log with fewer new bytes is looked through in no time: nothing is kept for it. */
const WORTH = 1024 * 1024;
/** Of the log, before the end of what the table covers: the same bytes there, the same log. */
const TAIL = 4096;
/** Twenty bytes a line: more than ten million lines are looked for in the log itself. */
const MAX_BYTES = 256 * 1024 * 1024;
const VERSION = 1;

/** Where the table of a log's lines is kept. It may be deleted at any time: it is made anew from the log. */
export function keptPath(log: string): string {
  return log.replace(/\.jsonl$/, '.lines');
}

/**
 * The table that was kept of this log; null where there is none, or the log is not the one it was made of: shorter,
 * other bytes at the end of what it covers, or of the same size and changed since. Never throws.
 */
export async function readKept(path: string, storage: LogStorage, files: FilePort): Promise<KeptTable | null> {
  if (storage.size < WORTH) return null;
  const read = await files.readRegular(keptPath(path), { maxBytes: MAX_BYTES, followLast: false });
  if (!read.ok) return null;
  const bytes = Buffer.from(read.bytes.buffer, read.bytes.byteOffset, read.bytes.byteLength);
  const newline = bytes.indexOf(10);
  const header = parseJson(bytes.toString('utf8', 0, Math.max(0, newline)));
  if (!isRecord(header) || header.version !== VERSION || typeof header.covered !== 'number') return null;
  const { covered, tail, size, mtimeMs } = header;
  const slots = bytes.subarray(newline + 1);
  if (covered > storage.size || tail !== tailOf(storage, covered) || header.sha256 !== sha256(slots)) return null;
  if (size === storage.size && mtimeMs !== (await files.stat(path))?.mtimeMs) return null;
  const table = LineTable.fromBytes(Buffer.from(slots));
  return table === null ? null : { table, covered };
}

/** Keeps the table, where enough was written since the last time. Where it cannot be written none is kept. */
export async function keepLines(path: string, storage: LogStorage, lines: StoredLines, files: FilePort): Promise<void> {
  if (storage.size - lines.kept < WORTH) return;
  lines.extend(storage.size);
  const slots = lines.table().toBytes();
  if (slots.length > MAX_BYTES / 2) return;
  const facts = await files.stat(path);
  const covered = lines.end;
  const header = {
    version: VERSION,
    covered,
    size: storage.size,
    mtimeMs: facts?.mtimeMs ?? null,
    tail: tailOf(storage, covered),
    sha256: sha256(slots),
  };
  try {
    const bytes = Buffer.concat([Buffer.from(`${toJsonLine(header)}\n`), slots]);
    await files.writeWhole(keptPath(path), bytes, { mode: 0o600 });
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
  }
}

function tailOf(storage: LogStorage, covered: number): string {
  return sha256(storage.read(Math.max(0, covered - TAIL), covered));
}
