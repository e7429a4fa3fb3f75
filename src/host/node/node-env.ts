import { homedir, release } from 'node:os';
import { sep } from 'node:path';
import { UsageError } from '../../base/index.ts';
import type { EnvPort } from '../index.ts';

export function createNodeEnv(): EnvPort {
  return {
    get: (name) => process.env[name],
    all: () => ({ ...process.env }) as Record<string, string>,
    cwd: workingDirectory,
    home: () => homedir(),
    platform: () => process.platform,
    packageRoot: () => packageRoot(import.meta.dirname),
    machine: () => ({ node: process.versions.node, arch: process.arch, release: release() }),
    uid: () => process.getuid?.() ?? null,
  };
}

/** Of a bundle in `dist`, or of the sources. */
function packageRoot(directory: string): string {
  const parts = directory.split(sep);
  const at = Math.max(parts.lastIndexOf('dist'), parts.lastIndexOf('src'));
  return parts.slice(0, at).join(sep);
}

/** Throws UsageError cwd/unusable where the directory was removed, or may not be looked at. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch (cause) {
    const message = 'the directory you are in is gone or closed to you: go to another one, or name one with --cwd DIR';
    throw new UsageError('cwd/unusable', message, { cause });
  }
}
