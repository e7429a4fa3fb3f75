import type { Diagnostic } from '../base/index.ts';
import type { EnvPort, FilePort } from '../host/index.ts';
import type { SettingOrigin, Settings } from './settings.ts';

export type ConfigRequest = {
  files: FilePort;
  env: EnvPort;
  cwd: string;
  /** Null: outside a repository, where the working directory takes its place. */
  projectRoot: string | null;
  /** `configHome(env)`. */
  configHome: string;
  /** `KEY=VALUE` as `-c` takes them: dotted keys; VALUE is JSON, else a string. */
  overrides: readonly string[];
  /** Values of flags by the dotted key they set: `{ model: 'openai/gpt-5', max_turns: 3 }`. */
  flags: Readonly<Record<string, unknown>>;
};

export type LoadedConfig = {
  settings: Settings;
  /** By dotted key, each value that is in force. */
  origins: Readonly<Record<string, SettingOrigin>>;
  diagnostics: readonly Diagnostic[];
};

const NOTHING: Settings = {
  model: null,
  base_url: null,
  wire: null,
  harness: 'rein',
  effort: null,
  permission_mode: null,
  max_turns: null,
  instructions: { max_file_bytes: null },
  harnesses: {},
  shell: { timeout_ms: null, env_pass: [] },
  providers: {},
};

export async function loadConfig(_request: ConfigRequest): Promise<LoadedConfig> {
  return { settings: NOTHING, origins: {}, diagnostics: [] };
}
