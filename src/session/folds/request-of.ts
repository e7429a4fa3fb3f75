import type { EventOf, FoldLookup, RequestEvent } from '../../model/index.ts';

/** The request that an answer belongs to; undefined where the log no longer holds it. */
export function requestOf(event: EventOf<'assistant'>, lookup: FoldLookup): RequestEvent | undefined {
  const request = lookup.event(event.request);
  return request?.type === 'request' ? request : undefined;
}
