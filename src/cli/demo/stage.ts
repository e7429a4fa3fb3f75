import { dirname, join } from 'node:path';
import { makeEventId, ReinError } from '../../base/index.ts';
import type { HostPorts } from '../../sdk/index.ts';
import { copyTree, removeTree } from './file-tree.ts';

const SAMPLE = 'failing-test';
/** Kept from the user's environment: what programs need to be found and to print. */
const KEPT = ['PATH', 'LANG', 'LC_ALL', 'TERM', 'TMPDIR'];

/** A copy of the sample repository in a directory of its own, and a machine whose home lies there too. */
export type Stage = {
  /** All of it; removed by `strike`. */
  directory: string;
  repository: string;
  /** The script of the model, read-only, in the package. */
  script: string;
  host: HostPorts;
};

/** Sets the sample up. `program`: the path of the Node that runs this. Throws ReinError. */
export async function setStage(machine: HostPorts, program: string): Promise<Stage> {
  const samples = await findSamples(machine);
  const directory = join(machine.env.get('TMPDIR') ?? '/tmp', `rein-demo-${makeEventId(machine.random.bytes(10))}`);
  const home = join(directory, 'home');
  const repository = join(directory, SAMPLE);
  const host = { ...machine, env: stageEnv(machine, { home, repository, program }) };
  const stage = { directory, repository, script: join(samples, `${SAMPLE}.rehearsal.yaml`), host };
  await machine.files.makeDirectory(directory, { mode: 0o700 });
  try {
    await machine.files.makeDirectory(home);
    await copyTree(join(samples, SAMPLE), repository, machine.files);
    await initRepository(repository, host);
  } catch (error) {
    await strike(stage);
    throw error;
  }
  return stage;
}

export async function strike({ directory, host }: Stage): Promise<void> {
  await removeTree(directory, host.files);
}

/** Beside this module's folder or one above it: the same in the package, where chunks are one level down. */
async function findSamples({ files }: HostPorts): Promise<string> {
  let folder = import.meta.dirname;
  for (let level = 0; level < 5; level += 1) {
    const candidate = join(folder, 'samples');
    if ((await files.stat(join(candidate, SAMPLE)))?.kind === 'directory') return candidate;
    folder = dirname(folder);
  }
  throw new ReinError('demo/no-sample', `the sample repository samples/${SAMPLE} is missing from this installation`);
}

type Places = { home: string; repository: string; program: string };

/** Nothing of the user's: an own home, no XDG directories, no keys, no settings. */
function stageEnv({ env }: HostPorts, { home, repository, program }: Places): HostPorts['env'] {
  const kept = KEPT.flatMap((name) => {
    const value = env.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const all: Record<string, string> = { ...Object.fromEntries(kept), HOME: home };
  all.PATH = [dirname(program), all.PATH ?? '/usr/local/bin:/usr/bin:/bin'].join(':');
  return {
    get: (name) => all[name],
    all: () => all,
    cwd: () => repository,
    home: () => home,
    platform: () => env.platform(),
    machine: () => env.machine(),
    uid: () => env.uid(),
    packageRoot: () => env.packageRoot(),
  };
}

/** With git where there is one; else as much of `.git` as marks a repository. */
async function initRepository(repository: string, host: HostPorts): Promise<void> {
  try {
    const git = await host.process.spawn({
      file: 'git',
      args: ['init', '--quiet'],
      cwd: repository,
      env: host.env.all(),
    });
    if ((await git.exited).code === 0) return;
  } catch {
    // No git on this machine.
  }
  await host.files.makeDirectory(join(repository, '.git', 'objects'));
  await host.files.makeDirectory(join(repository, '.git', 'refs'));
  await host.files.writeWhole(join(repository, '.git', 'HEAD'), 'ref: refs/heads/main\n');
}
