import { isRecord, unreachable } from '../base/index.ts';
import { parsePermissionRule } from '../model/index.ts';
import type { ValueType } from './schema.ts';

const MAX_NAMES = 1000;
/** A name, one with `*.` for all below it, or an address. No port, no scheme. */
export const HOST: RegExp = /^(?:\*\.)?[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$|^\[[0-9A-Fa-f:.]+\]$/;
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** What a value must be instead, as the end of "must be …"; null: it is well. */
export function faultOf(value: unknown, type: ValueType): string | null {
  switch (type.type) {
    case 'text':
      return typeof value === 'string' && value.trim() !== '' ? null : 'a string that is not empty';
    case 'url':
      return isHttpUrl(value) ? null : 'an http or https URL, as in http://127.0.0.1:8080/v1';
    case 'word':
      return type.words.some((word) => word === value) ? null : `one of ${type.words.join(', ')}`;
    case 'integer': {
      const { min, max } = type;
      return Number.isInteger(value) && Number(value) >= min && Number(value) <= max
        ? null
        : `a whole number from ${min} to ${max}`;
    }
    case 'flag':
      return typeof value === 'boolean' ? null : 'true or false';
    case 'words':
      return isWordList(value, type.words) ? null : `a list of ${type.words.join(', ')}`;
    case 'header':
      return isHeaderValue(value) ? null : 'a line of text, or { "env": "NAME" } with the name of a variable';
    case 'names':
      return isNameList(value) ? null : `a list of names of ${type.of}`;
    case 'paths':
      return isPathList(value) ? null : 'a list of directories, absolute, below ~ or from the working directory';
    case 'hosts':
      return isHostList(value) ? null : 'a list of hosts such as "wiki.example" or "*.lan"';
    case 'rules':
      return faultOfRules(value);
    case 'free':
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? null : 'an object';
    default:
      return unreachable(type);
  }
}

function isHttpUrl(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol } = new URL(value);
  return protocol === 'http:' || protocol === 'https:';
}

function isWordList(value: unknown, words: readonly string[]): boolean {
  if (!Array.isArray(value) || value.length === 0 || new Set(value).size < value.length) return false;
  return value.every((word) => words.some((known) => known === word));
}

function isHeaderValue(value: unknown): boolean {
  if (typeof value === 'string') return /^[\t\x20-\x7e]{1,8192}$/.test(value);
  if (!isRecord(value) || Object.keys(value).join() !== 'env') return false;
  return typeof value.env === 'string' && VARIABLE_NAME.test(value.env);
}

function isNameList(value: unknown): boolean {
  if (!Array.isArray(value) || value.length > MAX_NAMES) return false;
  return value.every((name) => typeof name === 'string' && VARIABLE_NAME.test(name));
}

function isPathList(value: unknown): boolean {
  if (!Array.isArray(value) || value.length > MAX_NAMES) return false;
  return value.every((path) => typeof path === 'string' && path.trim() !== '');
}

function isHostList(value: unknown): boolean {
  if (!Array.isArray(value) || value.length > MAX_NAMES) return false;
  return value.every((host) => typeof host === 'string' && HOST.test(host));
}

function faultOfRules(value: unknown): string | null {
  const form = 'a list of rules such as "write(docs/**)"';
  if (!Array.isArray(value) || value.length > MAX_NAMES || !value.every((rule) => typeof rule === 'string'))
    return form;
  for (const rule of value) {
    const parsed = parsePermissionRule(rule);
    if ('fault' in parsed) return `${form}; ${JSON.stringify(rule.slice(0, 80))} is none: ${parsed.fault}`;
  }
  return null;
}
