import { printable } from '../base/index.ts';
import { formatPermissionRule, parsePermissionRule, type RuleKind } from '../model/index.ts';
import type { ShellWord } from './shell/shell-word.ts';

/**
 * The rule that allows just this file (and what lies below it, where it is a directory). Null where none can say it:
 * names with control characters, very long ones.
 */
export function exactPathRule(access: 'read' | 'write', path: string): string | null {
  return ruleOf(access, path.replace(/[\\*]/g, '\\$&').replace(/\s$/, '\\$&'));
}

/** The rule that allows a command with just these words; null also where they are not all known. */
export function exactCommandRule(words: readonly ShellWord[]): string | null {
  const texts = words.map(({ text }) => text);
  if (texts.some((text) => text === null || text === '')) return null;
  return ruleOf('shell', texts.map((text) => text?.replace(/[\\*\s]/g, '\\$&')).join(' '));
}

export function exactHostRule(host: string): string | null {
  return ruleOf('fetch', host);
}

function ruleOf(kind: RuleKind, pattern: string): string | null {
  // A person is shown it, and must see what it says.
  if (printable(pattern, Number.POSITIVE_INFINITY) !== pattern) return null;
  const text = formatPermissionRule({ kind, pattern });
  const parsed = parsePermissionRule(text);
  return 'rule' in parsed && parsed.rule.kind === kind && parsed.rule.pattern === pattern ? text : null;
}
