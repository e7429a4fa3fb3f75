import type { Diagnostic } from '../../base/index.ts';
import type {
  Batch,
  Call,
  Composition,
  EventBody,
  HarnessSettings,
  Laid,
  Needs,
  Part,
  Piece,
  Reminder,
  SessionState,
  SourceQuery,
  Task,
  ToolFailure,
  Turn,
  Wire,
  WireShape,
  World,
} from '../../model/index.ts';
import type { ToolFace } from '../../tools/contract/index.ts';
import type { Compaction } from './compaction.ts';

export type SourcesRequest = {
  settings: HarnessSettings;
  session: SessionState;
  typed?: string;
  batch?: Batch;
};

export type Expansion = { parts: Part[]; reminders: Reminder[]; diagnostics?: readonly Diagnostic[] };

/** What a look at the disk and the session allow to say before the tools are known. */
export type FacetView = { world: World; session: SessionState; settings: HarnessSettings };

/** `path`: null for one that is shipped. `colours`: `#rrggbb`, for a light and a dark background. */
export type FacetSummary = {
  name: string;
  description: string;
  scope: string;
  path: string | null;
  colours: { light: string; dark: string };
};

/** The facets there are, and the one in force. `active` may name none of them: composing then fails. */
export type FacetList = { active: string; facets: readonly FacetSummary[] };

/** A model that the instructions ask for: the first of these that can be had. `by`: what asks, for people. */
export type ModelWish = { names: readonly string[]; effort: string | null; by: string; scope: string };

/**
 * `productKeys`: below one of these the front matter speaks to this program. `knownTools`: names that may stand in a
 * facet's lists of tools.
 */
export type DefinitionRules = { productKeys: readonly string[]; knownTools: readonly string[] };

/** What a call gives that the harness answers itself. The events are written before the result. */
export type Invocation = { layout: Laid; events?: readonly EventBody[] } | { failure: ToolFailure };

/** `Call.executor` of the calls that the harness answers itself: they touch nothing but the session. */
export const HARNESS_EXECUTOR: string = 'harness';

export type Reminders = { reminders: readonly Reminder[]; diagnostics?: readonly Diagnostic[] };

/** `path`: null for one that is shipped. */
export type SubagentSummary = {
  name: string;
  description: string;
  scope: string;
  path: string | null;
  /** It may start others. */
  spawns: boolean;
  /** Its instructions show the plan of its caller. */
  readsPlan: boolean;
};

/** What Git says of a directory. `remote`: without credentials, of a well-known host; null: none such. */
export type GitSnapshot = {
  directory: string;
  remote: string | null;
  branch: string | null;
  /** Changed files, the first of them, and how many there are. */
  dirty: readonly string[];
  dirtyCount: number;
  commits: readonly string[];
};

/** Agents that the model may start, each with instructions, tools and a conversation of its own. */
export type Subagents = {
  /** Those whose definitions are whole, by name. Of a session that is a subagent's: what it may start in turn. */
  list(view: FacetView): readonly SubagentSummary[];
  /** The tool by which a run gives its result; null: its last text is the result. */
  exitTool: string | null;
  /** Without such a tool: a text of fewer characters is asked to be said more fully, once, in these words. */
  short?: { under: number; words: string };
  /** What stands before the first prompt of such an agent, by what Git says of its directory; absent: nothing. */
  opening?(name: string, git: GitSnapshot | null): string;
  /** Agents whose opening wants Git to be asked. */
  asksGit?(name: string): boolean;
};

/** The end of a task, with the end of its output. */
export type EndedTask = { task: Task; output: { text: string; path: string; total: number } | null };

/**
 * A policy: which text reaches the model, in which place, and what becomes of it. Every function is pure: equal
 * arguments, equal results, bytes included. It reads no file, calls no network, holds no state.
 */
export interface Harness {
  readonly name: string;
  readonly wires: Readonly<Record<Wire, { accepted: true; shape: WireShape } | { accepted: false; error: string }>>;
  readonly schedule: {
    parallel: boolean;
    identicalCallsOnce: boolean;
    onSteer: 'skip-rest' | 'after-batch';
  };
  /** What it wants to know of the disk. Asked at every look: the answer may depend on the session. */
  sources(request: SourcesRequest): readonly SourceQuery[];
  /** Whether it wants the working directory listed at this look; absent: never. */
  lists?(session: SessionState): boolean;
  /** What the typed text becomes (skills, templates, references). */
  expand(typed: string, turn: Turn): Expansion | Needs;
  /** Before every model request, and for every preview. */
  compose(turn: Turn): Composition | Needs;
  /** All it could offer; narrowing is the driver's. Order is the order of the request. */
  tools(turn: Omit<Turn, 'tools'>): readonly ToolFace[];
  /** Judged before the permissions are. `others`: calls of the same answer. `ask`: what a person is to be asked. */
  gate(call: Call, turn: Turn, others: number): 'pass' | 'ask' | { ask: string } | { deny: string };
  /** Wrapping, notes on repeated calls: before the event is written. `given`: the arguments as received. */
  finish(call: Call, parts: Part[], turn: Turn, given: string): Part[];
  /** Asked once all results of the batch are in the session. */
  afterBatch(turn: Turn, batch: Batch): Reminders | Needs;
  /** How a message of the program itself is marked for the model. */
  notice(piece: Piece): Laid;
  /** The words of the program for a call that did not run (denied, stopped, unknown); absent: as they are. */
  unrun?(parts: Part[]): Part[];
  /** What a person's refusal becomes, with what they said; `ends`: the turn too. Absent: the engine's own words. */
  denied?(feedback: string | null, turn: Turn): { text: string; ends: boolean };
  /** A reason to end the turn now, or null. The batch is in the session. */
  stop(turn: Turn): string | null;
  /** Absent: conversations of this harness cannot be made shorter. */
  readonly compaction?: Compaction;
  /** Shipped texts that a person may read, by URI (`rein://facets/plan`); absent: none. */
  readonly resources?: Readonly<Record<string, string>>;
  /** What the files of facets and skills may say, so that one can be checked by itself; absent: it reads none. */
  readonly definitions?: DefinitionRules;
  /** Absent: this harness has no facets. */
  facets?(view: FacetView): FacetList;
  /** The model that the facet in force asks for; null or absent: the session's own. */
  wish?(view: FacetView): ModelWish | null;
  /** Whether the facet in force offers this tool; absent: all are. Asked before the driver's own narrowing. */
  offers?(face: ToolFace, turn: Omit<Turn, 'tools'>): boolean;
  /** Answers calls whose executor is HARNESS_EXECUTOR. */
  invoke?(call: Call, turn: Turn): Invocation | Needs;
  /** Absent: this harness starts no agents. In a session whose header says `spawnedBy` it composes that agent. */
  readonly subagents?: Subagents;
  /** How the model is told, once, that a task has ended; absent: it has no tools that start any. */
  taskEnded?(ended: EndedTask, turn: Turn): Laid;
  /** What a reload has to say at once; absent: nothing. The turn's world is the one after it. */
  reloaded?(turn: Turn): Reminders | Needs;
}
