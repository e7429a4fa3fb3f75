import type { Event, LogLine, Part, PieceRef, RequestEvent } from '../model/index.ts';
import type { EventLog } from './event-log.ts';
import { SessionError } from './session-error.ts';

/**
 * The lines of a copy of one branch: its events with their ids, each after the pieces, texts and media that it needs
 * and that came not before. What cannot be read any more is left out, as it is in the original.
 */
export function* branchLines(log: EventLog, branch: Iterable<Event>): Generator<LogLine> {
  const written = new Set<string>();
  const copied = new Set<string>();
  for (const event of branch) {
    const whole = event.type === 'request' ? withinCopy(log, event, copied) : event;
    for (const line of neededBy(log, whole)) {
      const name = line.type === 'piece' ? line.ref : `${line.type}/${line.sha256}`;
      if (!written.has(name)) yield line;
      written.add(name);
    }
    copied.add(event.id);
    yield whole;
  }
}

/** Slices of requests that are not copied become whole lists. */
function withinCopy(log: EventLog, event: RequestEvent, copied: ReadonlySet<string>): RequestEvent {
  if (event.body.every((item) => typeof item === 'string' || copied.has(item.of))) return event;
  try {
    return { ...event, body: log.requestHashes(event) };
  } catch (error) {
    if (error instanceof SessionError) return event;
    throw error;
  }
}

type Stored = Extract<LogLine, { type: 'blob' | 'media' | 'piece' }>;

function* neededBy(log: EventLog, event: Event): Generator<Stored> {
  for (const ref of refsOf(event)) yield* pieceLines(log, ref);
  if (event.type === 'request') {
    for (const item of event.body) if (typeof item === 'string') yield* textLines(log, item);
  }
  for (const part of partsOf(event)) {
    if (part.type === 'text') for (const { piece } of part.pieces ?? []) yield* pieceLines(log, piece);
    const medium = part.type === 'media' ? log.media(part.sha256) : undefined;
    if (part.type === 'media' && medium !== undefined) yield { type: 'media', sha256: part.sha256, ...medium };
  }
}

function* pieceLines(log: EventLog, ref: PieceRef): Generator<Stored> {
  const line = log.pieceLine(ref);
  if (line === undefined) return;
  yield* textLines(log, line.piece.sha256);
  yield line;
}

function* textLines(log: EventLog, hash: string): Generator<Stored> {
  const text = log.blob(hash);
  if (text !== undefined) yield { type: 'blob', sha256: hash, text };
}

function partsOf(event: Event): readonly Part[] {
  switch (event.type) {
    case 'prompt':
      return event.parts ?? [];
    case 'assistant':
    case 'tool-result':
      return event.parts;
    default:
      return [];
  }
}

function refsOf(event: Event): PieceRef[] {
  switch (event.type) {
    case 'reminder':
      return [...refsIn(event.layout), ...(event.omitted ?? []).map(({ piece }) => piece)];
    case 'compaction':
      return refsIn(event.summary ?? []);
    case 'request':
      return [event.system, ...event.tools.map(({ description }) => description)].flatMap(refsIn);
    default:
      return [];
  }
}

function refsIn(layout: readonly ({ piece: PieceRef } | { separator: string })[]): PieceRef[] {
  return layout.flatMap((item) => ('piece' in item ? [item.piece] : []));
}
