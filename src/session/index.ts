export { SessionError } from './session-error.ts';
export type { RequestFields, SessionLog } from './session-log.ts';
export type { SessionInit, SessionStore, SessionSummary } from './session-store.ts';
