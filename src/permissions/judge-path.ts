import type { FilePort } from '../host/index.ts';
import { exactPathRule } from './exact-rule.ts';
import { ALLOWED, denial, type Finding, ruleText } from './finding.ts';
import type { PermissionMode } from './permission-mode.ts';
import { type ProtectedRoots, protection } from './protected-path.ts';
import { isInside, realLocation } from './real-location.ts';
import type { RuleSet } from './rule-set.ts';

export type PathJudge = {
  files: FilePort;
  mode: PermissionMode;
  rules: RuleSet;
  cwd: string;
  /** Real paths of directories that may be read beside the working directory. */
  readRoots: readonly string[];
  /** The working directory with all links resolved. */
  realCwd: string;
  roots: ProtectedRoots;
  /** A command may go anywhere in a mode that does not ask: only the working directory's rules do not hold for it. */
  byCommand?: true;
};

export type JudgedPath = { finding: Finding; real: string | null };

/**
 * Judges a file by its name and by what it really is: a rule that denies or asks holds for either, one that allows for
 * what it really is. In this order: denied, granted by a person, to be asked, protected, allowed, the mode.
 */
export async function judgePath(path: string, access: 'read' | 'write', judge: PathJudge): Promise<JudgedPath> {
  const real = await realLocation(judge.files, path);
  if (real === null) return { finding: denial(`It cannot be told where ${path} leads, so it is not allowed.`), real };
  return { finding: findingFor({ path, real, access }, judge), real };
}

type Place = { path: string; real: string; access: 'read' | 'write' };

function findingFor(place: Place, judge: PathJudge): Finding {
  const { path, real, access } = place;
  const { rules, mode } = judge;
  const names = [path, real];
  const denied = rules.ofPath('deny', access, names);
  if (denied !== undefined) return denial(`${shown(place)} may not be ${ACTED[access]}: ${ruleText(denied)}.`);
  if (mode === 'read-only' && access === 'write') return denial(readOnly('changing files', 'accept-edits'));
  const allowed = rules.ofPath('allow', access, [real]);
  if (allowed?.granted === true) return ALLOWED;
  const asked = rules.ofPath('ask', access, names);
  if (asked !== undefined) {
    return { ...asking(place, `${shown(place)} is asked about: ${ruleText(asked)}.`, null), byRule: true };
  }
  const why = access === 'write' ? (protection(real, judge.roots) ?? protection(path, judge.roots)) : null;
  if (why !== null) {
    const named = allowed?.path != null && protection(allowed.path.fixedPart, judge.roots) !== null;
    return named
      ? ALLOWED
      : asking(place, `${shown(place)} is ${why}: changing it always needs the user’s approval.`, null);
  }
  return allowed === undefined ? byMode(place, judge) : ALLOWED;
}

const ACTED = { read: 'read', write: 'changed' } as const;

function byMode(place: Place, { mode, realCwd, readRoots, cwd, byCommand }: PathJudge): Finding {
  const { real, access } = place;
  const isHome = isInside(real, realCwd) || (access === 'read' && readRoots.some((root) => isInside(real, root)));
  if (isHome && (access === 'read' || mode === 'yolo' || mode === 'accept-edits')) return ALLOWED;
  if (isHome) return asking(place, `Changing ${place.path} needs the user’s approval.`, 'accept-edits');
  if (mode === 'yolo' && byCommand === true) return ALLOWED;
  if (mode === 'ask' || mode === 'accept-edits') {
    return asking(place, `${shown(place)} is outside the working directory ${cwd}.`, null);
  }
  const rule = exactPathRule(access, real);
  const hint = rule === null ? '' : ` The user can allow it with the rule ${rule}.`;
  return denial(`${shown(place)} is outside the working directory ${cwd}, where no file may be touched.${hint}`);
}

function shown({ path, real }: Place): string {
  return real === path ? path : `${path} (it leads to ${real})`;
}

function asking(place: Place, why: string, mode: 'accept-edits' | null): Extract<Finding, { verdict: 'ask' }> {
  return { verdict: 'ask', why, rule: exactPathRule(place.access, place.real), mode };
}

export function readOnly(what: string, mode: 'accept-edits' | 'yolo'): string {
  return `This session is read-only: ${what} is not allowed. The user can allow it with --permission-mode ${mode}.`;
}
