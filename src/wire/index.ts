export { PROVIDER_NAMES } from './catalog/providers.ts';
export { type ProviderQuery, type ResolvedProvider, resolveProvider } from './catalog/resolve-provider.ts';
export { type ChatModelOptions, createChatModel } from './chat/chat-model.ts';
export { type ListedModels, listModels, type ModelServer } from './list-models.ts';
export { networkHint } from './network-failure.ts';
export { baseUrlHint } from './provider-failure.ts';
export type { RetryPolicy } from './retry-policy.ts';
