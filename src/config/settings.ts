import type { ProviderSettings, Wire } from '../model/index.ts';

/** The settings in force, under the names of the settings file. Null: not chosen. */
export type Settings = {
  /** `provider/model`; with `base_url` the whole is the model's id. */
  model: string | null;
  base_url: string | null;
  wire: Wire | null;
  harness: string;
  harness_guidance: boolean;
  effort: string | null;
  facet: string | null;
  permission_mode: string | null;
  /** Rules as they were written, of all sources together. */
  permissions: { allow: readonly string[]; ask: readonly string[]; deny: readonly string[] };
  /** Model requests in one turn. */
  max_turns: number | null;
  /** Largest instruction file whose text is sent, bytes; null: the harness's own bound. */
  instructions: { max_file_bytes: number | null };
  /** Each harness's own settings, by its name. */
  harnesses: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** How long conversations are made shorter. */
  compaction: {
    automatic: boolean;
    /** Of the window; null: the harness's own. */
    threshold_percent: number | null;
    /** Tokens; null: the harness's own. */
    keep_tokens: number | null;
  };
  shell: {
    /** Null: the tool's own default. */
    timeout_ms: number | null;
    /** Names of variables that commands get although they look like secrets. */
    env_pass: readonly string[];
  };
  /** For light work; null: the session's own model. */
  mini_model: string | null;
  /** What the program itself tells the model. */
  notices: {
    session_resumed: boolean;
    directory_changed: boolean;
    task_tracking: boolean;
    context_pressure: boolean;
  };
  /** What runs in the background. */
  tasks: { max_commands: number; wait_ms: number; on_exit: 'stop' | 'keep'; wake: boolean };
  subagents: { max_running: number; max_depth: number };
  plans: { handoff: 'ask' | 'new-context' | 'current-context' };
  /** Absolute, below `~`, or from the working directory. */
  skills: { extra_dirs: readonly string[] };
  web: {
    /** In lower case or not; `*.NAME`: every host below it. */
    allow_private_hosts: readonly string[];
    /** A search service; null: none. */
    search_url: string | null;
    /** The variable that holds its key. */
    search_key_env: string | null;
  };
  /** Model servers of the user's own, and what is different with known ones, by id. */
  providers: Readonly<Record<string, ProviderSettings>>;
};

export type SettingSource = 'default' | 'user' | 'project' | 'environment' | '-c' | 'flag';

/** Where a value comes from: the file with its 1-based line, or the variable's name. */
export type SettingOrigin = {
  from: SettingSource;
  path?: string;
  line?: number;
  variable?: string;
};
