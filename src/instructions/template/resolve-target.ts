import { nearest, printable } from '../../base/index.ts';
import type { RenderRequest } from '../../model/index.ts';

export type Transclude = NonNullable<RenderRequest['transclude']>;

/** `key`: under which the fragment is known. `missing`: the absolute path to read. `refused`: the end of a sentence. */
export type Target = { key: string } | { missing: string } | { refused: string };

/** Characters. */
const MAX_TARGET = 1024;
const URI = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/(.*)$/s;

/**
 * What `transclude(target)` names. A path starts in the template's directory, whichever fragment writes it, and stays
 * below it (seed 004); links are the reader's concern. It depends on nothing else, so that an answer can be kept.
 */
export function resolveTarget(target: string, transclude: Transclude): Target {
  if (target.trim() === '') return { refused: 'the name of the fragment is empty' };
  if (target.length > MAX_TARGET)
    return { refused: `the name of the fragment is longer than ${MAX_TARGET} characters` };
  if (/[\u0000-\u001f\u007f]/.test(target)) return { refused: `${shown(target)} holds a control character` };
  const uri = URI.exec(target);
  return uri === null ? resolvePath(target, transclude) : resolveUri(uri[1] ?? '', uri[2] ?? '', transclude);
}

function resolveUri(scheme: string, rest: string, { schemes, fragments }: Transclude): Target {
  const [first] = schemes;
  if (first === undefined || !schemes.includes(scheme)) {
    const known = schemes.map((name) => `${name}://`).join(' and ');
    return { refused: `there is no ${shown(`${scheme}://`)}; known: ${known === '' ? 'paths only' : known}` };
  }
  const key = `${first}://${rest}`;
  if (Object.hasOwn(fragments, key)) return { key };
  const all = Object.keys(fragments)
    .filter((name) => name.startsWith(`${first}://`))
    .sort();
  return { refused: `there is no ${shown(`${scheme}://${rest}`)}${hint(key, all)}` };
}

function hint(key: string, all: readonly string[]): string {
  const near = nearest(key, all) ?? all.find((name) => name.endsWith(`/${key.slice(key.lastIndexOf('/') + 1)}`));
  if (near !== undefined) return `; did you mean ${near}?`;
  if (all.length === 0) return '';
  return `; there are ${all.slice(0, 8).join(', ')}${all.length > 8 ? ', …' : ''}`;
}

function resolvePath(path: string, { base, fragments }: Transclude): Target {
  if (path.includes('\\')) return { refused: `${shown(path)} holds a backslash; write / between directories` };
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path) || /^~(?:\/|$)/.test(path)) {
    return { refused: `${shown(path)} is not relative to the template's directory` };
  }
  if (base === null) return { refused: `${shown(path)}: a text without a directory transcludes URIs only` };
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return { refused: `${shown(path)} leaves the template's directory` };
  }
  if (names.length === 0 || path.endsWith('/')) return { refused: `${shown(path)} names a directory, not a file` };
  const key = `${base.replace(/\/$/, '')}/${names.join('/')}`;
  return Object.hasOwn(fragments, key) ? { key } : { missing: key };
}

function shown(text: string): string {
  return printable(JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text));
}
