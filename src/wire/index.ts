export { type ProviderQuery, type ResolvedProvider, resolveProvider } from './catalog/resolve-provider.ts';
export { type ChatModelOptions, createChatModel } from './chat/chat-model.ts';
export { DEFAULT_RETRY, type RetryPolicy } from './retry-policy.ts';
