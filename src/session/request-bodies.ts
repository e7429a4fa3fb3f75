import { sha256 } from '../base/index.ts';
import type { BodyList, Event, RequestEvent } from '../model/index.ts';
import type { LogIndex } from './log-index.ts';
import { type RequestList, resolveList, shortenList } from './request-list.ts';
import { SessionError } from './session-error.ts';

/** No body of ours is nearly as long; a string could not be much longer. */
const MAX_CHARACTERS = 256 * 1024 * 1024;

type Sent = RequestList & { hashOf: Map<string, string> };

/** The body of a request in the making: its list, and its texts with the hash of each. */
export type Listed = { list: BodyList; hashes: readonly string[]; texts: readonly string[] };

/**
 * The bodies of a log's requests: how the next one is listed, and how any is put together again. The previous request of
 * each purpose is remembered, so that only texts that are new are hashed and listed.
 */
export class RequestBodies {
  readonly #index: LogIndex;
  readonly #sent = new Map<RequestEvent['purpose'], Sent | null>();
  /** Whether the branch may hold a request, of an earlier run, that the next one can be shortened by. */
  #continues: boolean;

  constructor(index: LogIndex, continues: boolean) {
    this.#index = index;
    this.#continues = continues;
  }

  /** After a boundary the next list is whole. */
  forget(): void {
    this.#sent.clear();
    this.#continues = false;
  }

  /** `branch`: the active one, for the first request after reading a log. */
  list(purpose: RequestEvent['purpose'], body: readonly string[], branch: () => readonly Event[]): Listed {
    const previous = this.#previous(purpose, branch);
    const hashes = body.map((text) => previous?.hashOf.get(text) ?? sha256(text));
    return { list: shortenList(hashes, previous), hashes, texts: body };
  }

  /** To be called once the request is in the log. */
  sent(event: RequestEvent, { hashes, texts }: Listed): void {
    // Nearly all of it is what the request before said: only what is new is added.
    const hashOf = this.#sent.get(event.purpose)?.hashOf ?? new Map<string, string>();
    for (const [index, text] of texts.entries()) if (!hashOf.has(text)) hashOf.set(text, hashes[index] ?? '');
    this.#sent.set(event.purpose, { event: event.id, hashes, hashOf });
  }

  /** The hashes of the blobs of a body. Throws SessionError session/damaged. */
  hashes(event: RequestEvent): string[] {
    return resolveList(event, (id) => this.#request(id));
  }

  /** Exactly the body. Throws SessionError session/damaged. */
  body(event: RequestEvent): string {
    const texts: string[] = [];
    let length = 0;
    for (const hash of this.hashes(event)) {
      const text = this.#index.texts.text(hash);
      if (text === undefined) throw this.#damaged(event, `the text ${hash.slice(0, 12)} of it cannot be read`);
      length += text.length;
      if (length > MAX_CHARACTERS) throw this.#damaged(event, 'it would be too long');
      texts.push(text);
    }
    const body = texts.join('');
    if (sha256(body) !== event.sha256) throw this.#damaged(event, 'it is not what was sent');
    return body;
  }

  #request(id: string): { body: BodyList; position: number } | undefined {
    const event = this.#index.event(id);
    const position = this.#index.position(id);
    return event?.type === 'request' && position !== undefined ? { body: event.body, position } : undefined;
  }

  #previous(purpose: RequestEvent['purpose'], branch: () => readonly Event[]): Sent | null {
    const known = this.#sent.get(purpose);
    if (known !== undefined) return known;
    const found = this.#continues ? this.#lastOf(purpose, branch()) : null;
    this.#sent.set(purpose, found);
    return found;
  }

  /** The last request of this purpose since the last boundary, if all of it can still be found. */
  #lastOf(purpose: RequestEvent['purpose'], branch: readonly Event[]): Sent | null {
    for (const event of branch.toReversed()) {
      if (event.type === 'clear' || event.type === 'compaction') return null;
      if (event.type !== 'request' || event.purpose !== purpose) continue;
      const hashes = this.#hashesOrNull(event);
      if (hashes === null || !hashes.every((hash) => this.#index.texts.lists(hash))) return null;
      return { event: event.id, hashes, hashOf: new Map() };
    }
    return null;
  }

  #hashesOrNull(event: RequestEvent): string[] | null {
    try {
      return this.hashes(event);
    } catch (error) {
      if (error instanceof SessionError) return null;
      throw error;
    }
  }

  #damaged(event: RequestEvent, why: string): SessionError {
    return new SessionError('session/damaged', `the body of request ${event.id} cannot be rebuilt: ${why}`, {
      data: { event: event.id },
    });
  }
}
