import { isAbsolute, join, resolve } from 'node:path';
import type { EnvPort } from '../host/index.ts';

/** The user's home for discovery and the XDG defaults: `REIN_HOME` where it is set, else the system's. */
export function userHome(env: EnvPort): string {
  const told = env.get('REIN_HOME');
  return told === undefined || told === '' ? env.home() : resolve(env.cwd(), told);
}

/** `$XDG_CONFIG_HOME`, default `~/.config`. Ours is `rein/` inside; another harness's its own name. */
export function configHome(env: EnvPort): string {
  return xdg(env, 'XDG_CONFIG_HOME', '.config');
}

/** `$XDG_STATE_HOME`, default `~/.local/state`. */
export function stateHome(env: EnvPort): string {
  return xdg(env, 'XDG_STATE_HOME', '.local/state');
}

// The XDG specification: a relative path in one of these variables is invalid and to be ignored.
function xdg(env: EnvPort, name: string, fallback: string): string {
  const told = env.get(name);
  return told !== undefined && isAbsolute(told) ? resolve(told) : join(userHome(env), fallback);
}
