export { AgentSession } from './agent-session.ts';
export { CommandError, TurnError } from './error.ts';
export { explainPreview, explainRequest } from './explain-context.ts';
export { OpenQuestions, type Question, type QuestionEnd } from './open-questions.ts';
export type { ActiveModel, AgentParts, ChildLogs, Choosers, Judge, ProtectedFiles } from './parts.ts';
export { wireError } from './prepare-request.ts';
export { type Preview, preview } from './preview.ts';
export { endLeftBehind } from './tasks/recover-tasks.ts';
export { WishedModels } from './wished-model.ts';
