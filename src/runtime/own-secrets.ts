import type { LoadedConfig } from '../config/index.ts';
import type { EnvPort } from '../host/index.ts';

/** Headers whose literal value is a secret. */
const SECRET_HEADER = /auth|key|token|secret|cookie/i;
/** Variables that hold a server's address, with a password where it has one. */
const ADDRESS = /_(?:BASE_URL|HOST)$/;

/**
 * What the settings and the environment hold of secrets beside the keys of known providers: the variables that the
 * settings name, values of secret headers, and passwords in addresses of servers.
 */
export function ownSecrets(
  { settings }: Pick<LoadedConfig, 'settings'>,
  env: EnvPort,
): { names: readonly string[]; values: readonly string[] } {
  const names: string[] = [];
  const values: string[] = [];
  const addresses: (string | null | undefined)[] = [settings.base_url];
  for (const { api_key_env: name, headers = {}, base_url: address } of Object.values(settings.providers)) {
    if (name !== undefined) names.push(name);
    addresses.push(address);
    for (const [header, value] of Object.entries(headers)) {
      if (typeof value !== 'string') names.push(value.env);
      else if (SECRET_HEADER.test(header)) values.push(value, value.replace(/^\S+\s+/, ''));
    }
  }
  if (settings.web.search_key_env !== null) names.push(settings.web.search_key_env);
  addresses.push(settings.web.search_url);
  for (const [name, value] of Object.entries(env.all())) if (ADDRESS.test(name)) addresses.push(value);
  const held = names.flatMap((name) => env.get(name) ?? []);
  return { names, values: [...held, ...values, ...addresses.flatMap(passwordsIn)] };
}

/** As it is written and as it is meant. */
function passwordsIn(address: string | null | undefined): string[] {
  const written = /^[a-z][a-z+.-]*:\/\/[^/?#@]*?:([^/?#]*)@/i.exec(address ?? '')?.[1] ?? '';
  if (written === '') return [];
  try {
    return [written, decodeURIComponent(written)];
  } catch {
    return [written];
  }
}
