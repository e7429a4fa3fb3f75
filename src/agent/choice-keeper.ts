import { UsageError } from '../base/index.ts';
import type { ChoiceName } from '../model/index.ts';
import { modelName } from '../model/index.ts';
import type { AgentParts } from './parts.ts';
import { wireError } from './prepare-request.ts';

/** Keeps what is chosen (harness, model, effort, permission mode) in step between the engine's parts and the log. */
export class ChoiceKeeper {
  readonly #parts: AgentParts;

  constructor(parts: AgentParts) {
    this.#parts = parts;
  }

  /** Writes what this run was started with where the branch does not say the same yet. Once a turn; usually nothing. */
  record(): void {
    const { harness, model, effort, permissionMode } = this.#parts;
    this.#write('harness', harness.name, 'flag');
    if (model.info !== null) this.#write('model', modelName(model.info), 'flag');
    if (effort !== null) this.#write('effort', effort, 'flag');
    this.#write('permission-mode', permissionMode, 'flag');
  }

  async harness(to: string): Promise<void> {
    const before = this.#parts.harness;
    this.#parts.harness = await this.#parts.choose.harness(to);
    this.#refuseWire(() => {
      this.#parts.harness = before;
    });
    this.#write('harness', this.#parts.harness.name, 'user');
  }

  async model(to: string): Promise<void> {
    const before = this.#parts.model;
    this.#parts.model = await this.#parts.choose.model(to);
    this.#refuseWire(() => {
      this.#parts.model = before;
    });
    if (this.#parts.model.info !== null) this.#write('model', modelName(this.#parts.model.info), 'user');
  }

  effort(to: string): void {
    this.#parts.effort = to;
    this.#write('effort', to, 'user');
  }

  permissionMode(to: string): void {
    this.#parts.permissionMode = this.#parts.choose.permissionMode(to);
    this.#write('permission-mode', this.#parts.permissionMode, 'user');
  }

  /** What the model is offered from now on. Nothing is written where a name is unknown. */
  tools({ allow, deny }: { allow?: string[]; deny?: string[] }): void {
    this.#parts.choose.tools([...(allow ?? []), ...(deny ?? [])], this.#parts.harness);
    this.#parts.log.append({
      type: 'tools',
      ...(allow === undefined ? {} : { allow }),
      ...(deny === undefined ? {} : { deny }),
    });
  }

  #refuseWire(undo: () => void): void {
    const error = wireError(this.#parts);
    if (error === null) return;
    undo();
    throw new UsageError('harness/wire-not-accepted', error);
  }

  #write(type: ChoiceName, to: string, by: 'user' | 'flag'): void {
    const from = this.#parts.log.state().choices[type];
    if (from !== to) this.#parts.log.append({ type, from, to, by });
  }
}
