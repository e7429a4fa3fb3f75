import { dirname, join } from 'node:path';
import { type Instant, ReinError, toRfc3339, UsageError } from '../../base/index.ts';
import { stateHome, toldClock } from '../../config/index.ts';
import type { HostPorts } from '../../host/index.ts';
import { commandShell } from '../../tools/index.ts';
import type { Location } from '../locate.ts';
import { PROGRAM } from '../version.ts';
import type { Finding } from './finding.ts';
import { askProgram, type Program, probeProgram } from './probe-program.ts';

/** As in package.json, held by a test. */
export const OLDEST_NODE = '20.19.0';

const PROXY_VARIABLES = ['https_proxy', 'http_proxy', 'all_proxy', 'no_proxy'];

/** What has nothing to do with models: the program, the places it writes to, the programs it starts. */
export async function examineMachine(host: HostPorts, location: Location): Promise<Finding[]> {
  const own = [location.cwd, ...(location.projectRoot === null ? [] : [location.projectRoot])];
  return [
    await examineSessions(host),
    ...(await examineClock(host)),
    await examineShell(host),
    await examineGit(host, own),
    await examineSearch(host, own),
    examineProxies(host),
  ];
}

export function examineProgram({ env }: HostPorts): Finding {
  const { node, arch, release } = env.machine();
  const platform = env.platform();
  const version = PROGRAM.replace('/', ' ');
  const data = { version: PROGRAM.split('/')[1], node, platform, arch, release };
  const message = `${version} on Node.js ${node}, ${platform} ${arch} (${release})`;
  if (node.localeCompare(OLDEST_NODE, 'en', { numeric: true }) >= 0) {
    return { check: 'program', status: 'ok', message, data };
  }
  const advice = `install Node.js ${OLDEST_NODE} or later`;
  return { check: 'program', status: 'problem', message: `${message}: too old`, advice, data };
}

export function examineDirectory({ cwd, projectRoot }: Location): Finding {
  const message = projectRoot === null ? `${cwd}, in no repository` : `${cwd}, in the repository ${projectRoot}`;
  return { check: 'directory', status: 'ok', message, data: { cwd, projectRoot } };
}

/** Whether a session can be kept: tried with a file that is removed at once, in the nearest directory there is. */
async function examineSessions(host: HostPorts): Promise<Finding> {
  const directory = join(stateHome(host.env), 'rein', 'sessions');
  const data = { directory };
  const hindrance = await hindranceTo(directory, host);
  if (hindrance === null) return { check: 'sessions', status: 'ok', message: `${directory} can be written`, data };
  return {
    check: 'sessions',
    status: 'problem',
    message: `no session can be kept in ${directory}: ${hindrance}`,
    advice: 'make it writable, set XDG_STATE_HOME, or run with --no-session',
    data,
  };
}

async function hindranceTo(directory: string, { files, random }: HostPorts): Promise<string | null> {
  let there = directory;
  let probe = '';
  try {
    let facts = await files.stat(there);
    for (; facts === null && dirname(there) !== there; facts = await files.stat(there)) there = dirname(there);
    if (facts?.kind !== 'directory') return `${there} is not a directory`;
    probe = join(there, `.rein-doctor-${Buffer.from(random.bytes(8)).toString('hex')}`);
    await files.createExclusive(probe, '', { mode: 0o600 });
    await files.remove(probe);
    return null;
  } catch (error) {
    if (!ReinError.isInstance(error)) throw error;
    return probe === '' ? error.message : error.message.replace(probe, `a file in ${there}`);
  }
}

async function examineClock(host: HostPorts): Promise<Finding[]> {
  const value = host.env.get('REIN_NOW');
  if (value === undefined || value === '') return [];
  try {
    const now: Instant = await toldClock(host.clock, host.env, host.files).now();
    const message = `REIN_NOW sets the time that the model is told: ${toRfc3339(now, 0)}`;
    return [{ check: 'clock', status: 'note', message, data: { told: toRfc3339(now, 6) } }];
  } catch (error) {
    if (!UsageError.isInstance(error)) throw error;
    return [{ check: 'clock', status: 'problem', message: error.message, data: {} }];
  }
}

async function examineShell({ files }: HostPorts): Promise<Finding> {
  const path = await commandShell(files);
  const data = { path };
  if ((await files.stat(path))?.kind === 'file') {
    return { check: 'shell', status: 'ok', message: `${path} runs the commands`, data };
  }
  return { check: 'shell', status: 'warning', message: `there is no ${path}: no command can be run`, data };
}

async function examineGit(host: HostPorts, except: readonly string[]): Promise<Finding> {
  const git = await probeProgram('git', host, except);
  if (git !== null) return program('git', git);
  const message = 'git is not on the PATH: repositories are recognised, but the model cannot use it';
  return { check: 'git', status: 'note', message, data: { path: null } };
}

async function examineSearch(host: HostPorts, except: readonly string[]): Promise<Finding> {
  const packaged = await host.process.packaged('rg');
  const ripgrep = packaged === null ? await probeProgram('rg', host, except) : await askProgram(packaged, host);
  if (ripgrep !== null) return program('search', ripgrep);
  const message = 'ripgrep (rg) is neither packaged nor on the PATH: searching is slower without it';
  return { check: 'search', status: 'note', message, data: { path: null } };
}

function program(check: 'git' | 'search', { path, version }: Program): Finding {
  if (version !== null) return { check, status: 'ok', message: `${version} (${path})`, data: { path, version } };
  return { check, status: 'warning', message: `${path} does not answer to --version`, data: { path, version } };
}

/** Names and, without credentials, values. */
function examineProxies({ env }: HostPorts): Finding {
  const set = PROXY_VARIABLES.flatMap((lower) =>
    [lower, lower.toUpperCase()].flatMap((name) => {
      const value = env.get(name);
      return value === undefined || value === '' ? [] : [[name, shownProxy(value)] as const];
    }),
  );
  if (set.length === 0) return { check: 'proxy', status: 'ok', message: 'no proxy is set', data: { variables: {} } };
  const message = set.map(([name, value]) => `${name}=${value}`).join(', ');
  return { check: 'proxy', status: 'note', message, data: { variables: Object.fromEntries(set) } };
}

function shownProxy(value: string): string {
  return value.replace(/^([a-z0-9+.-]{1,20}:\/\/)?.*@/is, '$1[masked]@');
}
