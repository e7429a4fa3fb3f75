import { join } from 'node:path';
import { type Diagnostic, UsageError } from '../base/index.ts';
import { configHome, type Unconfirmed } from '../config/index.ts';
import type { HostPorts } from '../host/index.ts';
import { locate } from './locate.ts';
import type { AgentOptions } from './options.ts';
import { readConfig } from './read-config.ts';
import { isTrusted, trustPath, trustStore } from './trust-store.ts';

/**
 * Notes what a command changed: the user's settings are doubted until a person says yes, and where the list of trusted
 * directories itself changed nothing of it is believed any more, nor what it said of the settings.
 */
export async function noteChanges(changes: readonly Diagnostic[], host: HostPorts): Promise<void> {
  const settings = join(configHome(host.env), 'rein', 'settings.json');
  const paths = changes.map(({ path }) => path);
  const store = trustStore(host);
  const isTrust = paths.includes(trustPath(host));
  if (isTrust) await store.distrustAll();
  // The doubts stood in that file too, and may be gone with it.
  if (isTrust || paths.includes(settings)) await store.doubt(settings);
}

/**
 * Trusts a project with its settings as they are now, and the user's own after a command changed them. Answers with what
 * was trusted: the project always, also where its settings run and widen nothing. Throws UsageError for the options,
 * TrustError where it cannot be kept.
 */
export async function trustDirectory(options: AgentOptions, host: HostPorts): Promise<readonly Unconfirmed[]> {
  const location = await locate(host, options.cwd);
  const config = await readConfig(options, host, location);
  const broken = config.diagnostics.find(({ severity }) => severity === 'error');
  if (broken !== undefined) {
    throw new UsageError('trust/broken-settings', `${broken.path ?? 'the settings'}: ${broken.message}; mend it first`);
  }
  const store = trustStore(host);
  const own = config.unconfirmed.filter(({ directory }) => directory === null);
  for (const { path } of own) await store.confirm(path);
  const { directory, sha256 } = config.project;
  const inForce = await isTrusted(options, host, config);
  await store.trust(directory, sha256);
  const settings = config.unconfirmed.filter((one) => one.directory !== null);
  const bare = { path: directory, directory, sha256, keys: [], inForce };
  return [...own, ...(settings.length === 0 ? [bare] : settings)];
}
