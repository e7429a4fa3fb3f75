import {
  type AgentOptions,
  createNodeHost,
  type DefinitionKind,
  type HostPorts,
  readShippedTexts,
  type ShippedTexts,
  type StartingFile,
  type Validation,
  validateDefinition as validateOnHost,
  writeStartingSet as writeOnHost,
} from '../runtime/index.ts';

/** Checks a facet, skill or subagent file as a run of the chosen harness would read it. Throws UsageError where it cannot be read. */
export function validateDefinition(
  kind: DefinitionKind,
  file: string,
  options: AgentOptions = {},
  host: HostPorts = createNodeHost(),
): Promise<Validation> {
  return validateOnHost(kind, file, options, host);
}

/** The texts that the chosen harness ships, by URI. Throws UsageError for the options. */
export function shippedTexts(options: AgentOptions = {}, host: HostPorts = createNodeHost()): Promise<ShippedTexts> {
  return readShippedTexts(options, host);
}

/** Writes a first set of instruction files, of the project or (`user`) of the user; what is there stays as it is. */
export function writeStartingSet(
  options: { cwd?: string; user?: boolean } = {},
  host: HostPorts = createNodeHost(),
): Promise<readonly StartingFile[]> {
  return writeOnHost(options, host);
}
