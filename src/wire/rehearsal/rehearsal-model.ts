import { ReinError } from '../../base/index.ts';
import type { HostPorts } from '../../host/index.ts';
import type { ModelPort } from '../../model/index.ts';
import type { CapturedRequest, RehearsalScript } from './script.ts';

export type RehearsalModel = ModelPort & {
  requests(): readonly CapturedRequest[];
  /** Every broken rule and unmet expectation so far. */
  failures(): readonly string[];
};

export function createRehearsalModel(script: RehearsalScript, host: Pick<HostPorts, 'clock'>): RehearsalModel {
  throw new ReinError('internal/not-built', `${script.path}${host}`);
}
