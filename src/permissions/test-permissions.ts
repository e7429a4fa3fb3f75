import { createMemoryHost, type MemoryHost, type MemoryTree } from '../host/memory/index.ts';
import { parsePermissionRule, type Subject } from '../model/index.ts';
import { createPermissions, type Verdict } from './permissions.ts';
import type { PlacedRule, RuleList } from './rule-set.ts';

export type RuleTexts = { allow?: readonly string[]; ask?: readonly string[]; deny?: readonly string[] };

export type Judging = {
  mode?: string;
  rules?: RuleTexts;
  /** Rules that a person granted in this session. */
  grants?: readonly string[];
  tree?: MemoryTree;
  cwd?: string;
};

/** Rules from their texts, each said to stand in `rules`. Throws RangeError for one that is none. */
export function placed(list: RuleList, texts: readonly string[] = [], granted = false): PlacedRule[] {
  return texts.map((text) => {
    const parsed = parsePermissionRule(text);
    if ('fault' in parsed) throw new RangeError(parsed.fault);
    return { list, rule: parsed.rule, from: 'rules', ...(granted ? { granted: true as const } : {}) };
  });
}

const TREE: MemoryTree = { '/bin/bash': '', '/ws/src/a.js': 'a', '/home/u/.bashrc': '', '/ws/.git/config': '' };

export function machine(tree: MemoryTree = {}): MemoryHost {
  return createMemoryHost({ files: { ...TREE, ...tree }, home: '/home/u', cwd: '/ws' });
}

/** What is said of one thing that a call touches, in `/ws` of a machine whose home is `/home/u`. */
export async function judged(subject: Subject, judging: Judging = {}): Promise<Verdict> {
  const { mode = 'ask', rules = {}, grants = [], tree, cwd = '/ws' } = judging;
  const permissions = createPermissions({
    files: machine(tree).files,
    readRoots: [],
    roots: { home: '/home/u', configHome: '/home/u/.config', stateHome: '/home/u/.local/state' },
    rules: [...placed('allow', rules.allow), ...placed('ask', rules.ask), ...placed('deny', rules.deny)],
  });
  const effect = subject.type === 'path' ? subject.access : subject.type === 'command' ? 'execute' : 'network';
  return permissions.judge({ mode, effect, subjects: [subject], cwd, grants: placed('allow', grants, true) });
}

/** `allow`, `ask` or `deny` for each command line. */
export async function commandVerdicts(commands: readonly string[], judging: Judging): Promise<Record<string, string>> {
  const rows = await Promise.all(
    commands.map(async (command) => [command, (await judged({ type: 'command', command }, judging)).verdict] as const),
  );
  return Object.fromEntries(rows);
}

/** The same verdict for all. */
export function all(commands: readonly string[], verdict: string): Record<string, string> {
  return Object.fromEntries(commands.map((command) => [command, verdict]));
}
