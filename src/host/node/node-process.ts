import type { ProcessIdentity, ProcessPort } from '../index.ts';
import { systemCode } from './file-facts.ts';
import { isZombie, readBootId, readProcEntry } from './proc-table.ts';

export function createNodeProcess(): ProcessPort {
  return {
    async spawn(spec) {
      const { spawnChild } = await import('./spawn-child.ts');
      return spawnChild(spec);
    },
    async packaged(program) {
      const { packagedProgram } = await import('./packaged-program.ts');
      return packagedProgram(program);
    },
    async adopt(spec) {
      const { ProcessFamily } = await import('./process-family.ts');
      const family = ProcessFamily.adopted(spec);
      return {
        killGroup: (signal) => family.kill(signal),
        groupAlive: () => family.isAlive(),
        living: () => family.living().map(({ pid, name }) => ({ pid, name })),
      };
    },
    async self() {
      return {
        pid: process.pid,
        bootId: readBootId(),
        startTime: readProcEntry(process.pid)?.startTime ?? null,
      };
    },
    isAlive: async (identity) => isAlive(identity),
  };
}

function isAlive(identity: ProcessIdentity): boolean {
  const bootId = readBootId();
  if (bootId !== null && identity.bootId !== null && bootId !== identity.bootId) return false;
  // Zero and negative numbers mean whole groups to the system.
  if (!Number.isSafeInteger(identity.pid) || identity.pid <= 0) return false;
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return false;
  }
  const entry = readProcEntry(identity.pid);
  if (entry === null) return true;
  return !isZombie(entry) && (identity.startTime === null || identity.startTime === entry.startTime);
}
