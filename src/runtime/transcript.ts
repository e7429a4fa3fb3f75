import { byteLength } from '../base/index.ts';
import {
  type Event,
  type EventOf,
  isCall,
  isText,
  type Layout,
  type Part,
  type Piece,
  type RequestEvent,
  type Trigger,
  textOf,
} from '../model/index.ts';
import type { SessionLog } from '../session/index.ts';
import { TranscriptTasks } from './transcript-tasks.ts';

/** A piece as it was when it was sent. `text` is null where the log cannot give it back. */
export type TranscriptPiece = Pick<Piece, 'id' | 'kind' | 'origin' | 'placement' | 'rule'> & {
  trigger: Trigger;
  bytes: number;
  text: string | null;
  /** Against the request before. */
  change: 'new' | 'changed' | 'gone';
};

export type TranscriptEntry = { event: string; time: string } & (
  | { type: 'prompt'; from: 'user' | 'queue' | 'steer' | 'parent'; text: string; media: string[] }
  /** Text that the program put into the conversation, with its separators. */
  | { type: 'reminder'; reason: string; text: string; pieces: TranscriptPiece[] }
  /** The system prompt of a request where it is not that of the one before: what is new, changed or gone in it. */
  | { type: 'instructions'; harness: string; model: string; bytes: number; pieces: TranscriptPiece[] }
  | {
      type: 'answer';
      model: string;
      text: string;
      reasoning: string;
      calls: { id: string; name: string; arguments: string }[];
      partial: boolean;
    }
  | { type: 'result'; tool: string; call: string; status: string; text: string; media: string[] }
  /** The context begins anew with this summary. */
  | { type: 'summary'; text: string; pieces: TranscriptPiece[] }
  /** A choice, a boundary, a turn that did not end well: one line. */
  | { type: 'change'; text: string }
);

/**
 * The active branch for a reader, root first, one entry at a time: each injected text with where it came from; between
 * them what ran beside it.
 */
export function* transcript(log: SessionLog): Generator<TranscriptEntry> {
  const reader = new TranscriptReader(log);
  const tasks = new TranscriptTasks(log.notes());
  const { spawnedBy, time } = log.header;
  if (spawnedBy !== null) {
    const text = `subagent ${spawnedBy.agent}, started as ${spawnedBy.run} by session ${spawnedBy.session}`;
    yield { event: log.id, time, type: 'change', text };
  }
  for (const event of log.eachEvent()) {
    yield* tasks.before(event.time);
    const entry = reader.entry(event);
    if (entry !== null) yield entry;
  }
  yield* tasks.rest();
}

type Body<E> = E extends TranscriptEntry ? Omit<E, 'event' | 'time'> : never;

class TranscriptReader {
  readonly #log: SessionLog;
  #system = new Map<string, TranscriptPiece>();

  constructor(log: SessionLog) {
    this.#log = log;
  }

  entry(event: Event): TranscriptEntry | null {
    const body = this.#body(event);
    return body === null ? null : ({ event: event.id, time: event.time, ...body } as TranscriptEntry);
  }

  #body(event: Event): Body<TranscriptEntry> | null {
    switch (event.type) {
      case 'prompt':
        return { type: 'prompt', from: event.from, text: event.typed ?? event.text, media: mediaOf(event.parts ?? []) };
      case 'reminder': {
        const { text, pieces } = this.#read(event.layout);
        return { type: 'reminder', reason: event.reason, text, pieces };
      }
      case 'request':
        return event.purpose === 'turn' ? this.#instructions(event) : null;
      case 'assistant':
        return this.#answer(event);
      case 'tool-result':
        return {
          type: 'result',
          tool: event.tool,
          call: event.call.id,
          status: event.status,
          text: textOf(event.parts),
          media: mediaOf(event.parts),
        };
      case 'compaction': {
        const { text, pieces } = this.#read(event.summary ?? []);
        return { type: 'summary', text, pieces };
      }
      default: {
        const text = changeOf(event);
        return text === null ? null : { type: 'change', text };
      }
    }
  }

  #answer(event: EventOf<'assistant'>): Body<TranscriptEntry> | null {
    const request = this.#log.event(event.request);
    if (request?.type === 'request' && request.purpose !== 'turn') return null;
    const reasoning = event.parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('\n\n');
    return {
      type: 'answer',
      model: request?.type === 'request' ? `${request.provider}/${request.model}` : '',
      text: textOf(event.parts.filter(isText)),
      reasoning,
      calls: event.parts.filter(isCall).map(({ id, name, arguments: given }) => ({ id, name, arguments: given })),
      partial: event.partial === true,
    };
  }

  #instructions(event: RequestEvent): Body<TranscriptEntry> | null {
    const { text, pieces } = this.#read(event.system);
    const before = this.#system;
    this.#system = new Map(pieces.map((piece) => [piece.id, piece]));
    const changed = pieces.flatMap((piece) => {
      const was = before.get(piece.id);
      if (was === undefined) return [piece];
      return was.text === piece.text && was.rule === piece.rule ? [] : [{ ...piece, change: 'changed' as const }];
    });
    const gone = [...before.values()].filter(({ id }) => !this.#system.has(id));
    const all = [...changed, ...gone.map((piece) => ({ ...piece, change: 'gone' as const }))];
    if (all.length === 0) return null;
    const model = `${event.provider}/${event.model}`;
    return { type: 'instructions', harness: event.harness, model, bytes: byteLength(text), pieces: all };
  }

  #read(layout: Layout): { text: string; pieces: TranscriptPiece[] } {
    const pieces: TranscriptPiece[] = [];
    let text = '';
    for (const item of layout) {
      if ('separator' in item) {
        text += item.separator;
        continue;
      }
      const piece = this.#log.piece(item.piece);
      text += piece?.text ?? '';
      pieces.push(piece === undefined ? unreadable(item.piece, item.trigger) : shown(piece, item.trigger));
    }
    return { text, pieces };
  }
}

function shown(piece: Piece, trigger: Trigger): TranscriptPiece {
  const { id, kind, origin, placement, rule, text } = piece;
  return { id, kind, origin, placement, rule, trigger, bytes: byteLength(text), text, change: 'new' };
}

function unreadable(ref: string, trigger: Trigger): TranscriptPiece {
  return {
    id: ref.replace(/@[0-9a-f]*$/, ''),
    kind: 'notice',
    origin: { type: 'session' },
    placement: 'history',
    rule: 'The log is damaged here: this text cannot be read back.',
    trigger,
    bytes: 0,
    text: null,
    change: 'new',
  };
}

function mediaOf(parts: readonly Part[]): string[] {
  return parts.flatMap((part) => (part.type === 'media' ? [part.mime] : []));
}

/** Null for what is no news to a reader. */
function changeOf(event: Event): string | null {
  switch (event.type) {
    case 'facet':
    case 'model':
    case 'effort':
    case 'wire':
    case 'harness':
    case 'permission-mode':
      return `${event.type}: ${event.from === null ? '' : `${event.from} → `}${event.to} (${event.by})`;
    case 'clear':
      return 'the context was cleared';
    case 'media-dropped':
      return `${event.sha256.length} ${event.sha256.length === 1 ? 'picture was' : 'pictures were'} left out: ${event.why}`;
    case 'turn-end':
      return event.stop === 'end' ? null : `the turn ended: ${event.stop}`;
    default:
      return null;
  }
}
