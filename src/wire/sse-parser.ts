import { ModelError } from '../model/index.ts';

export type SseEvent = { event: string | null; data: string };

/** In UTF-16 units. The largest honest event is an answer's whole text or one call's arguments. */
const LONGEST_LINE = 16 * 1024 * 1024;
const LONGEST_EVENT = 32 * 1024 * 1024;

/**
 * Server-sent events (WHATWG HTML 9.2.6) from bytes that may be split anywhere, inside a character or a line end. Ends
 * of lines are LF, CRLF or CR. Unlike a browser, `end` delivers a last event that no blank line closed: servers leave
 * it out. Throws ModelError `malformed` over the size limits.
 */
export class SseParser {
  readonly #decoder = new TextDecoder();
  #line = '';
  #afterCarriageReturn = false;
  #data: string[] = [];
  #dataLength = 0;
  #event: string | null = null;

  push(bytes: Uint8Array): SseEvent[] {
    return this.#take(this.#decoder.decode(bytes, { stream: true }));
  }

  end(): SseEvent[] {
    const events = this.#take(this.#decoder.decode());
    if (this.#line !== '') this.#endLine(events);
    this.#dispatch(events);
    return events;
  }

  #take(text: string): SseEvent[] {
    const events: SseEvent[] = [];
    let start = 0;
    if (this.#afterCarriageReturn && text !== '') {
      this.#afterCarriageReturn = false;
      if (text.startsWith('\n')) start = 1;
    }
    const lineEnd = /\r\n|\n|\r/g;
    lineEnd.lastIndex = start;
    for (let match = lineEnd.exec(text); match !== null; match = lineEnd.exec(text)) {
      this.#append(text.slice(start, match.index));
      this.#endLine(events);
      start = lineEnd.lastIndex;
      if (match[0] === '\r' && start === text.length) this.#afterCarriageReturn = true;
    }
    this.#append(text.slice(start));
    return events;
  }

  #append(text: string): void {
    this.#line += text;
    if (this.#line.length > LONGEST_LINE) throw tooLong('line', LONGEST_LINE);
  }

  #endLine(events: SseEvent[]): void {
    const line = this.#line;
    this.#line = '';
    if (line === '') {
      this.#dispatch(events);
      return;
    }
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') this.#event = value;
    // llama.cpp's way to break an answer off: a field of its own, in place of an event of this name.
    if (field === 'error') this.#event = 'error';
    if (field !== 'data' && field !== 'error') return;
    this.#data.push(value);
    this.#dataLength += value.length;
    if (this.#dataLength > LONGEST_EVENT) throw tooLong('event', LONGEST_EVENT);
  }

  #dispatch(events: SseEvent[]): void {
    if (this.#data.length > 0) events.push({ event: this.#event, data: this.#data.join('\n') });
    this.#data = [];
    this.#dataLength = 0;
    this.#event = null;
  }
}

function tooLong(what: string, limit: number): ModelError {
  return new ModelError('malformed', `the server sent one ${what} of more than ${limit / 1024 / 1024} MiB`, { limit });
}
