import type { Part, ProviderState } from './part.ts';

/**
 * One message of the conversation, in no wire's words. `event` is the one event it comes from. A message object never
 * changes once folded, so encoders may remember their work by identity.
 */
export type Message =
  | {
      role: 'user';
      event: string;
      from: 'user' | 'queue' | 'steer' | 'parent' | 'reminder' | 'summary';
      parts: readonly Part[];
      /** Never merged with its neighbours. */
      alone: boolean;
      /** Of a native compaction: what stands for everything before it, for the same provider. */
      opaque?: ProviderState;
    }
  | {
      role: 'assistant';
      event: string;
      parts: readonly Part[];
      /** Who wrote it: reasoning and opaque state are replayed to the same provider only. */
      source: { provider: string; model: string };
      opaque?: ProviderState;
    }
  | {
      role: 'tool';
      event: string;
      call: { assistant: string; id: string };
      tool: string;
      parts: readonly Part[];
      status: 'ok' | 'error' | 'denied' | 'aborted';
    };
