/**
 * For tests of instruction files, harnesses and clients: a model that plays a script, in process or as a server, and
 * what it was sent. Loaded only by tests and by the commands that rehearse.
 */
export {
  type CapturedRequest,
  createRehearsalModel,
  parseRehearsal,
  type RehearsalCall,
  type RehearsalExpectation,
  type RehearsalFault,
  type RehearsalModel,
  type RehearsalReply,
  type RehearsalScript,
  type RehearsalServer,
  type RehearsalWhen,
  type ServerRules,
  type TextMatch,
} from '../wire/rehearsal/index.ts';
export { type CapturedTool, capturedMessages, capturedSystem, capturedTools } from './captured.ts';
export { type CallInput, type ReplyExtras, reply, script } from './reply.ts';
export { type ServeOptions, serveRehearsal } from './serve-rehearsal.ts';
