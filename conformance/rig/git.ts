import { execFileSync } from 'node:child_process';
import type { Workspace } from '../rig.ts';

/** Git in a directory of the project, with nothing of the machine's user. */
export function git(w: Workspace, directory: string, ...args: readonly string[]): void {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.test', '-c', 'init.defaultBranch=main'];
  execFileSync('git', [...identity, ...args], {
    cwd: w.path(directory),
    env: { PATH: process.env.PATH, HOME: w.home, GIT_CONFIG_NOSYSTEM: '1' },
    stdio: 'pipe',
  });
}
