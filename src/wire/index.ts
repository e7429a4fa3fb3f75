export { type ProviderQuery, type ResolvedProvider, resolveProvider } from './catalog/resolve-provider.ts';
export { type ChatModelOptions, createChatModel } from './chat/chat-model.ts';
export { parseRehearsal } from './rehearsal/parse-rehearsal.ts';
export { createRehearsalModel, type RehearsalModel } from './rehearsal/rehearsal-model.ts';
export { type RehearsalServer, type RehearsalServerOptions, serveRehearsal } from './rehearsal/rehearsal-server.ts';
export { type RequestView, viewRequest } from './rehearsal/request-view.ts';
export type {
  CapturedRequest,
  RehearsalCall,
  RehearsalExpectation,
  RehearsalFault,
  RehearsalReply,
  RehearsalScript,
  RehearsalWhen,
  TextMatch,
} from './rehearsal/script.ts';
export { DEFAULT_RETRY, type RetryPolicy } from './retry-policy.ts';
