import type { Diagnostic } from '../base/index.ts';
import { configHome, dottedKey, type SettingSource, settingsFiles } from '../config/index.ts';
import type { HostPorts } from '../host/index.ts';
import { createMasker, maskPatterns, providerKeys } from '../permissions/index.ts';
import { locate } from './locate.ts';
import type { AgentOptions } from './options.ts';
import { readConfig } from './read-config.ts';
import { shownValue } from './shown-value.ts';

export type SettingsFile = { scope: 'user' | 'project'; path: string; exists: boolean };

/** `key`: as `-c` takes it; `from` and the rest: where the value comes from. */
export type ShownSetting = {
  key: string;
  value: unknown;
  from: SettingSource;
  path?: string;
  line?: number;
  variable?: string;
};

export type SettingsReport = {
  /** In force, as in a settings file. */
  settings: Readonly<Record<string, unknown>>;
  values: readonly ShownSetting[];
  files: readonly SettingsFile[];
  diagnostics: readonly Diagnostic[];
};

/**
 * The settings in force for these options, each with where it comes from; secrets hidden. Nothing is written. Throws
 * UsageError for a fault in the options or the environment.
 */
export async function reportSettings(options: AgentOptions, host: HostPorts): Promise<SettingsReport> {
  const location = await locate(host, options.cwd);
  const { settings, values, diagnostics } = await readConfig(options, host, location);
  const own = Object.values(settings.providers).flatMap(({ api_key_env: name }) => host.env.get(name ?? '') ?? []);
  const keys = createMasker([...providerKeys(host.env.all()), ...own]);
  const mask = (text: string): string => maskPatterns(keys(text));
  return {
    settings: shownValue([], settings, mask) as Record<string, unknown>,
    values: values.map(({ path, value, origin }) => ({
      key: dottedKey(path),
      value: shownValue(path, value, mask),
      ...origin,
    })),
    files: await findSettingsFiles(options, host),
    diagnostics,
  };
}

/** Where settings are looked for, the user's first. Throws UsageError cwd/unusable. */
export async function findSettingsFiles(options: AgentOptions, host: HostPorts): Promise<SettingsFile[]> {
  const paths = settingsFiles({ ...(await locate(host, options.cwd)), configHome: configHome(host.env) });
  const exists = async (path: string): Promise<boolean> => (await host.files.lstat(path).catch(() => null)) !== null;
  return [
    { scope: 'user', path: paths.user, exists: await exists(paths.user) },
    { scope: 'project', path: paths.project, exists: await exists(paths.project) },
  ];
}
