import type { SettingOrigin, SettingRule } from '../config/index.ts';
import { parsePermissionRule } from '../model/index.ts';
import type { PlacedRule } from '../permissions/index.ts';
import type { SessionLog } from '../session/index.ts';

/** The rules of the settings. They were read once already: what is no rule is not among them. */
export function settingRules(rules: readonly SettingRule[]): PlacedRule[] {
  return rules.flatMap(({ list, text, origin }) => {
    const parsed = parsePermissionRule(text);
    return 'fault' in parsed ? [] : [{ list, rule: parsed.rule, from: originText(origin) }];
  });
}

/** What a person allowed for this session: a fold over its notes, so it holds after a resume too. */
export function grantedRules(log: SessionLog): PlacedRule[] {
  return log.notes().flatMap((note) => {
    if (note.type !== 'grant') return [];
    const parsed = parsePermissionRule(note.rule);
    return 'fault' in parsed ? [] : [{ list: 'allow', rule: parsed.rule, from: 'this session', granted: true }];
  });
}

function originText({ from, path, line }: SettingOrigin): string {
  if (path === undefined) return from;
  return line === undefined ? path : `${path}:${line}`;
}
