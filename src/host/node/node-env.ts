import { homedir } from 'node:os';
import type { EnvPort } from '../index.ts';

export function createNodeEnv(): EnvPort {
  return {
    get: (name) => process.env[name],
    all: () => ({ ...process.env }) as Record<string, string>,
    cwd: () => process.cwd(),
    home: () => homedir(),
    platform: () => process.platform,
    uid: () => process.getuid?.() ?? null,
  };
}
