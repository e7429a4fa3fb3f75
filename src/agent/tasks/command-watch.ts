import type { Family, HostPorts } from '../../host/index.ts';
import type { TaskDetail, TaskState } from '../../model/index.ts';
import { endAfterOutput, endFamily, exitCodeOf, OUTPUT_BYTES, outputSize, type Spool } from './spooled-command.ts';

/** How soon an end is seen at the latest. */
const POLL_MS = 100;
/** Whether it is alive is asked less often: the whole process table is read for it. */
const POLLS_PER_LOOK = 10;

export type CommandEnd = { state: TaskState; detail: TaskDetail };

export type Watched = {
  family: Family;
  spool: Spool;
  /** Milliseconds from now on; null: none. */
  timeoutMs: number | null;
  /** Aborted where somebody wants it to end; the reason says why. */
  cancelled: AbortSignal;
  /** Aborted where it is to be left alone: the watch then resolves to null. */
  left: AbortSignal;
};

/** Waits for the end of a command, or brings it about. Whatever it started ends with it. */
export async function watchCommand(watched: Watched, host: HostPorts): Promise<CommandEnd | null> {
  const { family, spool, timeoutMs, cancelled, left } = watched;
  const { clock } = host;
  const started = clock.monotonicMs();
  const either = AbortSignal.any([cancelled, left]);
  for (let polls = 0; ; polls += 1) {
    if (left.aborted) return null;
    // Asked before the exit code: what ends in between has written it.
    const alive = polls % POLLS_PER_LOOK !== 0 || family.groupAlive();
    const code = await exitCodeOf(spool, host);
    if (code !== null) {
      await endAfterOutput(family, host);
      return exited(code, await outputSize(spool.output, host));
    }
    if (cancelled.aborted)
      return forced({ state: 'killed', detail: { reason: String(cancelled.reason) } }, watched, host);
    if (!alive) return { state: 'failed', detail: { exitCode: null, reason: 'it was ended from outside' } };
    if (timeoutMs !== null && clock.monotonicMs() - started >= timeoutMs) {
      const reason = `timed out after ${Math.round(timeoutMs / 100) / 10} s`;
      return forced({ state: 'failed', detail: { timedOut: true, reason } }, watched, host);
    }
    await clock.sleep(POLL_MS, either);
  }
}

export function exited(exitCode: number, outputBytes: number): CommandEnd {
  if (exitCode === 0) return { state: 'completed', detail: { exitCode } };
  const full =
    outputBytes >= OUTPUT_BYTES ? `; its output reached the ${OUTPUT_BYTES / 1024 / 1024} MiB that are kept` : '';
  return { state: 'failed', detail: { exitCode, reason: `exit code ${exitCode}${full}` } };
}

/** Ended by force, unless it ended by itself just before. */
async function forced(end: CommandEnd, { family, spool }: Watched, host: HostPorts): Promise<CommandEnd> {
  const gone = await endFamily(family, host);
  const code = await exitCodeOf(spool, host);
  const detail = { ...end.detail, exitCode: code };
  return gone
    ? { ...end, detail }
    : { ...end, detail: { ...detail, reason: `${detail.reason}; part of it cannot be ended` } };
}
