import type { Wire } from './wire.ts';

export type ModelInfo = {
  provider: string;
  /** The id the server knows. */
  id: string;
  wire: Wire;
  /** Tokens; null: unknown, which is not zero. */
  contextWindow: number | null;
  outputLimit: number | null;
};

/** `provider/id`, as a user writes it. */
export function modelName(model: ModelInfo): string {
  return `${model.provider}/${model.id}`;
}
