import { printable } from '../../base/index.ts';
import type { GitSnapshot } from '../../harness/contract/index.ts';
import { type HostPorts, ProcessError } from '../../host/index.ts';

/** For one call of git. */
const TIME_MS = 5000;
const MAX_BYTES = 256 * 1024;
const MOST_DIRTY = 20;
const MOST_COMMITS = 3;
const LINE = 200;

/** Hosts whose addresses say something to others and nothing of a private network. */
const KNOWN_HOSTS = ['github.com', 'gitlab.com', 'bitbucket.org', 'gitee.com', 'codeberg.org', 'sourcehut.org'];

type Scope = {
  host: Pick<HostPorts, 'process' | 'clock'>;
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** A person trusts the project: comparing its files runs the filters that its settings name. */
  trusted: boolean;
};

/** Reads only: nothing that a repository's settings name is run, no lock is taken, nobody is asked for a password. */
const SAFE = [
  '--no-optional-locks',
  ...['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'log.showSignature=false'],
];

/** What Git says of the directory; null outside of a repository, or where there is no git. */
export async function gitSnapshot(scope: Scope): Promise<GitSnapshot | null> {
  const inside = await git(['rev-parse', '--is-inside-work-tree'], scope);
  if (inside?.trim() !== 'true') return null;
  const [remote, branch, dirty, commits] = await Promise.all([
    git(['config', '--get', 'remote.origin.url'], scope),
    git(['rev-parse', '--abbrev-ref', 'HEAD'], scope),
    scope.trusted ? git(['status', '--porcelain', '--ignore-submodules=all'], scope) : null,
    git(['log', '-n', String(MOST_COMMITS), '--format=%h %s'], scope),
  ]);
  const changed = linesOf(dirty);
  return {
    directory: printable(scope.cwd, LINE * 4),
    remote: remote === null ? null : knownRemote(remote.trim()),
    branch: branch === null ? null : (linesOf(branch)[0] ?? null),
    dirty: changed.slice(0, MOST_DIRTY),
    dirtyCount: changed.length,
    commits: linesOf(commits).slice(0, MOST_COMMITS),
  };
}

function linesOf(text: string | null): string[] {
  return (text ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => printable(line, LINE));
}

/** `https://HOST/PATH` without user and password, of a host that anybody knows. A name that only looks like one is none. */
function knownRemote(address: string): string | null {
  const short = /^(?:[^@/\s]+@)?([A-Za-z0-9.-]+):(?!\/\/)([^\s]+)$/.exec(address);
  const whole = short === null ? address : `ssh://${short[1]}/${short[2]}`;
  if (!URL.canParse(whole)) return null;
  const { hostname, pathname } = new URL(whole);
  const path = pathname.replace(/\.git$/, '');
  if (!KNOWN_HOSTS.includes(hostname.toLowerCase()) || path.length > LINE) return null;
  return `https://${hostname.toLowerCase()}${printable(path, LINE)}`;
}

/** Its output; null: it failed, was not there, or took too long. */
async function git(args: readonly string[], { host, cwd, env }: Scope): Promise<string | null> {
  try {
    const quiet = { ...env, GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0' };
    const child = await host.process.spawn({ file: 'git', args: [...SAFE, ...args], cwd, env: quiet });
    const over = new AbortController();
    void host.clock.sleep(TIME_MS, over.signal).then(() => {
      if (over.signal.aborted) return;
      child.killGroup('SIGKILL');
      child.detachOutput();
    });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const { stream, bytes } of child.output) {
      if (stream !== 'stdout' || size > MAX_BYTES) continue;
      chunks.push(bytes);
      size += bytes.length;
    }
    const { code } = await child.exited;
    over.abort();
    return code === 0 ? Buffer.concat(chunks).toString('utf8') : null;
  } catch (error) {
    if (error instanceof ProcessError) return null;
    throw error;
  }
}
