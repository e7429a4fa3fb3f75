import { join } from 'node:path';
import type { Diagnostic } from '../base/index.ts';
import type { EnvPort, FilePort } from '../host/index.ts';
import { environmentSettings, flagSettings, overrideSettings } from './given-settings.ts';
import { Layers, type Leaf } from './layers.ts';
import { readSettingsFile } from './read-settings-file.ts';
import { DEFAULTS } from './schema.ts';
import type { SettingOrigin, Settings } from './settings.ts';
import {
  type Confirmation,
  confirmed,
  NOTHING_CAREFUL,
  type SettingsTrust,
  type Unconfirmed,
} from './settings-trust.ts';

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
  /** What is trusted; `this-run`: all of it (`--trust`). Absent: nothing is. */
  trust?: SettingsTrust | 'this-run';
};

/** A permission rule as it was written. */
export type SettingRule = { list: 'allow' | 'ask' | 'deny'; text: string; origin: SettingOrigin };

export type LoadedConfig = {
  settings: Settings;
  /** Each value that is in force. */
  values: readonly Leaf[];
  /** The same by dotted key: where it comes from. */
  origins: Readonly<Record<string, SettingOrigin>>;
  /** The permission rules in force, each with where it stands. */
  rules: readonly SettingRule[];
  /** Settings that need a person's word, in force or not. */
  unconfirmed: readonly Unconfirmed[];
  /** What a person says yes to when they trust the project: the real path of its directory, and the hash of its settings. */
  project: { directory: string; sha256: string };
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
  const paths = settingsFiles(request);
  const user = await readSettingsFile(files, paths.user, 'user');
  const shared = await readSettingsFile(files, paths.project, 'project');
  const [own, theirs] = await confirmBoth(request, user.leaves, shared.leaves);
  const layers = new Layers();
  const lists = new RuleLists();
  for (const [path, value] of DEFAULTS) layers.set({ path, value, origin: { from: 'default' } });
  for (const leaf of [...own.leaves, ...theirs.leaves, ...given]) layers.set(lists.add(leaf));
  const diagnostics = [...user.diagnostics, ...shared.diagnostics, ...own.diagnostics, ...theirs.diagnostics];
  const values = layers.leaves();
  const origins = Object.fromEntries(values.map(({ path, origin }) => [path.join('.'), origin]));
  const unconfirmed = [own.unconfirmed, theirs.unconfirmed].filter((one) => one !== null);
  const directory = request.projectRoot ?? request.cwd;
  const project = { directory, sha256: theirs.unconfirmed?.sha256 ?? NOTHING_CAREFUL };
  return { settings: toSettings(layers), values, origins, rules: lists.rules, unconfirmed, project, diagnostics };
}

/** The user's own settings are doubted only where a command changed them; a project's until they are trusted. */
async function confirmBoth(
  request: ConfigRequest,
  own: readonly Leaf[],
  theirs: readonly Leaf[],
): Promise<[Confirmation, Confirmation]> {
  const { user, project } = settingsFiles(request);
  const { trust } = request;
  const directory = request.projectRoot ?? request.cwd;
  return [
    await confirmed({ leaves: own, path: user, directory: null, trust }),
    await confirmed({ leaves: theirs, path: project, directory, trust }),
  ];
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

const RULE_LISTS = ['deny', 'ask', 'allow'] as const;

/** Permission rules add up over all sources; every other list is replaced. */
class RuleLists {
  readonly rules: SettingRule[] = [];

  /** The leaf with what all sources so far have under its key. */
  add(leaf: Leaf): Leaf {
    const [group, name] = leaf.path;
    const list = group === 'permissions' ? RULE_LISTS.find((known) => known === name) : undefined;
    if (list === undefined || !Array.isArray(leaf.value)) return leaf;
    for (const text of leaf.value) this.rules.push({ list, text: String(text), origin: leaf.origin });
    return { ...leaf, value: this.rules.filter((rule) => rule.list === list).map((rule) => rule.text) };
  }
}

// Every leaf was checked against the schema, whose keys are those of Settings.
function toSettings(layers: Layers): Settings {
  return { harnesses: {}, providers: {}, ...(layers.values() as object) } as Settings;
}
