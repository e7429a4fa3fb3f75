import {
  type Event,
  type EventOf,
  type Fold,
  type FoldLookup,
  isCall,
  type Message,
  type Part,
} from '../../model/index.ts';
import { keepTail } from './kept-tail.ts';
import { layoutPart } from './layout-part.ts';
import { isOpen, settleCalls } from './open-calls.ts';
import { requestOf } from './request-of.ts';

/** Folds events into a list that only this module holds until it is done. */
function foldInto(messages: Message[], event: Event, lookup: FoldLookup): void {
  switch (event.type) {
    case 'prompt':
      settleCalls(messages);
      messages.push(promptMessage(event));
      return;
    case 'reminder': {
      const part = layoutPart(event.layout, lookup);
      if (part === null) return;
      settleCalls(messages);
      messages.push({ role: 'user', event: event.id, from: 'reminder', parts: [part], alone: event.alone === true });
      return;
    }
    case 'assistant': {
      const message = assistantMessage(event, lookup);
      if (message === null) return;
      settleCalls(messages);
      messages.push(message);
      return;
    }
    case 'tool-result':
      if (!isOpen(messages, event.call)) return;
      messages.push({
        role: 'tool',
        event: event.id,
        call: event.call,
        tool: event.tool,
        parts: event.parts,
        status: event.status,
      });
      return;
    case 'media-dropped':
      dropMedia(messages, event);
      return;
    case 'clear':
      messages.length = 0;
      return;
    case 'compaction':
      compact(messages, event, lookup);
      return;
    default:
      return;
  }
}

function promptMessage(event: EventOf<'prompt'>): Message {
  const parts: Part[] = event.parts ?? [{ type: 'text', text: event.text }];
  return { role: 'user', event: event.id, from: event.from, parts, alone: false };
}

/**
 * Null for what is no part of the conversation (a summary being written) and for an answer of nothing. The calls of a
 * cut answer were never executable; where nothing but reasoning came before the cut, it is no answer either.
 */
function assistantMessage(event: EventOf<'assistant'>, lookup: FoldLookup): Message | null {
  const request = requestOf(event, lookup);
  if (request !== undefined && request.purpose !== 'turn') return null;
  const parts = event.partial === true ? event.parts.filter((part) => !isCall(part)) : event.parts;
  const said = event.partial === true ? parts.some((part) => part.type !== 'reasoning') : parts.length > 0;
  if (!said) return null;
  return {
    role: 'assistant',
    event: event.id,
    parts,
    source: { provider: request?.provider ?? '', model: request?.model ?? '' },
    ...(event.opaque === undefined || event.partial === true ? {} : { opaque: event.opaque }),
  };
}

/** The event's `why` takes the place of each medium. */
function dropMedia(messages: Message[], event: EventOf<'media-dropped'>): void {
  const dropped = new Set(event.sha256);
  const isDropped = (part: Part): boolean => part.type === 'media' && dropped.has(part.sha256);
  for (const [index, message] of messages.entries()) {
    if (!message.parts.some(isDropped)) continue;
    const parts = message.parts.map((part): Part => (isDropped(part) ? { type: 'text', text: event.why } : part));
    messages[index] = { ...message, parts };
  }
}

/** The summary, then the messages from `keptFrom` on. */
function compact(messages: Message[], event: EventOf<'compaction'>, lookup: FoldLookup): void {
  const kept = keepTail(messages, event, lookup);
  messages.length = 0;
  const summary = event.summary === undefined ? null : layoutPart(event.summary, lookup);
  if (summary !== null || event.opaque !== undefined) {
    messages.push({
      role: 'user',
      event: event.id,
      from: 'summary',
      parts: summary === null ? [] : [summary],
      alone: event.opaque !== undefined,
      ...(event.opaque === undefined ? {} : { opaque: event.opaque }),
    });
  }
  for (const message of kept) messages.push(message);
}

/** The events that can change the conversation: for any other the list is not even copied. */
const SPEAKING: ReadonlySet<string> = new Set<Event['type']>([
  'prompt',
  'reminder',
  'assistant',
  'tool-result',
  'media-dropped',
  'clear',
  'compaction',
]);

/**
 * The conversation as the model is to see it. Each message comes from one event; the aborted results that are added
 * for calls without one name the answer that made the calls. Calls at the very end may still be running: they are
 * settled by the next message. Folded anew from a boundary's `keptFrom`, never stored.
 */
export const historyFold: Fold<readonly Message[]> = {
  name: 'history',
  checkpoint: 'rebuilt',
  initial: () => [],
  step(state: readonly Message[], event: Event, lookup: FoldLookup): readonly Message[] {
    return stepAll(state, [event], lookup);
  },
  stepAll,
};

function stepAll(state: readonly Message[], events: readonly Event[], lookup: FoldLookup): readonly Message[] {
  if (!events.some((event) => SPEAKING.has(event.type))) return state;
  const messages = [...state];
  for (const event of events) foldInto(messages, event, lookup);
  const same = messages.length === state.length && messages.every((message, index) => message === state[index]);
  return same ? state : messages;
}
