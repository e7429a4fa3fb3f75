import { basename, dirname, join, resolve } from 'node:path';
import type { RuleKind } from '../model/index.ts';
import { exactCommandRule, exactPathRule } from './exact-rule.ts';
import { denial, type Finding, ruleText } from './finding.ts';
import { judgePath, type PathJudge } from './judge-path.ts';
import { protection } from './protected-path.ts';
import { realLocation } from './real-location.ts';
import type { RuleSet } from './rule-set.ts';
import { analyseCommand, type CommandAnalysis, type Redirection } from './shell/analyse-command.ts';
import type { SeenCommand } from './shell/seen-command.ts';
import { afterEquals, knownWord, type ShellWord } from './shell/shell-word.ts';
import type { Partly } from './wild-match.ts';

/** Of the shell itself: they start nothing and change no file. Where `cd` leads is judged with what is used there. */
const HARMLESS = ['cd', 'pwd', 'echo', 'true', 'false', ':', 'exit'];
/** Programs that only look at the files they are given. */
const READERS = [
  'cat',
  'head',
  'tail',
  'less',
  'more',
  'grep',
  'rg',
  'ls',
  'stat',
  'wc',
  'diff',
  'cmp',
  'file',
  'test',
  '[',
];
const GIT_READS = ['add', 'blame', 'commit', 'diff', 'grep', 'log', 'ls-files', 'show', 'status'];
/** Files of the system that hold nothing. */
const SINKS = /^\/dev\/(?:null|zero|stdin|stdout|stderr|tty|fd\/\d+)$/;
/** Words of one command line whose meaning as paths is looked up. */
const MAX_PATHS = 300;

type Judge = PathJudge & { analysis: CommandAnalysis };

/**
 * Judges every simple command of a command line, and each file that its text names. All of them must be allowed; one
 * that is denied denies the whole; what cannot be read is asked about.
 */
export async function judgeCommand(command: string, path: PathJudge): Promise<Finding[]> {
  const hasBash = (await path.files.stat('/bin/bash').catch(() => null))?.kind === 'file';
  const analysis = await analyseCommand(command, path.cwd, hasBash ? 'bash' : 'posix');
  const judge = { ...path, byCommand: true as const, analysis };
  return [
    ...analysis.commands.flatMap((seen) => judgeSeen(seen, judge)),
    ...doubtful(judge),
    ...(await judgeWords(judge)),
    ...(await judgeRedirections(analysis.redirections, judge)),
  ];
}

function judgeSeen({ words, needsAllow }: SeenCommand, { rules, mode }: Judge): Finding[] {
  const [name, ...rest] = words;
  const program = name?.text ?? null;
  const forms = program === null || !program.includes('/') ? [words] : [words, [knownWord(basename(program)), ...rest]];
  const shown = textOf(words);
  const denied = rules.ofCommand('deny', forms);
  if (denied?.how === 'always') return [denial(`The command ${shown} is not allowed: ${ruleText(denied.rule)}.`)];
  const rule = exactCommandRule(words);
  const allowed = rules.ofCommand('allow', [words]);
  const isAllowed = allowed?.how === 'always';
  if (isAllowed && allowed.rule.granted === true) return [];
  if (denied !== null) return [asking(`The command ${shown} may be one of ${ruleText(denied.rule)}.`, null, null)];
  const asked = rules.ofCommand('ask', forms);
  if (asked !== null) {
    return [{ ...asking(`The command ${shown} is asked about: ${ruleText(asked.rule)}.`, rule, null), byRule: true }];
  }
  if (
    program !== null &&
    basename(program) === 'rein' &&
    words.some(({ text }) => text === 'trust' || text === '--trust')
  ) {
    return [asking('It would trust a directory: that always needs the user’s approval.', rule, null)];
  }
  // A function of the line's own is no exception: where its definition is skipped, the name is a program's.
  const isOwn = program !== null && HARMLESS.includes(program);
  if (isAllowed || isOwn || !needsAllow || mode === 'yolo') return [];
  return [asking(`Running ${shown} needs the user’s approval.`, rule, 'yolo')];
}

/** In a mode that asks for nothing, doubts matter only where something is forbidden that they could hide. */
function doubtful({ analysis, rules, mode }: Judge): Finding[] {
  const freeing = freeingMode(rules, 'shell', 'read', 'write');
  if (mode === freeing) return [];
  return analysis.doubts.map((doubt) => asking(`The command cannot be judged: ${doubt}.`, null, freeing));
}

/** The mode in which nothing is asked about what these rules could be about: none where there are any. */
function freeingMode(rules: RuleSet, ...kinds: readonly RuleKind[]): 'yolo' | null {
  return rules.restricts(...kinds) ? null : 'yolo';
}

function asking(why: string, rule: string | null, mode: 'yolo' | null): Extract<Finding, { verdict: 'ask' }> {
  return { verdict: 'ask', why, rule, mode };
}

async function judgeRedirections(redirections: readonly Redirection[], judge: Judge): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { target, access } of redirections) {
    if (target.text?.match(/^\/dev\/(?:tcp|udp)\//)) {
      const freeing = freeingMode(judge.rules, 'fetch');
      if (judge.mode !== freeing) findings.push(asking('It opens a network connection.', null, freeing));
    } else if (target.text !== null && SINKS.test(target.text)) continue;
    else {
      const paths = target.text === null ? [] : await pathsOf(target, judge);
      for (const path of paths) findings.push((await judgePath(path, access, judge)).finding);
      if (paths.length === 0 || paths.some(isFloating)) findings.push(...(await judgeUnknown(target, access, judge)));
    }
  }
  return findings;
}

async function judgeUnknown(target: ShellWord, access: 'read' | 'write', judge: Judge): Promise<Finding[]> {
  const guarded = access === 'write' ? await protectedWord(target, judge) : null;
  if (guarded !== null) return [guarded];
  const freeing = freeingMode(judge.rules, access);
  if (judge.mode === freeing) return [];
  return [asking(`It ${access}s a file that is known only when it runs.`, null, freeing)];
}

/** Files that are named as arguments: those of rules, and those that always need a person where they may be changed. */
async function judgeWords(judge: Judge): Promise<Finding[]> {
  const findings: Finding[] = [];
  let looked = 0;
  for (const { words } of judge.analysis.commands) {
    const reads = isReader(words);
    if (HARMLESS.includes(words[0]?.text ?? '')) continue;
    for (const word of words.slice(1).flatMap((given) => [given, afterEquals(given) ?? given])) {
      if (word.text === '' || word.text?.startsWith('-') === true) continue;
      looked += 1;
      if (looked > MAX_PATHS) {
        const freeing = freeingMode(judge.rules, 'read', 'write');
        if (judge.mode === freeing) return findings;
        return [...findings, asking('It names too many files to be judged.', null, freeing)];
      }
      const guarded = reads ? null : await protectedWord(word, judge);
      if (guarded !== null) findings.push(guarded);
      findings.push(...(await ruledWord(word, reads, judge)));
    }
  }
  return findings;
}

function isReader([name, command, ...rest]: readonly ShellWord[]): boolean {
  if (name?.text == null) return false;
  if (READERS.includes(name.text)) return true;
  const writes = rest.some(({ chunks }) => chunks[0]?.startsWith('--ou') === true);
  return name.text === 'git' && GIT_READS.includes(command?.text ?? '') && !writes;
}

/** What the rules for files say of an argument; a program may read or write what it is given. */
async function ruledWord(word: ShellWord, reads: boolean, judge: Judge): Promise<Finding[]> {
  const accesses = reads ? (['read'] as const) : (['read', 'write'] as const);
  if (!judge.rules.restricts(...accesses)) return [];
  const paths = await pathsOf(word, judge);
  if (word.text === null || paths.some(isFloating)) return unknownWord(word, paths, accesses, judge);
  for (const path of paths) {
    const names = [path, (await realLocation(judge.files, path)) ?? path];
    for (const access of accesses) {
      const denied = judge.rules.ofPath('deny', access, names);
      if (denied !== undefined) return [denial(`The command may not touch ${path}: ${ruleText(denied)}.`)];
      const asked = judge.rules.ofPath('ask', access, names);
      if (asked !== undefined && judge.rules.ofPath('allow', access, names)?.granted !== true) {
        const rule = exactPathRule(access, path);
        return [{ ...asking(`The command touches ${path}: ${ruleText(asked)}.`, rule, null), byRule: true }];
      }
    }
  }
  return [];
}

/** A word that is known only when it runs may be a file that is forbidden; the end of it that is known may say no. */
function unknownWord(
  { chunks, globbed }: ShellWord,
  paths: readonly string[],
  accesses: readonly ('read' | 'write')[],
  { rules, analysis }: Judge,
): Finding[] {
  const first = chunks[0] ?? '';
  const bases = paths.length > 0 ? paths : analysis.directories;
  const rest = namesOf([first.slice(first.lastIndexOf('/') + 1), ...chunks.slice(1)]);
  const isPlain = globbed === true && !bases.some(isFloating) && !/(?:^|\/)\.\.?(?:\/|$)/.test(chunks.join(''));
  const names = isPlain ? bases.map((base) => [...namesOf([base]), ...rest]) : null;
  for (const list of ['deny', 'ask'] as const) {
    for (const access of accesses) {
      const rule = rules.ofUnknownPath(list, access, names, chunks);
      if (rule === undefined) continue;
      return [asking(`What the command touches is known only when it runs: ${ruleText(rule)}.`, null, null)];
    }
  }
  return [];
}

/** A path in parts as its names, each of which may hold something unknown. */
function namesOf(chunks: Partly): Partly[] {
  const names: (string | null)[][] = [[]];
  for (const chunk of chunks) {
    for (const [index, part] of (chunk === null ? [null] : chunk.split('/')).entries()) {
      if (index > 0) names.push([]);
      if (part !== '') names.at(-1)?.push(part);
    }
  }
  return names.filter((name) => name.length > 0);
}

/** Of a word that is not known to its end, the directories it begins with count. */
async function protectedWord(word: ShellWord, judge: Judge): Promise<Finding | null> {
  for (const path of await pathsOf(word, judge)) {
    const real = await realLocation(judge.files, path);
    const why = (real === null ? null : protection(real, judge.roots)) ?? protection(path, judge.roots);
    if (why === null) continue;
    const allowed = real === null ? undefined : judge.rules.ofPath('allow', 'write', [real]);
    const isNamed = allowed?.path != null && protection(allowed.path.fixedPart, judge.roots) !== null;
    if (allowed?.granted === true || isNamed) continue;
    const rule = word.text === null || real === null ? null : exactPathRule('write', real);
    return asking(`The command names ${path}, ${why}: changing it always needs the user’s approval.`, rule, null);
  }
  return null;
}

/** Empty: it cannot be told. Both as the name says and as the system follows it, which differ behind a link. */
async function pathsOf({ text, chunks, tilde }: ShellWord, { analysis, roots, files }: Judge): Promise<string[]> {
  const known = text ?? (chunks[0] ?? '').replace(/[^/]*$/, '');
  if (known === '' || known.length > 4096) return [];
  if (tilde && known !== '~' && !known.startsWith('~/')) return [];
  const given = tilde ? known.slice(2) : known;
  const found = new Set<string>();
  for (const directory of tilde ? [roots.home] : analysis.directories) {
    found.add(resolve(directory, given));
    found.add(await followed(files, given.startsWith('/') ? given : `${directory}/${given}`));
  }
  return [...found];
}

/** A path without `..`: each is the parent of what the names before it lead to. */
async function followed(files: Judge['files'], path: string): Promise<string> {
  let at = '/';
  for (const name of path.split('/')) {
    if (name === '..') at = dirname((await realLocation(files, at)) ?? at);
    else at = join(at, name);
  }
  return at;
}

/** Leads where only the process says that uses it. */
function isFloating(path: string): boolean {
  return /^\/(?:proc\/[^/]+\/(?:cwd|root|fd|task|map_files)|dev\/fd)(?:\/|$)/.test(path);
}

function textOf(words: readonly ShellWord[]): string {
  const text = words.map(({ chunks }) => chunks.map((chunk) => chunk ?? '…').join('')).join(' ');
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
