import { dirname, resolve } from 'node:path';
import { type Diagnostic, printable, UsageError } from '../../base/index.ts';
import { createDiscovery } from '../../discovery/index.ts';
import { findHarness } from '../../harness/index.ts';
import type { HostPorts } from '../../host/index.ts';
import { fileQuery } from '../../instructions/index.ts';
import type { SourceQuery } from '../../model/index.ts';
import { locate } from '../locate.ts';
import type { AgentOptions } from '../options.ts';
import { readConfig } from '../read-config.ts';
import { checkDefinition, type DefinitionKind } from './checks.ts';

export type Validation = {
  /** No fault is an error. */
  ok: boolean;
  kind: DefinitionKind;
  /** Absolute. */
  path: string;
  diagnostics: readonly Diagnostic[];
};

/** Largest definition that is read, bytes: as for a run. */
const CAP = 256 * 1024;

/** Checks one file as a run of the chosen harness would read it. Throws UsageError: validate/unreadable, the options’. */
export async function validate(
  kind: DefinitionKind,
  file: string,
  options: AgentOptions,
  host: HostPorts,
): Promise<Validation> {
  const location = await locate(host, options.cwd);
  const { settings } = await readConfig(options, host, location);
  const { definitions } = await findHarness(settings.harness);
  const path = resolve(location.cwd, file);
  await refuseOther(path, host);
  const discovery = createDiscovery({ files: host.files, env: host.env, clock: host.clock });
  const queries = [queryOf(kind, path)];
  const world = await discovery.look({ queries, cwd: dirname(path), stack: [], moment: 'startup' });
  const [found] = world.files;
  const faults =
    found === undefined ? unreadable(path, world.diagnostics) : checkDefinition(kind, found, definitions ?? null);
  const diagnostics = [...world.diagnostics, ...faults];
  return { ok: diagnostics.every(({ severity }) => severity !== 'error'), kind, path, diagnostics };
}

/** Where discovery gave no file, what it said of it is the reason: whoever validates it wants it to be used. */
function unreadable(path: string, said: readonly Diagnostic[]): Diagnostic[] {
  if (said.some(({ severity }) => severity === 'error')) return [];
  const message = 'this file would not be used';
  return [{ severity: 'error', code: 'validate/not-used', message, path }];
}

async function refuseOther(path: string, host: HostPorts): Promise<void> {
  const read = await host.files.readRegular(path, { maxBytes: CAP });
  if (read.ok || read.why === 'too-large') return;
  throw new UsageError('validate/unreadable', `cannot read ${printable(path, 4096)}: ${read.detail}`, {
    data: { path },
  });
}

function queryOf(kind: DefinitionKind, path: string): SourceQuery {
  const rules = { cap: CAP, frontMatter: true, refresh: 'startup' } as const;
  return fileQuery(kind, path, rules);
}
