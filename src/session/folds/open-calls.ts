import { isCall, type Message } from '../../model/index.ts';

type Answer = Extract<Message, { role: 'assistant' }>;

/** For the model, in place of a result that never came. */
const NO_RESULT = 'This call was interrupted before it had a result.';

/** The answer at the end of the conversation, results aside, and the calls of it that have no result yet. */
function openCalls(messages: readonly Message[]): { answer: Answer; calls: { id: string; name: string }[] } | null {
  let last = messages.length - 1;
  const results: string[] = [];
  for (; last >= 0; last -= 1) {
    const message = messages[last];
    if (message?.role !== 'tool') break;
    results.push(message.call.id);
  }
  const answer = messages[last];
  if (answer?.role !== 'assistant') return null;
  // Some servers give one id to several calls: as many results as calls are taken.
  const calls = answer.parts.filter(isCall).map(({ id, name }) => ({ id, name }));
  for (const id of results) {
    const index = calls.findIndex((call) => call.id === id);
    if (index >= 0) calls.splice(index, 1);
  }
  return { answer, calls };
}

/** Whether a result of this call can be added now: only next to its siblings, right after the answer. */
export function isOpen(messages: readonly Message[], call: { assistant: string; id: string }): boolean {
  const open = openCalls(messages);
  return open !== null && open.answer.event === call.assistant && open.calls.some(({ id }) => id === call.id);
}

/** Gives every call that is still open an aborted result, in call order. */
export function settleCalls(messages: Message[]): void {
  const open = openCalls(messages);
  if (open === null) return;
  for (const { id, name } of open.calls) {
    messages.push({
      role: 'tool',
      event: open.answer.event,
      call: { assistant: open.answer.event, id },
      tool: name,
      parts: [{ type: 'text', text: NO_RESULT }],
      status: 'aborted',
    });
  }
}
