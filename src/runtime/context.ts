import { explainPreview, explainRequest, preview } from '../agent/index.ts';
import { isBlank, UsageError } from '../base/index.ts';
import type { HostPorts } from '../host/index.ts';
import { compareReports } from '../instructions/index.ts';
import type { ContextDifference, ContextReport } from '../model/index.ts';
import { assemble } from './assemble.ts';
import { locate } from './locate.ts';
import { resolveSession, sessionStore } from './open-session.ts';
import type { AgentOptions } from './options.ts';

export type ContextOptions = AgentOptions & {
  /** The user's message of the previewed request; default `hello`. */
  prompt?: string;
  /** A stored session, by id or unique prefix; with `request` what its n-th request (1-based) was sent. */
  storedSession?: string;
  request?: number;
};

export type ContextAnswer = {
  report: ContextReport;
  /** The exact HTTP body. */
  body: string;
};

/**
 * What the model would be sent with the next prompt, or was sent with a stored request. No model is called, none need
 * be configured, nothing is written. Throws UsageError and SessionError.
 */
export async function readContext(options: ContextOptions, host: HostPorts): Promise<ContextAnswer> {
  const { prompt = 'hello', storedSession, request, ...rest } = options;
  if (request !== undefined) return storedRequest(storedSession, request, options, host);
  if (isBlank(prompt)) {
    throw new UsageError(
      'context/blank-prompt',
      'there is nothing in the prompt to preview; a blank message is not sent',
    );
  }
  const session = storedSession === undefined ? rest.session : ({ type: 'resume', id: storedSession } as const);
  const { parts } = await assemble({ ...rest, ...(session === undefined ? {} : { session }) }, host, { sends: false });
  try {
    const seen = await preview(parts, prompt);
    return { report: explainPreview(parts, seen), body: seen.body.join('') };
  } finally {
    await parts.log.close();
  }
}

async function storedRequest(
  id: string | undefined,
  number: number,
  options: ContextOptions,
  host: HostPorts,
): Promise<ContextAnswer> {
  if (id === undefined) throw new UsageError('context/no-session', '--request needs --session ID beside it');
  const { cwd } = await locate(host, options.cwd);
  const store = sessionStore(host);
  const log = await store.read(await resolveSession(store, id, cwd));
  const requests = log.requests();
  const event = Number.isInteger(number) ? requests[number - 1] : undefined;
  if (event === undefined) {
    const there = requests.length === 0 ? 'it has none' : `it has ${requests.length}, counted from 1`;
    throw new UsageError('context/no-request', `session ${log.id} has no request ${number}: ${there}`, {
      data: { session: log.id, request: number, requests: requests.length },
    });
  }
  return explainRequest(log, event);
}

/** What the right answer holds that the left one does not, and the other way round, piece by piece. */
export function differenceOf(
  left: ContextAnswer,
  right: ContextAnswer,
  names: { left: string; right: string },
): ContextDifference {
  return compareReports(left.report, right.report, names);
}
