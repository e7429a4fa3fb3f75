import type { BodyList, RequestEvent } from '../model/index.ts';
import { SessionError } from './session-error.ts';

/** The blobs of one request's body, in order: the list that slices of later requests count in. */
export type RequestList = { event: string; hashes: readonly string[] };

/** A list of a million blobs is no request of ours: slices of slices could otherwise ask for any amount of memory. */
const MAX_BLOBS = 1_000_000;
const MAX_STEPS = 20_000_000;

/**
 * Writes a list with slices of the previous request's, wherever two or more blobs in a row are the same, so that a
 * conversation's log grows with what is new in it. Without a previous one the list is whole.
 */
export function shortenList(hashes: readonly string[], previous: RequestList | null): BodyList {
  if (previous === null) return [...hashes];
  const positions = new Map<string, number>();
  for (const [position, hash] of previous.hashes.entries()) if (!positions.has(hash)) positions.set(hash, position);
  const list: BodyList = [];
  // Where the previous list goes on after the last common blob: also right for blobs that it holds several times.
  let next = 0;
  for (let index = 0; index < hashes.length; ) {
    const hash = hashes[index] ?? '';
    const from = previous.hashes[next] === hash ? next : positions.get(hash);
    const length = from === undefined ? 0 : runLength(hashes, index, previous.hashes, from);
    if (from === undefined || length < 2) list.push(hash);
    else list.push({ of: previous.event, at: [from, from + length] });
    if (from !== undefined) next = from + length;
    index += Math.max(1, length);
  }
  return list;
}

function runLength(left: readonly string[], leftStart: number, right: readonly string[], rightStart: number): number {
  let length = 0;
  while (leftStart + length < left.length && left[leftStart + length] === right[rightStart + length]) length += 1;
  return length;
}

/** A list, or a slice of one, and how far it was taken. */
type Part = { items: BodyList; next: number; position: number };

/** A request of the log by its id, with its position among the requests of the file. */
export type RequestLookup = (id: string) => { body: BodyList; position: number } | undefined;

/**
 * The whole list of a request. A slice may only point to an earlier request, so there are no loops; chains of any length
 * are followed without recursion. Throws SessionError session/damaged where a slice points nowhere.
 */
export function resolveList(event: RequestEvent, lookup: RequestLookup): string[] {
  const hashes: string[] = [];
  const own = lookup(event.id);
  if (own === undefined) throw damaged(event);
  // Lists that are begun, the innermost last: slices of slices are followed without recursion.
  const open: Part[] = [{ items: own.body, next: 0, position: own.position }];
  let steps = 0;
  for (let part = open.at(-1); part !== undefined; part = open.at(-1)) {
    const item = part.items[part.next];
    part.next += 1;
    steps += 1;
    if (item === undefined) open.pop();
    else if (typeof item === 'string') {
      hashes.push(item);
      if (hashes.length > MAX_BLOBS) throw damaged(event);
    } else {
      const target = lookup(item.of);
      const isEarlier = target !== undefined && target.position < part.position;
      if (!isEarlier || item.at[1] > listLength(target.body)) throw damaged(event);
      steps += target.body.length;
      if (steps > MAX_STEPS) throw damaged(event);
      open.push({ items: clip(target.body, item.at), next: 0, position: target.position });
    }
  }
  return hashes;
}

function listLength(body: BodyList): number {
  return body.reduce(
    (length, item) => length + (typeof item === 'string' ? 1 : Math.max(0, item.at[1] - item.at[0])),
    0,
  );
}

/** The part of a list that lies in [from, to), slices shortened to it. */
function clip(body: BodyList, [from, to]: [number, number]): BodyList {
  const part: BodyList = [];
  let at = 0;
  for (const item of body) {
    if (at >= to) break;
    const length = typeof item === 'string' ? 1 : Math.max(0, item.at[1] - item.at[0]);
    const start = Math.max(from - at, 0);
    const end = Math.min(to - at, length);
    if (start < end)
      part.push(typeof item === 'string' ? item : { of: item.of, at: [item.at[0] + start, item.at[0] + end] });
    at += length;
  }
  return part;
}

function damaged(event: RequestEvent): SessionError {
  return new SessionError('session/damaged', `the body of request ${event.id} cannot be rebuilt: the log is damaged`, {
    data: { event: event.id },
  });
}
