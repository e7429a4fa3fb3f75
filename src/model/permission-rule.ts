import { nearest } from '../base/index.ts';

export type RuleKind = 'read' | 'write' | 'shell' | 'fetch';

/** `kind(pattern)`; a null pattern is every call of that kind. */
export type PermissionRule = { kind: RuleKind; pattern: string | null };

export const RULE_KINDS: readonly RuleKind[] = ['read', 'write', 'shell', 'fetch'];

/** Characters. */
const MAX_RULE = 1000;
const HOST = /^(?:\*|(?:\*\.)?[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|\[?[0-9a-f:.]+\]?)$/i;

/** Reads `write(docs/**)`, `shell(git log *)`, `fetch(*.example.org)`, `read`. `fault` is the end of "…: ". */
export function parsePermissionRule(text: string): { rule: PermissionRule } | { fault: string } {
  if (text.length > MAX_RULE) return { fault: `it is longer than ${MAX_RULE} characters` };
  if (/[\u0000-\u001f\u007f]/.test(text)) return { fault: 'it holds a control character' };
  const [, word = '', rest] = /^\s*([^\s(]*)\s*(?:\((.*)\))?\s*$/.exec(text) ?? [];
  const kind = RULE_KINDS.find((known) => known === word);
  if (kind === undefined) return { fault: unknownKind(word) };
  if (rest === undefined) return { rule: { kind, pattern: null } };
  const pattern = trimmed(rest);
  const fault = faultOfPattern(kind, pattern);
  return fault === null ? { rule: { kind, pattern } } : { fault };
}

export function formatPermissionRule({ kind, pattern }: PermissionRule): string {
  return pattern === null ? kind : `${kind}(${pattern})`;
}

/** Without blanks around it, but with one at the end that a backslash makes part of it. */
function trimmed(text: string): string {
  const start = text.trimStart();
  const end = start.trimEnd();
  const backslashes = /\\*$/.exec(end)?.[0].length ?? 0;
  return backslashes % 2 === 1 ? start.slice(0, end.length + 1) : end;
}

function unknownKind(word: string): string {
  const form = `a rule is ${RULE_KINDS.join(', ')}, with a pattern in parentheses or alone`;
  const near = word === '' ? undefined : nearest(word, RULE_KINDS);
  if (word === '') return form;
  return `there are no ${JSON.stringify(word.slice(0, 40))} rules; ${near === undefined ? form : `did you mean ${near}?`}`;
}

function faultOfPattern(kind: RuleKind, pattern: string): string | null {
  if (pattern === '') return `the pattern is empty; write ${kind} alone for every call of that kind`;
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(pattern)) return 'a backslash at the end has nothing to escape';
  switch (kind) {
    case 'read':
    case 'write':
      return pattern.split('/').includes('..') ? 'a path pattern cannot hold ".."' : null;
    case 'fetch':
      return HOST.test(pattern) ? null : 'a host pattern is a host name, *.NAME for those below it, or *';
    case 'shell':
      return null;
  }
}
