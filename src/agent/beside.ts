import { hasEnded, type Json, type StreamEvent, type Task } from '../model/index.ts';
import { tasksOf } from '../session/index.ts';
import type { AgentPort } from '../tools/contract/index.ts';
import { endOpenCalls } from './call-mark.ts';
import type { AgentCall, BesidePorts } from './call-outcome.ts';
import type { AgentParts } from './parts.ts';
import type { ChildSession } from './subagents/child-session.ts';
import { recoverAgent } from './subagents/recover-agent.ts';
import { SubagentRuns } from './subagents/subagent-runs.ts';
import { TaskService } from './tasks/task-service.ts';

export type BesideScope = {
  open(parts: AgentParts): ChildSession;
  emit(event: StreamEvent): void;
  /** A task's state changed. */
  changed(task: Task): void;
};

/** What runs beside the conversation of one session: nothing of it is made before it is needed. */
export class Beside implements BesidePorts {
  readonly #parts: AgentParts;
  readonly #scope: BesideScope;
  #tasks: TaskService | null = null;
  #agents: SubagentRuns | null = null;

  constructor(parts: AgentParts, scope: BesideScope) {
    this.#parts = parts;
    this.#scope = scope;
  }

  /** Null: nothing was ever begun in this session. */
  get known(): TaskService | null {
    const hasNotes = this.#tasks === null && this.#parts.log.notes().some(({ type }) => type === 'task');
    return hasNotes ? this.tasks() : this.#tasks;
  }

  tasks(): TaskService {
    if (this.#tasks !== null) return this.#tasks;
    const { host, log, spillDirectory, beside, mask } = this.#parts;
    const tasks = new TaskService({ host, log, spillDirectory, mostCommands: beside.commands, mask: mask.output });
    tasks.onChange((task) => this.#scope.changed(task));
    this.#tasks = tasks;
    return tasks;
  }

  runs(): SubagentRuns {
    const { open, emit } = this.#scope;
    this.#agents ??= new SubagentRuns({ parts: this.#parts, tasks: this.tasks(), open, emit });
    return this.#agents;
  }

  agents(call: AgentCall): AgentPort {
    return this.runs().port(call);
  }

  /** Whether an earlier run of the program left something without an end, as long as nothing was settled. */
  get hasLeft(): boolean {
    return !tasksOf(this.#parts.log.notes()).every(hasEnded);
  }

  /**
   * Settles what an earlier run of the program left behind: a command that had ended has ended, an agent that had given
   * its result has given it; whatever else still ran is stopped, or watched again where it may outlive the session.
   */
  async recover(): Promise<void> {
    const { log, beside, host } = this.#parts;
    await endOpenCalls(log, host);
    if (!this.hasLeft) return;
    const agentResult = (task: Task): Promise<Json | null> => recoverAgent(task, this.#parts);
    await this.tasks().recover({ keep: beside.keep, agentResult });
  }

  /** Stops it, or leaves running commands alone where they may outlive the session. */
  async close(): Promise<void> {
    const keep = this.#parts.beside.keep && this.#parts.depth === 0;
    await this.#tasks?.close({ keep });
    await this.#agents?.close();
  }
}
