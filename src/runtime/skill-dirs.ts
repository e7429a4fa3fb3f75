import { join, resolve } from 'node:path';
import { userHome } from '../config/index.ts';
import type { HostPorts } from '../host/index.ts';
import type { HarnessSettings } from '../model/index.ts';

/** `KIMI_CLI_SOURCE_DIR`: a checkout of the original, whose skills are then built in. */
export function skillDirs(
  extra: readonly string[],
  cwd: string,
  env: HostPorts['env'],
): NonNullable<HarnessSettings['skillDirs']> {
  const home = userHome(env);
  const source = env.get('KIMI_CLI_SOURCE_DIR') ?? '';
  return {
    extra: extra.map((path) => (path.startsWith('~/') ? join(home, path.slice(2)) : resolve(cwd, path))),
    original: source === '' ? null : join(resolve(cwd, source), 'src/kimi_cli/skills'),
    shipped: join(env.packageRoot(), 'resources/skills'),
  };
}
