import type { PlacedRule } from './rule-set.ts';

/** What one rule or mode says of one thing that a call touches. */
export type Finding =
  | { verdict: 'allow' }
  | { verdict: 'deny'; why: string }
  | {
      verdict: 'ask';
      why: string;
      /** The rule that would allow exactly this; null: none can. */
      rule: string | null;
      /** The mode that would not ask; null: all do. */
      mode: 'accept-edits' | 'yolo' | null;
      /** A rule in the settings asks: there no other one helps, only a person's answer. */
      byRule?: true;
    };

export const ALLOWED: Finding = { verdict: 'allow' };

export function denial(why: string): Finding {
  return { verdict: 'deny', why };
}

/** `deny shell(rm *) (settings.json:4)`, as the end of a sentence. */
export function ruleText({ list, rule, from }: PlacedRule): string {
  const text = rule.pattern === null ? rule.kind : `${rule.kind}(${rule.pattern})`;
  return `the rule ${list} ${text} (${from})`;
}
