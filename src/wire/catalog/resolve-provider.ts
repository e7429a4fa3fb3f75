import { ReinError } from '../../base/index.ts';
import type { ModelInfo, Wire } from '../../model/index.ts';

export type ProviderQuery = {
  /** `provider/model`, split at the first `/`; with `baseUrl` the whole is the model's id. */
  model: string;
  /** Default: the provider's own; `chat` for an ad hoc one. */
  wire?: Wire;
  /** An ad hoc provider, `custom`: no other provider's key ever goes to it. */
  baseUrl?: string;
  /** Looks a variable of the environment up. */
  env(name: string): string | undefined;
};

export type ResolvedProvider = {
  info: ModelInfo;
  baseUrl: string;
  apiKey: string | null;
  /** The variable that the key comes from, or would come from; null: the provider has none. */
  keyName: string | null;
};

/** Throws UsageError. */
export function resolveProvider(query: ProviderQuery): ResolvedProvider {
  throw new ReinError('internal/not-built', query.model);
}
