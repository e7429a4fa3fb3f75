import { parseJson, UsageError } from '../base/index.ts';
import type { EnvPort } from '../host/index.ts';
import { faultOf } from './check-value.ts';
import { type Leaf, leavesOf } from './layers.ts';
import { lookUp } from './schema.ts';
import type { SettingOrigin } from './settings.ts';
import { shownKey } from './shown-key.ts';
import { splitKey } from './split-key.ts';
import { unknownKeyMessage } from './unknown-key.ts';

const VARIABLES: readonly (readonly [variable: string, key: string])[] = [
  ['REIN_MODEL', 'model'],
  ['REIN_BASE_URL', 'base_url'],
  ['REIN_WIRE', 'wire'],
  ['REIN_HARNESS', 'harness'],
];

/** Settings of the environment; an empty variable is one that is not set. Throws UsageError `config/wrong-type`. */
export function environmentSettings(env: EnvPort): Leaf[] {
  return VARIABLES.flatMap(([variable, key]) => {
    const value = env.get(variable);
    return value === undefined || value === ''
      ? []
      : checked([key], value, { from: 'environment', variable }, variable);
  });
}

/** Settings of `-c KEY=VALUE`: KEY as `splitKey` takes it, VALUE is JSON, else a string. Throws UsageError `config/bad-override` and as `flagSettings`. */
export function overrideSettings(overrides: readonly string[]): Leaf[] {
  return overrides.flatMap((override) => {
    const at = override.indexOf('=');
    const path = splitKey(override.slice(0, Math.max(at, 0)).trim());
    if (path === null) {
      const what = `-c ${JSON.stringify(override.slice(0, 60))} is not KEY=VALUE with a dotted key`;
      throw new UsageError('config/bad-override', `${what}, as in -c shell.timeout_ms=60000`);
    }
    const text = override.slice(at + 1);
    const parsed = parseJson(text);
    return checked(path, parsed === undefined ? text : parsed, { from: '-c' }, '-c');
  });
}

/** Settings of flags, by dotted key. Throws UsageError `config/unknown-key`, `config/wrong-type`. */
export function flagSettings(flags: Readonly<Record<string, unknown>>): Leaf[] {
  return Object.entries(flags).flatMap(([key, value]) =>
    value === undefined ? [] : checked(key.split('.'), value, { from: 'flag' }, `--${key.replaceAll('_', '-')}`),
  );
}

/** The value as leaves, an object checked key by key. */
function checked(path: readonly string[], value: unknown, origin: SettingOrigin, given: string): Leaf[] {
  const known = lookUp(path);
  const where = given.startsWith('--') ? given : `${given}: ${shownKey(path)}`;
  if (known === null) throw unknownKey(path, given);
  if ('rule' in known) {
    // Below a free object everything goes.
    const { value: type } = known.rule;
    const fault = type.type === 'free' && path.length > 2 ? null : faultOf(value, type);
    if (fault !== null) throw wrongType(`${where} must be ${fault}`, path);
    return type.type === 'free' ? leavesOf(path, value, origin) : [{ path, value, origin }];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrongType(`${where} must be an object`, path);
  return Object.entries(value).flatMap(([name, inner]) => checked([...path, name], inner, origin, given));
}

function wrongType(message: string, path: readonly string[]): UsageError {
  return new UsageError('config/wrong-type', message, { data: { key: path.join('.') } });
}

function unknownKey(path: readonly string[], given: string): UsageError {
  return new UsageError('config/unknown-key', `${given}: ${unknownKeyMessage(path)}`, {
    data: { key: path.join('.') },
  });
}
