import { isBlank, messageOf, nearest, ReinError } from '../../base/index.ts';
import type { SubagentSummary } from '../../harness/contract/index.ts';
import {
  addUsage,
  hasEnded,
  NO_USAGE,
  type StreamEvent,
  type Task,
  type ToolFailure,
  type Usage,
  workingDirectory,
} from '../../model/index.ts';
import type { SessionLog } from '../../session/index.ts';
import type { AgentPort, AgentSpec } from '../../tools/contract/index.ts';
import type { AgentCall } from '../call-outcome.ts';
import type { ActiveModel, AgentParts } from '../parts.ts';
import type { AgentTask, TaskService } from '../tasks/task-service.ts';
import type { ChildSession } from './child-session.ts';
import { gitSnapshot } from './git-snapshot.ts';
import { type RunOutcome, runToResult } from './run-to-result.ts';
import { subagentParts } from './subagent-parts.ts';

export type SubagentScope = {
  parts: AgentParts;
  tasks: TaskService;
  open(parts: AgentParts): ChildSession;
  /** What happens in the sessions below, for whoever reads this one. */
  emit(event: StreamEvent): void;
};

type Run = { child: ChildSession; done: Promise<void> };

/** Responses to commands that this program itself sent. */
const INNER: readonly string[] = ['done', 'error', 'queue-change'];

/** How long an agent waits for what it started in the background before it must give its result. */
const WAIT_MS = 30 * 60 * 1000;

function failure(code: string, message: string): { error: ToolFailure } {
  return { error: { code, message } };
}

/** The agents that one session started. */
export class SubagentRuns {
  readonly #scope: SubagentScope;
  readonly #running = new Map<string, Run>();

  constructor(scope: SubagentScope) {
    this.#scope = scope;
  }

  port(call: AgentCall): AgentPort {
    return {
      start: (spec) => this.#start(spec, call),
      message: async (id, text) => this.message(id, text),
    };
  }

  /** A word into a running one's work. */
  message(id: string, text: string): { task: Task } | { error: ToolFailure } {
    const task = this.#scope.tasks.get(id);
    if (task === null || task.kind !== 'agent') {
      const ids = [...this.#running.keys()];
      const there = ids.length === 0 ? 'none is running' : `running: ${ids.join(', ')}`;
      return failure('subagent/unknown-run', `There is no agent ${JSON.stringify(id.slice(0, 100))}; ${there}.`);
    }
    const run = this.#running.get(id);
    if (run === undefined) {
      return failure(
        'subagent/ended',
        `${id} has ended (${task.state}). To go on with it, start one with resume_from.`,
      );
    }
    if (isBlank(text)) return failure('subagent/empty', 'There is nothing in the message.');
    void run.child.send({ type: 'steer', text });
    return { task };
  }

  /** When all of them are over, their logs closed. The tasks were cancelled before. */
  async close(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  async #start(spec: AgentSpec, call: AgentCall): Promise<{ task: Task } | { error: ToolFailure }> {
    const { parts } = this.#scope;
    const source = spec.resumeFrom === undefined ? null : this.#toResume(spec.resumeFrom);
    if (source !== null && 'error' in source) return source;
    const definition = this.#definition(source?.name ?? spec.agent, call);
    if ('error' in definition) return definition;
    const model = spec.model === undefined ? null : await this.#model(spec.model);
    if (model !== null && 'error' in model) return model;
    // Without a pause before it counts: calls of one answer come here side by side.
    const barred = this.#barred();
    if (barred !== null) return barred;
    parts.crew.running += 1;
    let run: { task: AgentTask; log: SessionLog };
    try {
      run = await this.#begin(spec, call, source, definition);
    } catch (error) {
      parts.crew.running -= 1;
      if (!ReinError.isInstance(error)) throw error;
      return failure('subagent/not-started', `The agent was not started: ${messageOf(error)}`);
    }
    const child = this.#open(run, call, model);
    const done = this.#carryOut(run.task, child, spec, call).finally(() => {
      parts.crew.running -= 1;
      this.#running.delete(run.task.id);
    });
    this.#running.set(run.task.id, { child, done });
    if (!spec.background) await done;
    return { task: this.#scope.tasks.get(run.task.id) as Task };
  }

  #barred(): { error: ToolFailure } | null {
    const { crew, depth } = this.#scope.parts;
    if (depth >= crew.deepest) {
      const why =
        crew.deepest === 0
          ? 'Agents are turned off (subagents.max_depth).'
          : `Agents may be ${crew.deepest === 1 ? '1 level' : `${crew.deepest} levels`} deep; this one may start no more.`;
      return failure('subagent/too-deep', `${why} Do the work yourself.`);
    }
    if (crew.running < crew.most) return null;
    const running = crew.running === 1 ? '1 agent is' : `${crew.running} agents are`;
    const message = `${running} running, as many as may at once. Wait for one to end, or do the work yourself.`;
    return failure('subagent/too-many', message);
  }

  #toResume(id: string): { name: string; session: string } | { error: ToolFailure } {
    const task = this.#scope.tasks.get(id);
    const agent = task?.detail.agent;
    if (task === null || task === undefined || agent === undefined) {
      return failure('subagent/unknown-run', `resume_from: there is no agent ${JSON.stringify(id.slice(0, 100))}.`);
    }
    if (!hasEnded(task)) {
      return failure('subagent/running', `resume_from: ${id} is still running; send it a message, or wait for it.`);
    }
    return agent;
  }

  #definition(name: string, { turn }: AgentCall): SubagentSummary | { error: ToolFailure } {
    const { harness } = this.#scope.parts;
    const all = harness.subagents?.list(turn) ?? [];
    const found = all.find((each) => each.name === name);
    if (found !== undefined) return found;
    const names = all.map((each) => each.name);
    const near = nearest(name, names);
    const hint = near === undefined ? `there are: ${names.join(', ') || 'none'}` : `did you mean "${near}"?`;
    return failure('subagent/unknown', `There is no agent ${JSON.stringify(name.slice(0, 100))}; ${hint}`);
  }

  /** One of the provider that the session uses: another's would send the conversation elsewhere. */
  async #model(name: string): Promise<ActiveModel | { error: ToolFailure }> {
    const { parts } = this.#scope;
    const shown = JSON.stringify(name.slice(0, 200));
    try {
      const model = await parts.wished.get(name, parts.choose.model);
      const wire = parts.harness.wires[model.port.info.wire];
      if (!wire.accepted) return failure('subagent/model', `The model ${shown} cannot be used: ${wire.error}`);
      if (model.port.info.provider === parts.model.port.info.provider) return model;
      return failure(
        'subagent/model',
        `The model ${shown} is of another provider than the session's; leave model out.`,
      );
    } catch (error) {
      if (!ReinError.isInstance(error)) throw error;
      return failure('subagent/model', `The model ${shown} cannot be had: ${messageOf(error)}`);
    }
  }

  async #begin(
    spec: AgentSpec,
    { turn }: AgentCall,
    source: { name: string; session: string } | null,
    { readsPlan }: SubagentSummary,
  ): Promise<{ task: AgentTask; log: SessionLog }> {
    const { parts, tasks } = this.#scope;
    const id = tasks.newAgentId();
    const name = source?.name ?? spec.agent;
    const spawnedBy = { session: parts.log.id, run: id, agent: name };
    const log =
      source === null
        ? parts.children.create(spawnedBy, spec.cwd ?? turn.world.cwd)
        : await parts.children.fork(source.session, spawnedBy);
    try {
      await log.begin();
      if (readsPlan) copyPlan(parts.log, log);
      const task = tasks.beginAgent({
        id,
        description: spec.description,
        agent: { name, session: log.id },
        notify: spec.background ? 'always' : 'never',
        timeoutMs: spec.timeoutMs,
      });
      return { task, log };
    } catch (error) {
      await log.close();
      throw error;
    }
  }

  #open(
    { task, log }: { task: AgentTask; log: SessionLog },
    { turn }: AgentCall,
    model: ActiveModel | null,
  ): ChildSession {
    const { parts, open, emit } = this.#scope;
    const exitTool = parts.harness.subagents?.exitTool ?? null;
    const tools = [...turn.tools.map(({ name }) => name), ...(exitTool === null ? [] : [exitTool])];
    const child = open(subagentParts(parts, { log, tools, model }));
    child.subscribe((event) => {
      if (event.subagent === undefined && INNER.includes(event.type)) return;
      const { tag: _own, ...told } = event;
      emit({ ...told, subagent: event.subagent ?? task.id });
    });
    return child;
  }

  /** What the harness puts before the first prompt of an agent. */
  async #opening({ agent, resumeFrom }: AgentSpec, child: ChildSession): Promise<string> {
    const { host, harness, childEnv, settings } = this.#scope.parts;
    if (resumeFrom !== undefined || harness.subagents?.opening === undefined) return '';
    const cwd = workingDirectory(child.parts.log.state());
    const asks = harness.subagents.asksGit?.(agent) === true;
    const trusted = settings(harness.name).trusted === true;
    const git = asks ? await gitSnapshot({ host, cwd, env: childEnv, trusted }) : null;
    return harness.subagents.opening(agent, git);
  }

  async #carryOut(task: AgentTask, child: ChildSession, spec: AgentSpec, call: AgentCall): Promise<void> {
    const { exitTool = null, short } = this.#scope.parts.harness.subagents ?? {};
    // In the background it outlives the call, and the turn.
    const signal = spec.background ? task.signal : AbortSignal.any([task.signal, call.signal]);
    const stop = (): void => child.abort();
    signal.addEventListener('abort', stop, { once: true });
    let spent = NO_USAGE;
    const unsubscribe = child.subscribe((event) => {
      spent = addUsage(spent, usageOf(event));
    });
    let outcome: RunOutcome;
    try {
      task.running();
      const prompt = `${await this.#opening(spec, child)}${spec.prompt}`;
      const words = { exitTool, ...(short === undefined ? {} : { short }), waitMs: WAIT_MS, signal };
      outcome = await runToResult(child, prompt, words);
    } catch (error) {
      outcome = { state: 'failed', detail: { reason: messageOf(error) } };
    } finally {
      signal.removeEventListener('abort', stop);
    }
    await child.close().catch(() => undefined);
    unsubscribe();
    if (outcome.needsPerson !== undefined && !spec.background) call.needsPerson(outcome.needsPerson);
    task.end(outcome.state, { ...outcome.detail, usage: spent });
  }
}

/** The plan as the caller has it now. */
function copyPlan(from: SessionLog, to: SessionLog): void {
  const { plan } = from.state();
  if (plan !== null && plan.text !== to.state().plan?.text) {
    to.append({ type: 'plan', op: 'write', path: plan.path, text: plan.text });
  }
}

/** What an event says was spent, here or below. */
function usageOf(event: StreamEvent): Usage {
  return event.type === 'assistant' ? event.usage : NO_USAGE;
}
