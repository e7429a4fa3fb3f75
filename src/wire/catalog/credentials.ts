import { UsageError } from '../../base/index.ts';
import type { ProviderSettings } from '../../model/index.ts';

export type Lookup = (variable: string) => string | undefined;

/** Whose credentials; `needed`: without them nothing can be sent. */
export type Holder = { provider: string; env: Lookup; needed: boolean };

function trimmed(env: Lookup, variable: string): string {
  return (env(variable) ?? '').trim();
}

/**
 * The key from the first of the variables that is set; `keyName` is the variable it comes from, or would come from.
 * Throws UsageError wire/no-key, wire/bad-key.
 */
export function findKey(
  variables: readonly string[],
  { provider, env, needed }: Holder,
): { apiKey: string | null; keyName: string | null } {
  const keyName = variables.find((name) => trimmed(env, name) !== '') ?? variables[0] ?? null;
  const apiKey = keyName === null ? '' : trimmed(env, keyName);
  if (apiKey === '' && needed && keyName !== null) {
    throw new UsageError('wire/no-key', `provider "${provider}" needs a key: set ${variables.join(' or ')}`, {
      data: { provider, variables },
    });
  }
  if (/[^\x21-\x7e]/.test(apiKey)) {
    const text = `${keyName} holds a blank or a character that no key has: set it again`;
    throw new UsageError('wire/bad-key', text, { data: { provider, variable: keyName } });
  }
  return { apiKey: apiKey === '' ? null : apiKey, keyName };
}

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,200}$/;

/**
 * The user's own headers, names in lower case, values of variables put in. `secrets`: those values, which nothing may
 * show. Throws UsageError wire/bad-header, wire/no-header-value.
 */
export function readHeaders(
  headers: ProviderSettings['headers'],
  { provider, env, needed }: Holder,
): { headers: Record<string, string>; secrets: string[] } {
  const found: Record<string, string> = {};
  const secrets: string[] = [];
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (!HEADER_NAME.test(name)) {
      const text = `provider "${provider}": ${JSON.stringify(name.slice(0, 100))} is no name of a header`;
      throw new UsageError('wire/bad-header', text, { data: { provider, header: name } });
    }
    if (typeof value === 'string') {
      found[name.toLowerCase()] = value;
      continue;
    }
    const secret = trimmed(env, value.env);
    if (/^[\x20-\x7e]+$/.test(secret)) {
      found[name.toLowerCase()] = secret;
      secrets.push(secret);
    } else if (needed) {
      const what =
        secret === '' ? `set ${value.env}` : `${value.env} holds a character that no header has: set it again`;
      throw new UsageError(
        'wire/no-header-value',
        `provider "${provider}" needs a value for its header ${name}: ${what}`,
        {
          data: { provider, header: name, variable: value.env },
        },
      );
    }
  }
  return { headers: found, secrets };
}
