import { isCall, type Message, ModelError } from '../../model/index.ts';

/**
 * Each call has exactly one result, directly after its message and before any other one; no result without a call.
 * The fold of the history sees to that, so a breach is a fault of this program: it throws ModelError `bad-request`
 * instead of letting a server refuse the conversation for good.
 */
export function assertPairedCalls(messages: readonly Message[]): void {
  let open = new Set<string>();
  let assistant = '';
  for (const message of messages) {
    if (message.role === 'tool') {
      if (message.call.assistant !== assistant || !open.delete(message.call.id)) {
        throw breach(`the result of call ${message.call.id} has no open call before it`, message.event);
      }
      continue;
    }
    if (open.size > 0)
      throw breach(`call ${[...open].join(', ')} has no result before the next message`, message.event);
    if (message.role !== 'assistant') continue;
    const ids = message.parts.filter(isCall).map((call) => call.id);
    open = new Set(ids);
    assistant = message.event;
    if (open.size < ids.length) throw breach('two calls of one answer have the same id', message.event);
  }
  if (open.size > 0) throw breach(`call ${[...open].join(', ')} has no result`, assistant);
}

function breach(what: string, event: string): ModelError {
  return new ModelError('bad-request', `internal: ${what} (event ${event}); the request was not sent`, { event });
}
