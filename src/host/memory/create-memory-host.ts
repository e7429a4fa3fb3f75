import { sha256 } from '../../base/index.ts';
import { findSpans, type HostPorts, type RandomPort } from '../index.ts';
import { countCalls } from './count-calls.ts';
import { MemoryClock } from './memory-clock.ts';
import { type MemoryFaults, MemoryFiles } from './memory-files.ts';
import { type HttpScript, MemoryHttp } from './memory-http.ts';
import { MemoryProcess, type ProcessScript } from './memory-process.ts';
import { MEMORY_TEMPLATES } from './memory-templates.ts';
import type { MemoryTree } from './memory-tree.ts';

export type MemoryHostOptions = {
  files?: MemoryTree;
  /** Default: `/home/user/project`. Made where the tree has it not, and so is the home. */
  cwd?: string;
  /** Default: `/home/user`. */
  home?: string;
  env?: Readonly<Record<string, string>>;
  platform?: string;
  /** Owner of what the tree does not say otherwise. Default: 1000. */
  uid?: number;
  /** RFC 3339. Default: 2026-11-30T21:04:05+02:00. */
  now?: string;
  /** 'instant' (default): a sleep moves the clock and returns. 'manual': it waits for `clock.advance`. */
  sleep?: 'instant' | 'manual';
  seed?: string;
  processes?: ProcessScript;
  http?: HttpScript;
  /** What host names stand for; of one that is not here, and of an address, itself. */
  addresses?: Readonly<Record<string, readonly string[]>>;
};

export type MemoryHost = HostPorts & {
  readonly files: MemoryFiles;
  readonly process: MemoryProcess;
  readonly clock: MemoryClock;
  readonly http: MemoryHttp;
  /** Calls so far by `port.method`: `files.stat`. May be emptied by the test. */
  readonly calls: Record<string, number>;
  readonly faults: MemoryFaults;
};

/** A whole machine in memory, for tests: nothing of it outlives the object, two of them share nothing. */
export function createMemoryHost(options: MemoryHostOptions = {}): MemoryHost {
  const { cwd = '/home/user/project', home = '/home/user', uid = 1000, env = {}, platform = 'linux' } = options;
  const calls: Record<string, number> = {};
  const faults: MemoryFaults = { refuse: {}, freeBytes: null };
  const clock = new MemoryClock(options.now ?? '2026-11-30T21:04:05+02:00', options.sleep ?? 'instant');
  const tree = { [home]: { directory: true }, [cwd]: { directory: true }, ...options.files } as const;
  const files = new MemoryFiles({ tree, faults, uid, now: () => clock.now().epochMs });
  return {
    files: countCalls(files, 'files', calls),
    process: countCalls(new MemoryProcess(options.processes ?? (() => undefined)), 'process', calls),
    clock,
    env: {
      get: (name) => env[name],
      all: () => ({ ...env }),
      cwd: () => cwd,
      home: () => home,
      platform: () => platform,
      packageRoot: () => '/rein',
      machine: () => ({ node: '20.20.0', arch: 'x64', release: '6.1.0' }),
      uid: () => uid,
    },
    http: countCalls(new MemoryHttp(options.http, options.addresses ?? {}), 'http', calls),
    random: seededRandom(options.seed ?? 'seed'),
    regex: { find: async (search) => ({ spans: findSpans(search), complete: true }) },
    templates: MEMORY_TEMPLATES,
    calls,
    faults,
  };
}

/** The same seed and the same calls give the same bytes. */
function seededRandom(seed: string): RandomPort {
  let counter = 0;
  return {
    bytes(length) {
      const bytes = new Uint8Array(length);
      for (let done = 0; done < length; done += 32) {
        counter += 1;
        bytes.set(Buffer.from(sha256(`${seed}/${counter}`), 'hex').subarray(0, length - done), done);
      }
      return bytes;
    },
  };
}
