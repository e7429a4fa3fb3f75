import { sha256 } from '../base/index.ts';
import type { HostPorts } from '../host/index.ts';
import { type CallPart, isCall } from '../model/index.ts';
import type { SessionLog } from '../session/index.ts';
import { CALL_MARK } from '../tools/contract/index.ts';
import { endFamily } from './tasks/spooled-command.ts';

/** The mark of the processes that a call starts: whoever has the session's log can tell it. */
export function callMark(session: string, assistant: string, call: string): string {
  return sha256(`${session}/${assistant}/${call}`).slice(0, 16);
}

/** Calls at the end of the conversation that never came to a result: the program ended under them. */
function openCalls({ history }: ReturnType<SessionLog['state']>): { assistant: string; calls: CallPart[] } | null {
  const last = history.findLastIndex(({ role }) => role === 'assistant');
  const answer = history[last];
  if (answer?.role !== 'assistant') return null;
  const after = history.slice(last + 1);
  if (after.some(({ role }) => role !== 'tool')) return null;
  const done = new Set(after.flatMap((message) => (message.role === 'tool' ? [message.call.id] : [])));
  return { assistant: answer.event, calls: answer.parts.filter(isCall).filter(({ id }) => !done.has(id)) };
}

/** Ends what the calls of an earlier run that ended under them have left running. */
export async function endOpenCalls(log: SessionLog, host: Pick<HostPorts, 'process' | 'clock'>): Promise<void> {
  const open = openCalls(log.state());
  for (const { id } of open?.calls ?? []) {
    const mark = { variable: CALL_MARK, value: callMark(log.id, open?.assistant ?? '', id) };
    await endFamily(await host.process.adopt({ leader: null, mark }), host);
  }
}
