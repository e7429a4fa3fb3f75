import type { HostPorts } from '../host/index.ts';
import type { DefinitionKind } from './definitions/checks.ts';
import type { ShippedTexts } from './definitions/shipped-texts.ts';
import type { StartingFile } from './definitions/starting-set.ts';
import type { Validation } from './definitions/validate.ts';
import type { AgentOptions } from './options.ts';

export type { DefinitionKind } from './definitions/checks.ts';
export type { ShippedTexts } from './definitions/shipped-texts.ts';
export type { StartingFile } from './definitions/starting-set.ts';
export type { Validation } from './definitions/validate.ts';

// Each is loaded when it is wanted, since no run needs it.

/** As `validate`. */
export async function validateDefinition(
  kind: DefinitionKind,
  file: string,
  options: AgentOptions,
  host: HostPorts,
): Promise<Validation> {
  const { validate } = await import('./definitions/validate.ts');
  return await validate(kind, file, options, host);
}

/** As `shippedTexts`. */
export async function readShippedTexts(options: AgentOptions, host: HostPorts): Promise<ShippedTexts> {
  const { shippedTexts } = await import('./definitions/shipped-texts.ts');
  return await shippedTexts(options, host);
}

/** As `startingSet`. */
export async function writeStartingSet(
  options: { cwd?: string; user?: boolean },
  host: HostPorts,
): Promise<readonly StartingFile[]> {
  const { startingSet } = await import('./definitions/starting-set.ts');
  return await startingSet(options, host);
}
