import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { messageOf } from '../../base/index.ts';
import type { TemplateEnginePort, TemplateJob, TemplateOutcome } from '../index.ts';
import { boundWasmMemory } from './bound-wasm-memory.ts';

export type NodeTemplateOptions = {
  /** Of one rendering. */
  limitMs?: number;
  /** The built worker. Default: the package's own. */
  workerFile?: string;
};

/** Of the start, which a busy machine may draw out; a rendering's own time begins after it. */
const START_LIMIT_MS = 15_000;
const DEFAULT_LIMIT_MS = 2_000;
/** The JavaScript heap of the thread. The engine's own memory is bounded within it. */
const RESOURCES = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16, stackSizeMb: 2 };

/** Of the engine's memory, 64 KiB each: 32 MiB for a template, its variables and its output. */
const MAX_PAGES = 512;

/**
 * MiniJinja in a thread of its own, which is ended when a rendering takes too long or too much; the next one gets a
 * fresh one. One rendering at a time. An idle thread does not keep the process alive.
 */
export function createNodeTemplates(options: NodeTemplateOptions = {}): TemplateEnginePort {
  const { limitMs = DEFAULT_LIMIT_MS } = options;
  let running: Promise<unknown> = Promise.resolve();
  let thread: ReturnType<typeof startThread> | null = null;
  const engineModule = compileOnce();
  const start = (): ReturnType<typeof startThread> => startThread(options.workerFile, engineModule);
  const runNow = async (job: TemplateJob): Promise<TemplateOutcome> => {
    const before = await thread;
    if (!(before instanceof TemplateThread) || before.isOver) thread = start();
    const started = await thread;
    if (started instanceof TemplateThread) return started.run(job, limitMs);
    return failed({ why: 'broken', reason: started?.reason ?? 'it does not start' });
  };
  return {
    prepare() {
      thread ??= start();
    },
    run(job) {
      const outcome = running.then(() => runNow(job));
      running = outcome;
      return outcome;
    },
  };
}

function failed(failure: Extract<TemplateOutcome, { type: 'failed' }>['failure']): TemplateOutcome {
  return { type: 'failed', failure };
}

/** The package is found by its own name, from sources and from each built file alike. */
function packagedWorker(): string {
  const manifest = createRequire(join(import.meta.dirname, 'from.js')).resolve('rein/package.json');
  return join(dirname(manifest), 'dist', 'template-worker.cjs');
}

type EngineModule = (setFlag: (flag: string) => void) => WebAssembly.Module;

/** One module for every thread, so that what V8 has compiled of it is compiled once. */
function compileOnce(): EngineModule {
  let compiled: WebAssembly.Module | undefined;
  return (setFlag) => {
    const from = createRequire(join(import.meta.dirname, 'from.js'));
    const bytes = readFileSync(from.resolve('minijinja-js/dist/bundler/minijinja_js_bg.wasm'));
    compiled ??= compileForOneUse(boundWasmMemory(bytes, MAX_PAGES), setFlag);
    return compiled;
  };
}

/**
 * Most runs render a template or two: functions are checked when they are first called, and optimised late, since V8
 * would otherwise do both while the program waits, for the second even at its exit. A module keeps the settings that it
 * was made under; they are V8's own again afterwards.
 */
function compileForOneUse(bytes: Uint8Array, setFlag: (flag: string) => void): WebAssembly.Module {
  for (const flag of ['--wasm-lazy-validation', '--wasm-tiering-budget=60000000']) setFlag(flag);
  try {
    return new WebAssembly.Module(bytes);
  } finally {
    for (const flag of ['--no-wasm-lazy-validation', '--wasm-tiering-budget=1800000']) setFlag(flag);
  }
}

async function startThread(
  file: string | undefined,
  engineModule: EngineModule,
): Promise<TemplateThread | { reason: string }> {
  let thread: TemplateThread | undefined;
  try {
    const { Worker: Thread } = await import('node:worker_threads');
    const { setFlagsFromString } = await import('node:v8');
    thread = new TemplateThread(
      new Thread(file ?? packagedWorker(), {
        resourceLimits: RESOURCES,
        execArgv: [],
        env: {},
        stdout: true,
        stderr: true,
      }),
    );
    const answer = await thread.ask(() => engineModule(setFlagsFromString), START_LIMIT_MS);
    if (answer.type === 'message') return thread;
    await thread.end();
    return { reason: answer.type === 'error' ? answer.reason : 'it does not start' };
  } catch (error) {
    await thread?.end();
    return { reason: messageOf(error) };
  }
}

type Answer = { type: 'message'; value: unknown } | { type: 'error'; reason: string } | { type: 'late' };

class TemplateThread {
  isOver = false;
  readonly #worker: Worker;

  constructor(worker: Worker) {
    this.#worker = worker;
    // Errors between two renderings are noticed by the next one.
    worker.on('error', () => {
      this.isOver = true;
    });
    worker.on('exit', () => {
      this.isOver = true;
    });
  }

  async run(job: TemplateJob, limitMs: number): Promise<TemplateOutcome> {
    try {
      const answer = await this.ask(() => job, limitMs);
      if (answer.type === 'message') return answer.value as TemplateOutcome;
      await this.end();
      return failed({ why: answer.type === 'late' ? 'time' : 'memory' });
    } catch (error) {
      // What cannot be sent to a thread is no JSON.
      return failed({ why: 'broken', reason: messageOf(error) });
    }
  }

  /** The thread keeps the process alive while it is waited for, and not afterwards. */
  async ask(message: () => unknown, limitMs: number): Promise<Answer> {
    const worker = this.#worker;
    // Made while a new thread starts.
    worker.postMessage(message());
    worker.ref();
    let settle: (answer: Answer) => void = () => undefined;
    const answer = new Promise<Answer>((resolve) => {
      settle = resolve;
    });
    const onMessage = (value: unknown): void => settle({ type: 'message', value });
    const onError = (error: unknown): void => settle({ type: 'error', reason: messageOf(error) });
    const onExit = (): void => settle({ type: 'error', reason: 'it ended' });
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    const timer = setTimeout(() => settle({ type: 'late' }), limitMs);
    if (this.isOver) onExit();
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      worker.unref();
    }
  }

  async end(): Promise<void> {
    this.isOver = true;
    await this.#worker.terminate();
  }
}
