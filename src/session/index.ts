export { createSessionStore, type SessionStoreOptions } from './file-session-store.ts';
export { makeCheckpoint } from './folds/fold-branch.ts';
export { layoutPart } from './folds/layout-part.ts';
export { type FoldSet, SESSION_FOLDS } from './folds/session-folds.ts';
export { TASK_KEY } from './folds/tasks.ts';
export { SessionError } from './session-error.ts';
export type { RequestFields, SessionLog } from './session-log.ts';
export type { SessionInit, SessionStore, SessionSummary } from './session-store.ts';
export { tasksOf } from './tasks.ts';
