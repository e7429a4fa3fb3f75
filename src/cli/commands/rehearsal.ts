import { resolve } from 'node:path';
import { screenText, UsageError } from '../../base/index.ts';
import type { Stdio } from '../../print/index.ts';
import { createNodeHost, type HostPorts } from '../../sdk/index.ts';
import { lastValue, wholeNumber } from '../given-options.ts';
import type { CommandCall } from '../run-command-line.ts';

/** Larger than any script a person writes. Bytes. */
const SCRIPT_LIMIT = 16 * 1024 * 1024;
const USAGE = 'rein rehearsal serve FILE [--wire chat] [--port N]';

/** `rein rehearsal serve FILE`: plays the script until a signal; 1 when a request did not meet what it expects. */
export async function runRehearsalCommand({ options, arguments: words, stdio }: CommandCall): Promise<number> {
  const [verb, file] = words;
  if (verb !== 'serve' || file === undefined) throw new UsageError('usage/incomplete', `usage: ${USAGE}`);
  const wire = lastValue(options, 'wire') ?? 'chat';
  if (wire !== 'chat') {
    throw new UsageError(
      'usage/wire-not-built',
      `a rehearsal over the ${wire} wire is not in this version yet: use --wire chat`,
    );
  }
  const port = wholeNumber(options, 'port', 0, 65_535) ?? 0;
  const host = createNodeHost();
  const { parseRehearsal, serveRehearsal } = await import('../../testing/index.ts');
  const path = resolve(host.env.cwd(), file);
  const script = await parseRehearsal(await readScript(path, host), path);
  const server = await serveRehearsal({ host, script, wire, port });
  stdio.output.write(`${server.url}\n`);
  await interrupted(stdio);
  const failures = server.failures();
  await server.close();
  for (const failure of failures) stdio.errors.write(`rein: ${screenText(failure)}\n`);
  return failures.length === 0 ? 0 : 1;
}

async function readScript(path: string, { files }: HostPorts): Promise<string> {
  const read = await files.readRegular(path, { maxBytes: SCRIPT_LIMIT });
  if (read.ok) return new TextDecoder().decode(read.bytes);
  throw new UsageError('rehearsal/unreadable', `cannot read the rehearsal script ${path}: ${read.detail}`, {
    data: { path },
  });
}

function interrupted(stdio: Stdio): Promise<void> {
  return new Promise((resolve) => {
    const stop = stdio.onInterrupt(() => {
      stop();
      resolve();
    });
  });
}
