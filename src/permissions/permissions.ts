import { printable } from '../base/index.ts';
import type { FilePort } from '../host/index.ts';
import type { Effect, Subject } from '../model/index.ts';
import { exactHostRule } from './exact-rule.ts';
import { ALLOWED, denial, type Finding, ruleText } from './finding.ts';
import { judgePath, type PathJudge, readOnly } from './judge-path.ts';
import { isPermissionMode, type PermissionMode } from './permission-mode.ts';
import type { ProtectedRoots } from './protected-path.ts';
import { realLocation } from './real-location.ts';
import { type PlacedRule, RuleSet } from './rule-set.ts';

/**
 * `places`: real paths; files that the call opens must be one of them, lie below or on the way to one. Null: what it
 * opens is not known to this program (a command).
 */
export type Verdict =
  | { verdict: 'allow'; places: readonly string[] | null }
  /** `why`: a sentence for the model. */
  | { verdict: 'deny'; why: string }
  | {
      verdict: 'ask';
      why: string;
      /** What allowing it for the session would grant; empty: nothing but this call. */
      rules: readonly string[];
      /** How it could have been allowed before the run, for a person; null: it cannot. */
      beforehand: string | null;
      places: readonly string[] | null;
    };

export type PermissionRequest = {
  mode: string;
  effect: Effect;
  subjects: readonly Subject[];
  /** The working directory: without a rule, files are read and written below it only. */
  cwd: string;
  /** What a person allowed in this session. */
  grants: readonly PlacedRule[];
};

export type PermissionOptions = {
  files: FilePort;
  /** Directories outside the working directory that may be read: where this session keeps its large results. */
  readRoots: readonly string[];
  roots: ProtectedRoots;
  rules: readonly PlacedRule[];
};

export interface Permissions {
  judge(request: PermissionRequest): Promise<Verdict>;
}

type AskFinding = Extract<Finding, { verdict: 'ask' }>;

const ACTS: Readonly<Record<Effect, string>> = {
  none: 'this',
  read: 'reading files',
  write: 'changing files',
  execute: 'running commands',
  network: 'using the network',
};

/**
 * Judges a call by what it touches. Files are compared by what they really are, commands by the shell's grammar. A rule
 * that denies beats everything; then come a person's grants, rules that ask, files that always need a person, rules
 * that allow, and last the mode.
 */
export function createPermissions(options: PermissionOptions): Permissions {
  const { files, rules } = options;
  const known = new Map<string, Promise<string | null>>();
  const realOf = (path: string): Promise<string | null> => {
    const found = known.get(path) ?? realLocation(files, path);
    known.set(path, found);
    return found;
  };
  const realAll = async (paths: readonly string[]): Promise<string[]> =>
    (await Promise.all(paths.map(realOf))).filter((path) => path !== null);

  return {
    async judge({ mode, effect, subjects, cwd, grants }) {
      if (!isPermissionMode(mode)) return { verdict: 'deny', why: `There is no permission mode ${mode}.` };
      const { home, configHome, stateHome } = options.roots;
      const realCwd = (await realOf(cwd)) ?? cwd;
      const judge: PathJudge = {
        files,
        mode,
        rules: new RuleSet([...grants, ...rules], { cwd: realCwd, home }),
        cwd,
        realCwd,
        readRoots: await realAll(options.readRoots),
        roots: {
          home: (await realOf(home)) ?? home,
          configHome: (await realOf(configHome)) ?? configHome,
          stateHome: (await realOf(stateHome)) ?? stateHome,
        },
      };
      const findings: Finding[] = [byEffect(mode, effect, subjects)];
      const places: string[] = [...judge.readRoots];
      for (const subject of subjects) {
        if (findings.some(({ verdict }) => verdict === 'deny')) break;
        findings.push(...(await judgeSubject(subject, judge, places)));
      }
      return combine(findings, effect === 'execute' ? null : places);
    },
  };
}

/** Of a tool that does not say what it touches, the mode alone decides. */
function byEffect(mode: PermissionMode, effect: Effect, subjects: readonly Subject[]): Finding {
  if (effect === 'none' || effect === 'read') return ALLOWED;
  if (mode === 'read-only') return denial(readOnly(ACTS[effect], effect === 'write' ? 'accept-edits' : 'yolo'));
  if (mode === 'yolo' || subjects.length > 0) return ALLOWED;
  return { verdict: 'ask', why: `${capital(ACTS[effect])} needs the user’s approval.`, rule: null, mode: 'yolo' };
}

async function judgeSubject(subject: Subject, judge: PathJudge, places: string[]): Promise<Finding[]> {
  switch (subject.type) {
    case 'path': {
      const { finding, real } = await judgePath(subject.path, subject.access, judge);
      if (real !== null) places.push(real);
      return [finding];
    }
    case 'host':
      return [judgeHost(subject.host, judge)];
    case 'command': {
      if (judge.mode === 'read-only') return [denial(readOnly(ACTS.execute, 'yolo'))];
      // The parser is loaded when the first command is judged.
      const { judgeCommand } = await import('./judge-command.ts');
      return judgeCommand(subject.command, judge);
    }
  }
}

function judgeHost(host: string, { rules, mode }: PathJudge): Finding {
  const name = host.toLowerCase().replace(/\.$/, '');
  const denied = rules.ofHost('deny', name);
  if (denied !== undefined) return denial(`The host ${name} is not allowed: ${ruleText(denied)}.`);
  if (mode === 'read-only') return denial(readOnly(ACTS.network, 'yolo'));
  const allowed = rules.ofHost('allow', name);
  if (allowed?.granted === true) return ALLOWED;
  const asked = rules.ofHost('ask', name);
  const rule = exactHostRule(name);
  if (asked !== undefined) {
    const why = `The host ${name} is asked about: ${ruleText(asked)}.`;
    return { verdict: 'ask', why, rule, mode: null, byRule: true };
  }
  if (allowed !== undefined || mode === 'yolo') return ALLOWED;
  return { verdict: 'ask', why: `Connecting to ${name} needs the user’s approval.`, rule, mode: 'yolo' };
}

/** Denied beats asked beats allowed. */
function combine(findings: readonly Finding[], places: readonly string[] | null): Verdict {
  const denied = findings.find((finding) => finding.verdict === 'deny');
  if (denied !== undefined) return { verdict: 'deny', why: oneLine(denied.why) };
  const asked = findings.filter((finding) => finding.verdict === 'ask');
  if (asked.length === 0) return { verdict: 'allow', places };
  const whys = [...new Set(asked.map(({ why }) => why))];
  const more = whys.length > 3 ? ` And ${whys.length - 3} more.` : '';
  const rules = [...new Set(asked.flatMap(({ rule }) => rule ?? []))];
  // A grant that leaves a part to be asked about again would promise too much.
  const grantable = asked.every(({ rule }) => rule !== null) ? rules : [];
  // Names of files and commands come from anywhere: on one line, and as they are read.
  const why = oneLine(`${whys.slice(0, 3).join(' ')}${more}`);
  return { verdict: 'ask', why, rules: grantable, beforehand: beforehand(asked, grantable), places };
}

function beforehand(asked: readonly AskFinding[], rules: readonly string[]): string | null {
  if (asked.some(({ byRule }) => byRule === true)) return null;
  const modes = asked.map(({ mode }) => mode);
  const mode = modes.includes(null) ? null : modes.includes('yolo') ? 'yolo' : 'accept-edits';
  const setting = `permissions.allow=${JSON.stringify(rules)}`.replaceAll("'", "'\\''");
  const ways = [
    ...(mode === null ? [] : [`--permission-mode ${mode}`]),
    ...(rules.length === 0 || rules.length > 5 ? [] : [`-c '${setting}'`]),
  ];
  return ways.length === 0 ? null : `To allow it beforehand: ${ways.join(', or ')}.`;
}

function oneLine(text: string): string {
  return printable(text, Number.POSITIVE_INFINITY);
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
