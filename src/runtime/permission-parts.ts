import { type AgentParts, OpenQuestions } from '../agent/index.ts';
import { type Diagnostic, nearest, UsageError } from '../base/index.ts';
import { configHome, type LoadedConfig, type Settings, stateHome, userHome } from '../config/index.ts';
import type { HostPorts } from '../host/index.ts';
import {
  childEnvironment,
  createMasker,
  createPermissions,
  isPermissionMode,
  maskPatterns,
  PERMISSION_MODES,
  ProtectedFiles,
  providerKeys,
} from '../permissions/index.ts';
import type { SessionLog } from '../session/index.ts';
import { createExecutors, DEFAULT_LIMITS } from '../tools/index.ts';
import type { Location } from './locate.ts';
import type { AgentOptions } from './options.ts';
import { ownSecrets } from './own-secrets.ts';
import { grantedRules, settingRules } from './permission-rules.ts';
import { trustPath } from './trust-store.ts';

/** Where nobody can be asked, nothing is changed unless it was allowed beforehand. */
export const DEFAULT_MODE = 'read-only';

type Given = { options: AgentOptions; host: HostPorts; config: LoadedConfig; location: Location; log: SessionLog };

type PermissionParts = Pick<
  AgentParts,
  | 'permissionMode'
  | 'executors'
  | 'limits'
  | 'childEnv'
  | 'spillDirectory'
  | 'judge'
  | 'mask'
  | 'protectedFiles'
  | 'questions'
>;

/** The mode of that name. Throws UsageError permission/unknown-mode. */
export function permissionMode(name: string): string {
  if (isPermissionMode(name)) return name;
  const near = nearest(name, PERMISSION_MODES);
  const hint = near === undefined ? `there are: ${PERMISSION_MODES.join(', ')}` : `did you mean "${near}"?`;
  throw new UsageError(
    'permission/unknown-mode',
    `unknown permission mode ${JSON.stringify(name.slice(0, 100))}; ${hint}`,
  );
}

/** Tools, what they may touch, and what is kept from them and from the log. */
export function permissionParts({ options, host, config, location, log }: Given): PermissionParts {
  const { settings } = config;
  const env = host.env.all();
  const { names: ownNames, values: ownValues } = ownSecrets(config, host.env);
  const keys = createMasker([...providerKeys(env), ...ownValues]);
  // Beside the log, which is private to the user too.
  const spillDirectory = log.path === null ? null : log.path.replace(/\.jsonl$/, '.files');
  const roots = { home: userHome(host.env), configHome: configHome(host.env), stateHome: stateHome(host.env) };
  const permissions = createPermissions({
    files: host.files,
    readRoots: spillDirectory === null ? [] : [spillDirectory],
    roots,
    rules: settingRules(config.rules),
  });
  const timeout = settings.shell.timeout_ms;
  return {
    permissionMode: permissionMode(settings.permission_mode ?? options.defaultPermissionMode ?? DEFAULT_MODE),
    executors: executorsOnce(settings, host.env),
    limits: timeout === null ? DEFAULT_LIMITS : withTimeout(timeout),
    childEnv: { ...childEnvironment(env, { names: ownNames, values: ownValues }), ...passed(host, settings) },
    spillDirectory,
    judge: ({ mode, effect, subjects, cwd }) =>
      permissions.judge({ mode, effect, subjects, cwd, grants: grantedRules(log) }),
    protectedFiles: watchedFiles(host, roots, location),
    questions: new OpenQuestions(options.answers === true),
    mask: { keys, output: (text) => maskPatterns(keys(text)) },
  };
}

/** What the user chose holds, also where it is longer than what a model may ask for otherwise. */
function withTimeout(timeoutMs: number): typeof DEFAULT_LIMITS {
  const longest = Math.max(DEFAULT_LIMITS.commandTimeoutMaxMs, timeoutMs);
  return { ...DEFAULT_LIMITS, commandTimeoutMs: timeoutMs, commandTimeoutMaxMs: longest };
}

/** Changes are remembered beyond this run: what a command put into the settings waits for a person. */
function watchedFiles(
  host: HostPorts,
  roots: ConstructorParameters<typeof ProtectedFiles>[0]['roots'],
  { cwd, projectRoot }: Location,
): AgentParts['protectedFiles'] {
  const directories = [...new Set([projectRoot ?? cwd, cwd])];
  const watched = new ProtectedFiles({ files: host.files, roots, directories });
  const trusted = trustPath(host);
  const keep = async (changes: readonly Diagnostic[]): Promise<void> => {
    if (changes.length === 0) return;
    await (await import('./trust.ts')).noteChanges(changes, host).catch(() => undefined);
    await watched.accept([trusted]);
  };
  const since = async (): Promise<readonly Diagnostic[]> => {
    const changes = await watched.since();
    // Between commands `rein trust` may have been called: that is told, and no reason to forget what it said.
    await keep(changes.filter(({ path }) => path !== trusted));
    return changes;
  };
  return {
    async watch() {
      const late = await since();
      const changedSince = await watched.watch();
      return async () => {
        const changes = await changedSince();
        await keep(changes);
        return [...late, ...changes];
      };
    },
    since,
    accept: (paths) => watched.accept(paths),
  };
}

/** Variables that the user wants commands to have although they look like secrets. */
function passed(host: HostPorts, settings: Settings): Record<string, string> {
  const pairs = settings.shell.env_pass.map((name) => [name, host.env.get(name)] as const);
  return Object.fromEntries(pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined));
}

function executorsOnce({ web }: Settings, env: HostPorts['env']): AgentParts['executors'] {
  let executors: ReturnType<typeof createExecutors> | undefined;
  return async () => {
    const { search_url: url, search_key_env: name } = web;
    const key = name === null ? null : (env.get(name) ?? null);
    executors ??= createExecutors({
      allowPrivateHosts: web.allow_private_hosts,
      ...(url === null ? {} : { search: { url, key } }),
    });
    return executors;
  };
}
