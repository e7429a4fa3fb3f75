import type { Diagnostic, Instant } from '../base/index.ts';
import type { Harness, TemplatePort, WorldPort } from '../harness/contract/index.ts';
import type { HostPorts } from '../host/index.ts';
import type { Call, FitImage, HarnessSettings, Header, ModelInfo, ModelPort, Subject } from '../model/index.ts';
import type { Verdict } from '../permissions/index.ts';
import type { SessionLog } from '../session/index.ts';
import type { AnyExecutor, Limits } from '../tools/contract/index.ts';
import type { OpenQuestions } from './open-questions.ts';
import type { WishedModels } from './wished-model.ts';

/** Judges what a call touches, before it runs. */
export type Judge = (request: {
  mode: string;
  call: Call;
  effect: AnyExecutor['effect'];
  subjects: readonly Subject[];
  cwd: string;
}) => Promise<Verdict>;

/** Looks at files that decide what this program may do, before and after a command. */
export interface ProtectedFiles {
  /** The returned function tells what changed since, and what had changed since the last command. */
  watch(): Promise<() => Promise<readonly Diagnostic[]>>;
  /** What changed since the last command. */
  since(): Promise<readonly Diagnostic[]>;
  /** A tool changed these, as it was allowed to. */
  accept(paths: readonly string[]): Promise<void>;
}

/**
 * A model: its port, and what is known of it; `info` null in a preview without a configured model. What a run learns of
 * it is noted in `info`.
 */
export type ActiveModel = { port: ModelPort; info: ModelInfo | null };

/** What can be chosen anew while a session runs; the composition root knows how. They throw UsageError. */
export type Choosers = {
  harness(name: string): Promise<Harness>;
  model(name: string): Promise<ActiveModel>;
  permissionMode(name: string): string;
  /** The names, each a tool of that harness. */
  tools(names: readonly string[], harness: Harness): Promise<readonly string[]>;
};

export type SpawnedBy = NonNullable<Header['spawnedBy']>;

/** The logs of the sessions of subagents, which lie beside that of their caller. They throw SessionError. */
export interface ChildLogs {
  create(spawnedBy: SpawnedBy, cwd: string): SessionLog;
  /** With the conversation of that session. */
  fork(session: string, spawnedBy: SpawnedBy): Promise<SessionLog>;
  open(session: string): Promise<SessionLog>;
}

/** What a session shares with all agents below it. */
export type Crew = {
  /** Agents of all levels that run now. */
  running: number;
  readonly most: number;
  readonly deepest: number;
  /** A permission that a person gave until the session ends holds for all of them. */
  grant(rule: string): void;
};

/** Bounds and habits of what runs beside the conversation. */
export type BesideSettings = {
  /** Commands at once. */
  commands: number;
  /** Running commands outlive the session. */
  keep: boolean;
  /** Where a task ends while nothing else is done, the model is told at once. */
  wake: boolean;
};

/** Everything a session's engine is made of, handed in by the composition root. */
export type AgentParts = {
  host: HostPorts;
  /** The clock the model is told. */
  clock: { now(): Promise<Instant> };
  harness: Harness;
  settings(harness: string): HarnessSettings;
  world: WorldPort;
  templates: TemplatePort;
  model: ActiveModel;
  effort: string | null;
  /** The facet that this run was told to start with; null once the session says so, or where none was told. */
  facet: string | null;
  wished: WishedModels;
  permissionMode: string;
  log: SessionLog;
  executors(): Promise<ReadonlyMap<string, AnyExecutor>>;
  limits: Limits;
  childEnv: Readonly<Record<string, string>>;
  spillDirectory: string | null;
  /** Measures a picture and makes it fit to be sent. */
  fitImage: FitImage;
  judge: Judge;
  protectedFiles: ProtectedFiles;
  questions: OpenQuestions;
  /** Hides our own keys; `output` also hides what looks like a secret. */
  mask: { keys(text: string): string; output(text: string): string };
  /** Narrows the tools for this run, beside what the session's events say. */
  onlyTools: readonly string[] | null;
  maxRequests: number | null;
  children: ChildLogs;
  crew: Crew;
  /** 0: the session of a person; of a subagent one more than its caller's. */
  depth: number;
  /** The model was chosen for this very run: what its definition asks for does not count. */
  modelGiven: boolean;
  beside: BesideSettings;
  /** What a person said beforehand to every plan that is handed over; null: they are asked. */
  handoff: 'new-context' | 'current-context' | null;
  choose: Choosers;
  /** Copies the session's branch up to that event (null: all of it) as a session of its own; returns its id. */
  copySession(at: string | null): Promise<string>;
  diagnostics: readonly Diagnostic[];
};
