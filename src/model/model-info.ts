import type { Modality, ReasoningControl } from './provider-settings.ts';
import type { Wire } from './wire.ts';

export type ModelInfo = {
  provider: string;
  /** The id the server knows. */
  id: string;
  wire: Wire;
  /** Tokens; null: unknown, which is not zero. */
  contextWindow: number | null;
  outputLimit: number | null;
  /** Absent: unknown, any effort is passed on. */
  reasoning?: ReasoningControl;
  /** Absent: unknown, pictures are tried. */
  modalities?: readonly Modality[];
};

/** `provider/id`, as a user writes it. */
export function modelName(model: ModelInfo): string {
  return `${model.provider}/${model.id}`;
}

/** Whether pictures may be sent: not where it is known that they are not understood. */
export function takesImages(model: ModelInfo): boolean {
  return model.modalities === undefined || model.modalities.includes('image');
}
