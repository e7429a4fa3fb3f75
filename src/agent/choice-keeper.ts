import { UsageError } from '../base/index.ts';
import { modelName } from '../model/index.ts';
import type { AgentParts } from './parts.ts';
import { wireError } from './prepare-request.ts';
import { writeChoice } from './run-choices.ts';

/** Carries out what is chosen anew (harness, model, effort, permission mode, tools): in the engine's parts and the log. */
export class ChoiceKeeper {
  readonly #parts: AgentParts;

  constructor(parts: AgentParts) {
    this.#parts = parts;
  }

  async harness(to: string): Promise<void> {
    const before = this.#parts.harness;
    this.#parts.harness = await this.#parts.choose.harness(to);
    this.#refuseWire(() => {
      this.#parts.harness = before;
    });
    writeChoice(this.#parts.log, 'harness', this.#parts.harness.name, 'user');
  }

  async model(to: string): Promise<void> {
    const before = this.#parts.model;
    this.#parts.model = await this.#parts.choose.model(to);
    this.#refuseWire(() => {
      this.#parts.model = before;
    });
    if (this.#parts.model.info !== null)
      writeChoice(this.#parts.log, 'model', modelName(this.#parts.model.info), 'user');
  }

  effort(to: string): void {
    this.#parts.effort = to;
    writeChoice(this.#parts.log, 'effort', to, 'user');
  }

  permissionMode(to: string): void {
    this.#parts.permissionMode = this.#parts.choose.permissionMode(to);
    writeChoice(this.#parts.log, 'permission-mode', this.#parts.permissionMode, 'user');
  }

  /** What the model is offered from now on. Nothing is written where a name is unknown. */
  async tools({ allow, deny }: { allow?: string[]; deny?: string[] }): Promise<void> {
    await this.#parts.choose.tools([...(allow ?? []), ...(deny ?? [])], this.#parts.harness);
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
}
