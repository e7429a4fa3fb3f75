import { ReinError } from '../../base/index.ts';
import type { HostPorts, HttpTimeouts } from '../../host/index.ts';
import type { ModelInfo, ModelPort } from '../../model/index.ts';
import type { RetryPolicy } from '../retry-policy.ts';

export type ChatModelOptions = {
  host: Pick<HostPorts, 'http' | 'clock' | 'random'>;
  info: ModelInfo;
  baseUrl: string;
  /** Null: no Authorization header. */
  apiKey: string | null;
  retry?: RetryPolicy;
  timeouts?: Partial<HttpTimeouts>;
};

export function createChatModel(options: ChatModelOptions): ModelPort {
  throw new ReinError('internal/not-built', options.baseUrl);
}
