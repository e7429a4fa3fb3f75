import type { Diagnostic, Instant } from '../base/index.ts';
import type { CompactionSettings } from './compaction.ts';
import type { FileObservation } from './file-observation.ts';
import type { ModelInfo } from './model-info.ts';
import type { Part } from './part.ts';
import type { Laid, Piece } from './piece.ts';
import type { SessionState } from './session-state.ts';
import type { RenderRequest, RenderResult } from './template.ts';
import type { ToolSpec } from './tool.ts';
import type { SourceQuery, World } from './world.ts';

/** Text given for this run alone (`--system-prompt`, `--append-system-prompt` and their file forms). */
export type PromptFlags = {
  replace: { text: string; path?: string } | null;
  append: readonly { text: string; path?: string }[];
};

/** What a harness may know of the configuration and the machine. Paths are absolute. */
export type HarnessSettings = {
  /** `$XDG_CONFIG_HOME`, default `~/.config`. */
  configHome: string;
  home: string;
  cwd: string;
  flags: PromptFlags;
  /** `harnesses.NAME` of the settings. */
  own: Readonly<Record<string, unknown>>;
  /** How long a command may run where the model does not say, as the user chose; absent: the tool's own default. */
  commandTimeoutMs?: number;
  /** The facet to begin with where the session never chose one; absent: the harness's own default. */
  facet?: string;
  /** `provider/model` for light work; absent: the session's own. */
  miniModel?: string;
  /** A person trusts this project: what its files refer to outside of it may be read. */
  trusted?: boolean;
  /** Absent: as the harness would by itself. */
  compaction?: CompactionSettings;
  /** False: what a harness has to say on how to work beside its prompt stays out. */
  guidance?: boolean;
  /** Absolute directories of skills: more of the user's, those of an original's checkout, and the program's own. */
  skillDirs?: { extra: readonly string[]; original: string | null; shipped: string };
  /** Skills of this run alone. */
  sessionSkills?: readonly { name: string; description: string; path: string }[];
  /** The web can be searched: a service for it is configured. */
  webSearch?: boolean;
  /** `OPENINTERPRETER_TEST_TIME`: stands for the time that a harness with that variable tells the model. */
  testTime?: string;
  /** False: this session may start no agents, whatever its role says. */
  startsAgents?: boolean;
  /** Somebody answers what is asked in this run. */
  interactive?: boolean;
  /** Which notices of the program go out; absent: all. */
  notices?: NoticeSettings;
};

export type NoticeSettings = {
  sessionResumed: boolean;
  directoryChanged: boolean;
  taskTracking: boolean;
  contextPressure: boolean;
};

/** World, time, model and tools as they were when the user's message was submitted. */
export type Submission = {
  startedAt: Instant;
  world: World;
  model: ModelInfo | null;
  tools: readonly ToolSpec[];
};

/** One batch of calls and what became of each, in call order. */
export type Batch = {
  assistant: string;
  results: readonly {
    call: { id: string; name: string; arguments: string };
    status: 'ok' | 'error' | 'denied' | 'aborted';
    /** Absolute paths that the call was about, files and directories, whether or not they exist. */
    touched: readonly string[];
    observed: readonly FileObservation[];
  }[];
};

export type Turn = {
  world: World;
  session: SessionState;
  model: ModelInfo | null;
  /** Offered, after narrowing. */
  tools: readonly ToolSpec[];
  settings: HarnessSettings;
  submission: Submission;
  now: Instant;
  prompt?: readonly Part[];
  /** This run took up a session that was there; `since`: the time of its last event, RFC 3339. */
  resumed?: { since: string };
  /** Answers to `Needs.renders`, by id. */
  rendered?: Readonly<Record<string, RenderResult>>;
  agent: { role: 'root' } | { role: 'subagent'; name: string };
  reason: 'prompt' | 'batch' | 'steer' | 'notification' | 'resume' | 'compaction';
};

/** A user-role message that the program writes for the model. */
export type Reminder = {
  reason: string;
  key?: string;
  alone?: true;
  layout: Laid;
  /** What would have gone out with it and did not. */
  omitted?: readonly { piece: Piece; why: string }[];
};

export type RequestOptions = { maxOutputTokens?: number };

export type Composition = {
  system: Laid;
  pins: readonly { name: string; value: string }[];
  reminders: {
    beforePrompt: readonly Reminder[];
    afterPrompt: readonly Reminder[];
  };
  /** Written where a check found a change, an empty chain included; null: no change. */
  chain: readonly string[] | null;
  options: RequestOptions;
  diagnostics: readonly Diagnostic[];
};

/** Asked again with these found in the world and rendered in the turn; a bounded number of times. */
export type Needs = { needs: readonly SourceQuery[]; renders?: readonly RenderRequest[] };

export function isNeeds(value: object): value is Needs {
  return 'needs' in value;
}
