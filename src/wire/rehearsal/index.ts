export { parseRehearsal } from './parse-rehearsal.ts';
export { createRehearsalModel, type RehearsalModel } from './rehearsal-model.ts';
export { type RehearsalServer, type RehearsalServerOptions, serveRehearsal } from './rehearsal-server.ts';
export { type RequestView, viewRequest } from './request-view.ts';
export type {
  CapturedRequest,
  RehearsalCall,
  RehearsalExpectation,
  RehearsalFault,
  RehearsalReply,
  RehearsalScript,
  RehearsalWhen,
  ServerRules,
  TextMatch,
} from './script.ts';
