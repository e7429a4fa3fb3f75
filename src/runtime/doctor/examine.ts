import { type Diagnostic, formatDiagnostic, UsageError } from '../../base/index.ts';
import type { LoadedConfig } from '../../config/index.ts';
import type { HostPorts } from '../../host/index.ts';
import { locate } from '../locate.ts';
import type { AgentOptions } from '../options.ts';
import { DEFAULT_MODE, permissionMode } from '../permission-parts.ts';
import { readConfig } from '../read-config.ts';
import { findSettingsFiles } from '../settings-report.ts';
import { examineDirectory, examineMachine, examineProgram } from './examine-machine.ts';
import { examineModel } from './examine-model.ts';
import type { Finding } from './finding.ts';
import { originWords } from './origin-words.ts';

/** `online`: the model server is asked too. */
export type DoctorOptions = AgentOptions & { online?: boolean };

/** `ok`: nothing was found that keeps a run from working. */
export type DoctorReport = { ok: boolean; findings: readonly Finding[] };

/**
 * Looks at everything a run would need, and goes on after what is broken. Nothing stays written and, unless `online`,
 * nothing is sent. Throws UsageError for a fault in the options.
 */
export async function examine(options: DoctorOptions, host: HostPorts): Promise<DoctorReport> {
  const location = await locate(host, options.cwd);
  const config = await readConfig(options, host, location);
  const findings = [
    examineProgram(host),
    examineDirectory(location),
    ...(await examineSettings(options, host, config)),
    ...(await examineModel({ host, config, cwd: location.cwd, online: options.online ?? false })),
    examinePermissions(config),
    examineTrust(config),
    examineSandbox(),
    ...(await examineMachine(host, location)),
    ...examineWebSearch(config, host),
  ];
  return { ok: findings.every(({ status }) => status !== 'problem'), findings };
}

async function examineSettings(options: AgentOptions, host: HostPorts, config: LoadedConfig): Promise<Finding[]> {
  const files = await findSettingsFiles(options, host);
  const found = files.map(({ scope, path, exists }): Finding => {
    const message = exists ? `${scope} settings ${path}` : `no ${scope} settings (${path})`;
    return { check: 'settings', status: 'ok', message, data: { scope, path, exists } };
  });
  return [...found, ...config.diagnostics.filter(({ code }) => !OF_TRUST.includes(code)).map(settingsFault)];
}

/** Told by `examineTrust`. */
const OF_TRUST = ['config/untrusted', 'config/changed-by-command', 'config/trusted'];

function settingsFault(diagnostic: Diagnostic): Finding {
  const { severity, data = {}, ...rest } = diagnostic;
  const message = formatDiagnostic(diagnostic).replace(` ${severity}: `, ' ');
  return { check: 'settings', status: severity === 'info' ? 'note' : 'warning', message, data: { ...rest, ...data } };
}

/** Harnesses with a tool that searches the web by a service of the user's. */
const SEARCH_THE_WEB = ['kimi-cli'];

function examineWebSearch({ settings }: LoadedConfig, { env }: HostPorts): Finding[] {
  if (!SEARCH_THE_WEB.includes(settings.harness)) return [];
  const { search_url: url, search_key_env: name } = settings.web;
  if (url === null) {
    const message = 'no service is configured: SearchWeb is not offered to the model';
    return [{ check: 'web-search', status: 'note', message, advice: 'set web.search_url', data: { url: null } }];
  }
  const isMissing = name !== null && (env.get(name) ?? '') === '';
  const key = name === null ? 'without a key' : `with the key in ${name}`;
  const message = isMissing ? `${url} is asked, and ${name} is not set` : `${url} is asked, ${key}`;
  return [{ check: 'web-search', status: isMissing ? 'warning' : 'ok', message, data: { url, key: name } }];
}

function examinePermissions({ settings, origins }: LoadedConfig): Finding {
  const mode = settings.permission_mode ?? DEFAULT_MODE;
  const origin = settings.permission_mode === null ? undefined : origins.permission_mode;
  const data = { mode, origin: origin ?? null };
  const where = origin === undefined ? 'the default of print mode' : originWords(origin);
  try {
    return { check: 'permissions', status: 'ok', message: `mode ${permissionMode(mode)} (${where})`, data };
  } catch (error) {
    if (!UsageError.isInstance(error)) throw error;
    return { check: 'permissions', status: 'problem', message: error.message, data };
  }
}

/** Of settings that run or widen something: whether a person said yes to them. */
function examineTrust({ unconfirmed, diagnostics }: LoadedConfig): Finding {
  const data = { settings: unconfirmed.map(({ path, keys, inForce }) => ({ path, keys, inForce })) };
  if (unconfirmed.length === 0) {
    return { check: 'trust', status: 'ok', message: 'no setting here waits for your trust', data };
  }
  const ignored = diagnostics.filter(({ code }) => OF_TRUST.includes(code) && code !== 'config/trusted');
  if (ignored.length === 0) {
    return {
      check: 'trust',
      status: 'ok',
      message: `trusted: ${unconfirmed.map(({ path }) => path).join(', ')}`,
      data,
    };
  }
  const message = ignored.map(({ path, message: why }) => `${path ?? ''}: ${why}`).join('; ');
  return { check: 'trust', status: 'warning', message, data };
}

function examineSandbox(): Finding {
  const message = 'this version has none: what a command may do, it does with your rights';
  return { check: 'sandbox', status: 'note', message, data: { available: false } };
}
