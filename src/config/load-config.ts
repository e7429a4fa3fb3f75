import { join } from 'node:path';
import type { Diagnostic } from '../base/index.ts';
import type { EnvPort, FilePort } from '../host/index.ts';
import { environmentSettings, flagSettings, overrideSettings } from './given-settings.ts';
import { Layers, type Leaf } from './layers.ts';
import { readSettingsFile } from './read-settings-file.ts';
import { DEFAULTS, lookUp } from './schema.ts';
import type { SettingOrigin, Settings } from './settings.ts';
import { shownKey } from './shown-key.ts';

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
  /** Values of flags by the dotted key they set: `{ model: 'openai/gpt-5', max_turns: 3 }`; undefined is not given. */
  flags: Readonly<Record<string, unknown>>;
};

export type LoadedConfig = {
  settings: Settings;
  /** Each value that is in force. */
  values: readonly Leaf[];
  /** The same by dotted key: where it comes from. */
  origins: Readonly<Record<string, SettingOrigin>>;
  diagnostics: readonly Diagnostic[];
};

/**
 * The settings in force: flag, `-c`, environment, project, user, default, in this order of precedence. Faults in files
 * are diagnostics; a fault in what was given for this run throws UsageError (`config/…`).
 */
export async function loadConfig(request: ConfigRequest): Promise<LoadedConfig> {
  const { files, env } = request;
  // What was given by hand is checked first: nothing is read for a call that cannot run.
  const given = [...environmentSettings(env), ...overrideSettings(request.overrides), ...flagSettings(request.flags)];
  const { user: userPath, project: projectPath } = settingsFiles(request);
  const user = await readSettingsFile(files, userPath, 'user');
  const project = await readSettingsFile(files, projectPath, 'project');
  const [allowed, ignored] = partition(project.leaves);
  const layers = new Layers();
  for (const [path, value] of DEFAULTS) layers.set({ path, value, origin: { from: 'default' } });
  for (const leaf of [...user.leaves, ...allowed, ...given]) layers.set(leaf);
  const diagnostics = [...user.diagnostics, ...project.diagnostics];
  if (ignored.length > 0) diagnostics.push(untrusted(projectPath, ignored));
  const values = layers.leaves();
  const origins = Object.fromEntries(values.map(({ path, origin }) => [path.join('.'), origin]));
  return { settings: toSettings(layers), values, origins, diagnostics };
}

/** Where settings are looked for. */
export function settingsFiles({
  configHome,
  projectRoot,
  cwd,
}: Pick<ConfigRequest, 'configHome' | 'projectRoot' | 'cwd'>): { user: string; project: string } {
  return {
    user: join(configHome, 'rein', 'settings.json'),
    project: join(projectRoot ?? cwd, '.rein', 'settings.json'),
  };
}

function partition(leaves: readonly Leaf[]): [allowed: Leaf[], ignored: Leaf[]] {
  const isAllowed = ({ path }: Leaf): boolean => {
    const known = lookUp(path);
    return known !== null && 'rule' in known && known.rule.project === 'allowed';
  };
  return [leaves.filter(isAllowed), leaves.filter((leaf) => !isAllowed(leaf))];
}

const MAX_NAMED = 12;
const MAX_LISTED = 100;

function untrusted(path: string, leaves: readonly Leaf[]): Diagnostic {
  const keys = [...new Set(leaves.map((leaf) => shownKey(leaf.path)))];
  const rest = keys.length > MAX_NAMED ? ` and ${keys.length - MAX_NAMED} more` : '';
  return {
    severity: 'warning',
    code: 'config/untrusted',
    message: `ignored, since a project may not set them for you: ${keys.slice(0, MAX_NAMED).join(', ')}${rest}; set them in your own settings or for this run`,
    path,
    data: { keys: keys.slice(0, MAX_LISTED) },
  };
}

// Every leaf was checked against the schema, whose keys are those of Settings.
function toSettings(layers: Layers): Settings {
  return { harnesses: {}, providers: {}, ...(layers.values() as object) } as Settings;
}
