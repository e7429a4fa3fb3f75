import type { AgentParts } from '../agent/index.ts';
import { nearest, UsageError } from '../base/index.ts';
import type { Settings } from '../config/index.ts';
import type { HostPorts } from '../host/index.ts';
import {
  BUILT_MODES,
  childEnvironment,
  createMasker,
  createPermissions,
  isPermissionMode,
  maskPatterns,
  PERMISSION_MODES,
  providerKeys,
} from '../permissions/index.ts';
import type { SessionLog } from '../session/index.ts';
import { createExecutors, DEFAULT_LIMITS } from '../tools/index.ts';

/** Where nobody can be asked, nothing is changed unless it was allowed beforehand. */
export const DEFAULT_MODE = 'read-only';

type Given = { host: HostPorts; settings: Settings; log: SessionLog };

type PermissionParts = Pick<
  AgentParts,
  'permissionMode' | 'executors' | 'limits' | 'childEnv' | 'spillDirectory' | 'judge' | 'mask'
>;

/** The mode of that name. Throws UsageError permission/unknown-mode, permission/not-built. */
export function permissionMode(name: string): string {
  const built = BUILT_MODES.join(', ');
  if (!isPermissionMode(name)) {
    const near = nearest(name, PERMISSION_MODES);
    const hint = near === undefined ? `there are: ${built}` : `did you mean "${near}"?`;
    throw new UsageError(
      'permission/unknown-mode',
      `unknown permission mode ${JSON.stringify(name.slice(0, 100))}; ${hint}`,
    );
  }
  if (BUILT_MODES.includes(name)) return name;
  throw new UsageError(
    'permission/not-built',
    `permission mode "${name}" is not built in this version; there are: ${built}`,
  );
}

/** Tools, what they may touch, and what is kept from them and from the log. */
export function permissionParts({ host, settings, log }: Given): PermissionParts {
  const env = host.env.all();
  const ownNames = Object.values(settings.providers).flatMap(({ api_key_env: name, headers = {} }) => [
    ...(name === undefined ? [] : [name]),
    ...Object.values(headers).flatMap((value) => (typeof value === 'string' ? [] : [value.env])),
  ]);
  const ownValues = ownNames.flatMap((name) => host.env.get(name) ?? []);
  const keys = createMasker([...providerKeys(env), ...ownValues]);
  // Beside the log, which is private to the user too.
  const spillDirectory = log.path === null ? null : log.path.replace(/\.jsonl$/, '.files');
  const permissions = createPermissions({
    files: host.files,
    readRoots: spillDirectory === null ? [] : [spillDirectory],
  });
  const timeout = settings.shell.timeout_ms;
  return {
    permissionMode: permissionMode(settings.permission_mode ?? DEFAULT_MODE),
    executors: executorsOnce(),
    limits: timeout === null ? DEFAULT_LIMITS : withTimeout(timeout),
    childEnv: { ...childEnvironment(env, { names: ownNames, values: ownValues }), ...passed(host, settings) },
    spillDirectory,
    judge: ({ mode, effect, subjects, cwd }) => permissions.judge({ mode, effect, subjects, cwd }),
    mask: { keys, output: (text) => maskPatterns(keys(text)) },
  };
}

/** What the user chose holds, also where it is longer than what a model may ask for otherwise. */
function withTimeout(timeoutMs: number): typeof DEFAULT_LIMITS {
  const longest = Math.max(DEFAULT_LIMITS.commandTimeoutMaxMs, timeoutMs);
  return { ...DEFAULT_LIMITS, commandTimeoutMs: timeoutMs, commandTimeoutMaxMs: longest };
}

/** Variables that the user wants commands to have although they look like secrets. */
function passed(host: HostPorts, settings: Settings): Record<string, string> {
  const pairs = settings.shell.env_pass.map((name) => [name, host.env.get(name)] as const);
  return Object.fromEntries(pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined));
}

function executorsOnce(): AgentParts['executors'] {
  let executors: ReturnType<typeof createExecutors> | undefined;
  return async () => {
    executors ??= createExecutors();
    return executors;
  };
}
