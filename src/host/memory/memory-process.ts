import { AsyncQueue } from '../../base/index.ts';
import {
  type ChildProcess,
  type Family,
  type OutputChunk,
  ProcessError,
  type ProcessExit,
  type ProcessIdentity,
  type ProcessPort,
  type SpawnSpec,
} from '../index.ts';

/** How a scripted program behaves. Strings are its standard output. */
export type ScriptedProcess = {
  output?: readonly (string | Uint8Array | OutputChunk)[];
  /** 'never': it runs until it is killed. Default: exit code 0, at once. */
  exit?: number | ProcessExit | 'never';
  /** It goes on after SIGTERM and SIGINT. */
  ignoresTerm?: boolean;
  /** Something it started outlives it and keeps the pipes open. */
  leavesChild?: boolean;
};

/** Undefined: there is no such program. */
export type ProcessScript = (spec: SpawnSpec) => ScriptedProcess | undefined;

// From a program's number to that of what it leaves behind.
const LEFT_BEHIND = 10_000;

/** Programs that exist only as scripts. `spawned` has every start, `signals` every signal that was sent. */
export class MemoryProcess implements ProcessPort {
  readonly spawned: SpawnSpec[] = [];
  readonly signals: { pid: number; signal: string }[] = [];
  readonly #script: ProcessScript;
  readonly #self: ProcessIdentity = { pid: 1000, bootId: 'boot-1', startTime: '1' };
  /** What `isAlive` says of others. */
  readonly alive: ProcessIdentity[] = [];

  constructor(script: ProcessScript) {
    this.#script = script;
  }

  async spawn(spec: SpawnSpec): Promise<ChildProcess> {
    this.spawned.push(spec);
    const script = this.#script(spec);
    if (script === undefined) {
      throw new ProcessError('process/enoent', `cannot start ${spec.file}: no such program`, {
        data: { file: spec.file, cwd: spec.cwd, systemCode: 'ENOENT' },
      });
    }
    return this.#run(this.#self.pid + this.spawned.length, script);
  }

  async packaged(): Promise<null> {
    return null;
  }

  /** What an earlier run left: nothing. */
  async adopt(): Promise<Family> {
    return { killGroup: () => false, groupAlive: () => false, living: () => [] };
  }

  async self(): Promise<ProcessIdentity> {
    return { ...this.#self };
  }

  async isAlive(identity: ProcessIdentity): Promise<boolean> {
    return [this.#self, ...this.alive].some(
      (one) =>
        one.pid === identity.pid &&
        (identity.bootId === null || one.bootId === null || one.bootId === identity.bootId) &&
        (identity.startTime === null || one.startTime === null || one.startTime === identity.startTime),
    );
  }

  #run(pid: number, script: ScriptedProcess): ChildProcess {
    const output = new AsyncQueue<OutputChunk>();
    for (const chunk of script.output ?? []) output.push(toChunk(chunk));
    let running = true;
    let childLeft = script.leavesChild ?? false;
    let leave: (exit: ProcessExit) => void = () => undefined;
    const exited = new Promise<ProcessExit>((resolve) => {
      leave = resolve;
    });
    const end = (exit: ProcessExit): void => {
      running = false;
      leave(exit);
      if (!childLeft) output.close();
    };
    const { exit = 0 } = script;
    if (exit !== 'never') end(typeof exit === 'number' ? { code: exit, signal: null } : exit);
    return {
      pid,
      startTime: String(pid),
      output,
      exited,
      killGroup: (signal) => {
        this.signals.push({ pid, signal });
        if (!running && !childLeft) return false;
        if (signal !== 'SIGKILL' && script.ignoresTerm === true) return true;
        childLeft = false;
        if (running) end({ code: null, signal });
        output.close();
        return true;
      },
      groupAlive: () => running || childLeft,
      living: () => [
        ...(running ? [{ pid, name: 'child' }] : []),
        ...(childLeft ? [{ pid: pid + LEFT_BEHIND, name: 'left' }] : []),
      ],
      detachOutput: () => output.close(),
    };
  }
}

function toChunk(chunk: string | Uint8Array | OutputChunk): OutputChunk {
  if (typeof chunk === 'string') return { stream: 'stdout', bytes: Buffer.from(chunk, 'utf8') };
  return chunk instanceof Uint8Array ? { stream: 'stdout', bytes: chunk } : chunk;
}
