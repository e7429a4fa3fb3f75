import { delimiter, isAbsolute, join, parse } from 'node:path';
import { screenLine } from '../../base/index.ts';
import type { ChildProcess, HostPorts } from '../../host/index.ts';
import { childEnvironment } from '../../permissions/index.ts';

const LIMIT_MS = 3000;
const OUTPUT_BYTES = 4096;

/** `version`: the first line of what `--version` prints; null: it did not print one in time. */
export type Program = { path: string; version: string | null };

/**
 * The program of that name on the PATH, asked for its version; null: there is none. What lies below one of the
 * directories in `except` is passed over: a repository may bring programs of its own, and none of those is run.
 */
export async function probeProgram(name: string, host: HostPorts, except: readonly string[]): Promise<Program | null> {
  for (const directory of (host.env.get('PATH') ?? '').split(delimiter)) {
    if (!isAbsolute(directory)) continue;
    const path = await host.files.realPath(join(directory, name)).catch(() => null);
    if (path === null || except.some((root) => path.startsWith(`${root}/`))) continue;
    const facts = await host.files.stat(path).catch(() => null);
    if (facts?.kind !== 'file' || (facts.mode & 0o111) === 0) continue;
    return askProgram(join(directory, name), host);
  }
  return null;
}

/** The program at this path, asked for its version. */
export async function askProgram(path: string, host: HostPorts): Promise<Program> {
  return { path, version: await versionOf(path, host).catch(() => null) };
}

async function versionOf(file: string, host: HostPorts): Promise<string | null> {
  const env = childEnvironment(host.env.all());
  const child = await host.process.spawn({ file, args: ['--version'], cwd: parse(file).root, env });
  const done = new AbortController();
  const over = host.clock.sleep(LIMIT_MS, done.signal).then(() => {
    if (!done.signal.aborted) child.killGroup('SIGKILL');
    child.detachOutput();
    return null;
  });
  try {
    return await Promise.race([firstLine(child), over]);
  } finally {
    done.abort();
  }
}

async function firstLine(child: ChildProcess): Promise<string | null> {
  let text = '';
  for await (const { stream, bytes } of child.output) {
    if (stream === 'stdout') text += new TextDecoder().decode(bytes);
    if (text.includes('\n') || text.length > OUTPUT_BYTES) break;
  }
  child.detachOutput();
  const line = screenLine(text.split('\n')[0] ?? '', 100);
  return line === '' ? null : line;
}
