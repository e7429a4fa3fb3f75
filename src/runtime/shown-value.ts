import { isRecord } from '../base/index.ts';

const HIDDEN = '[masked]';
const SECRET_NAME = /(?:^|[-_])(?:key|token|secret|password|passwd|authorization|credentials?)s?$/i;
/** Their values are whatever a server wants to know its users by. */
const SECRET_GROUP = 'headers';

/**
 * A setting's value as it may be shown: what stands under a name such as `api_key`, every header's value and the
 * credentials in a URL are hidden; `mask` hides the rest that is known to be secret. Names of variables stay.
 */
export function shownValue(path: readonly string[], value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return isSecret(path) ? HIDDEN : mask(withoutCredentials(value));
  if (Array.isArray(value)) return value.map((item) => shownValue(path, item, mask));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, shownValue([...path, name], inner, mask)]),
  );
}

function isSecret(path: readonly string[]): boolean {
  const last = path.at(-1) ?? '';
  // A header's value may be named by its variable instead.
  return SECRET_NAME.test(last) || (path.slice(0, -1).includes(SECRET_GROUP) && last !== 'env');
}

/** The URL without name, password and the values of its query; any other text as it is. */
export function withoutCredentials(text: string): string {
  if (!/^\s*https?:/i.test(text)) return text;
  if (!URL.canParse(text)) return text.replace(/^(\s*https?:)[^/]*\/\/.*@/is, `$1//${HIDDEN}@`);
  const url = new URL(text);
  if (url.username === '' && url.password === '' && url.search === '') return text;
  const user = url.username === '' && url.password === '' ? '' : `${HIDDEN}@`;
  const names = [...url.searchParams.keys()].map((name) => `${encodeURIComponent(name)}=${HIDDEN}`);
  const query = names.length === 0 ? '' : `?${names.join('&')}`;
  return `${url.protocol}//${user}${url.host}${url.pathname}${query}`;
}
