import { messageOf, ReinError, UsageError } from '../base/index.ts';
import type { RunResult } from '../model/index.ts';
import type { Agent, AgentOptions } from '../sdk/index.ts';
import { readCommand } from './command-shape.ts';
import { EXIT, exitCode, signalExitCode } from './exit-code.ts';
import { inputLines } from './input-lines.ts';
import { Interrupts } from './interrupts.ts';
import { readPrompt } from './prompt-input.ts';
import { type OutputFormat, openRunOutput, type RunOutput } from './run-output.ts';
import type { Stdio } from './stdio.ts';

export type PrintJob = {
  output: OutputFormat;
  /** Where the work comes from: one prompt, or a command on each line of stdin. */
  input: { type: 'prompt'; argument: string | null } | { type: 'commands' };
  options: AgentOptions;
};

export type PrintPorts = {
  stdio: Stdio;
  createAgent: (options: AgentOptions) => Promise<Agent>;
  /** Resolves after so many milliseconds. */
  wait: (ms: number) => Promise<void>;
};

/** Headless: runs to the end, until all output was taken, and returns the exit code. Never throws. */
export async function runPrint(job: PrintJob, ports: PrintPorts): Promise<number> {
  const { stdio } = ports;
  const output = openRunOutput(job.output, stdio);
  const run = new PrintRun(job, ports, output);
  const interrupts = new Interrupts(stdio, () => run.stop());
  stdio.outputGone.addEventListener('abort', () => run.stop());
  let code: number;
  try {
    const result = await run.toEnd();
    if (!stdio.outputGone.aborted) output.result(result);
    code = run.misused ? EXIT.usage : exitCode(result);
  } catch (error) {
    const result = failure(error, run.resultSoFar() ?? nothing(job.options), interrupts.signal !== null);
    if (!stdio.outputGone.aborted) output.result(result);
    code = UsageError.isInstance(error) ? EXIT.usage : EXIT.failed;
  }
  interrupts.stop();
  await stdio.drained();
  if (interrupts.signal !== null) return signalExitCode(interrupts.signal);
  // Who closed the pipe has seen enough: the run that was ended for it did not fail.
  return stdio.outputGone.aborted && code === EXIT.interrupted ? EXIT.ended : code;
}

class StopRequest {
  asked = false;
  ask: () => void = () => undefined;
  readonly promise: Promise<void>;

  constructor() {
    this.promise = new Promise((resolve) => {
      this.ask = () => {
        this.asked = true;
        resolve();
      };
    });
  }
}

class PrintRun {
  readonly #job: PrintJob;
  readonly #ports: PrintPorts;
  readonly #output: RunOutput;
  #agent: Agent | null = null;
  readonly #stop = new StopRequest();

  constructor(job: PrintJob, ports: PrintPorts, output: RunOutput) {
    this.#job = job;
    this.#ports = ports;
    this.#output = output;
  }

  /** Ends it: what runs is aborted, nothing more is read. */
  stop(): void {
    this.#stop.ask();
    this.#ports.stdio.input.release();
    this.#agent?.abort();
  }

  /** Null before there is an agent. */
  resultSoFar(): RunResult | null {
    return this.#agent?.result() ?? null;
  }

  /** It failed for something that the caller can put right: a facet that there is not. */
  get misused(): boolean {
    return UsageError.isInstance(this.#agent?.failure);
  }

  async toEnd(): Promise<RunResult> {
    const { agent, prompt } = await this.#start();
    this.#agent = agent;
    try {
      for (const diagnostic of agent.diagnostics) this.#output.diagnostic(diagnostic);
      agent.subscribe((event) => this.#output.event(event));
      if (this.#stop.asked) return { ...agent.result(), stopReason: 'aborted' };
      if (prompt !== null) await this.#runPrompt(agent, prompt);
      else await this.#takeCommands(agent);
    } finally {
      this.#ports.stdio.input.release();
      await agent.close();
    }
    const result = agent.result();
    // Stopped while it waited for the next command: no turn says so.
    return this.#stop.asked && result.stopReason === 'end' ? { ...result, stopReason: 'aborted' } : result;
  }

  /** Opens the agent while stdin is given its time. Throws what either throws, with nothing left open. */
  async #start(): Promise<{ agent: Agent; prompt: string | null }> {
    const { stdio, createAgent } = this.#ports;
    const { options, input } = this.#job;
    const opening = createAgent({ ...options, answers: input.type === 'commands' });
    try {
      const [agent, prompt] = await Promise.all([opening, this.#readPrompt(this.#ports)]);
      return { agent, prompt };
    } catch (error) {
      stdio.input.release();
      await opening.then(
        (agent) => agent.close(),
        () => undefined,
      );
      throw error;
    }
  }

  async #readPrompt({ stdio, wait }: PrintPorts): Promise<string | null> {
    const { input } = this.#job;
    if (input.type === 'commands') return null;
    return await readPrompt(stdio.input, {
      argument: input.argument,
      wait,
      say: (line) => stdio.errors.write(`rein: ${line}\n`),
    });
  }

  /** A prompt to its end, and then for what still runs in the background. */
  async #runPrompt(agent: Agent, prompt: string): Promise<void> {
    await agent.run(prompt);
    if (!this.#stop.asked) await Promise.race([agent.settle(), this.#stop.promise]);
  }

  async #takeCommands(agent: Agent): Promise<void> {
    let asksToEnd = false;
    for await (const line of inputLines(this.#ports.stdio.input)) {
      const answer = line.ok ? readCommand(line.text) : line;
      if (!answer.ok) {
        const { ok: _, ...refusal } = answer;
        this.#output.event({ type: 'error', ...refusal });
        continue;
      }
      agent.send(answer.command);
      asksToEnd = answer.command.type === 'end';
      if (asksToEnd) break;
    }
    agent.stopAnswering();
    // Who stops it does not wait for what is queued.
    // Nobody said that it is enough: what runs in the background is waited for.
    await Promise.race([asksToEnd ? agent.idle() : agent.settle(), this.#stop.promise]);
  }
}

/** The closing object of a run that did not get as far as having one. */
function failure(error: unknown, soFar: RunResult, interrupted: boolean): RunResult {
  if (interrupted) return { ...soFar, stopReason: 'aborted', error: null };
  const known = ReinError.isInstance(error);
  const message = messageOf(error);
  const kind = known ? error.code : 'internal/unexpected';
  return { ...soFar, stopReason: 'error', error: { kind, message: known ? message : `internal error: ${message}` } };
}

function nothing(options: AgentOptions): RunResult {
  return {
    type: 'result',
    sessionId: null,
    harness: options.harness ?? '',
    model: options.model ?? null,
    stopReason: 'error',
    result: '',
    turns: 0,
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
    cost: null,
    error: null,
  };
}
