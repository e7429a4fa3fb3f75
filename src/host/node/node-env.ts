import { homedir, release } from 'node:os';
import type { EnvPort } from '../index.ts';

export function createNodeEnv(): EnvPort {
  return {
    get: (name) => process.env[name],
    all: () => ({ ...process.env }) as Record<string, string>,
    cwd: () => process.cwd(),
    home: () => homedir(),
    platform: () => process.platform,
    machine: () => ({ node: process.versions.node, arch: process.arch, release: release() }),
    uid: () => process.getuid?.() ?? null,
  };
}
