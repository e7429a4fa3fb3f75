import { ReinError } from '../base/index.ts';

/**
 * A session cannot be found, opened, read or written. Codes: session/not-found, session/ambiguous, session/locked,
 * session/damaged, session/newer-version, session/read-only, session/not-begun, session/closed, session/write-failed,
 * session/unreadable, session/no-such-event, session/no-such-text. `data`: path, session, event, pid, candidates, as
 * far as they apply.
 */
export class SessionError extends ReinError {}
