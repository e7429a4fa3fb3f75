import { basename, dirname } from 'node:path';
import { compareCodePoints, type Diagnostic, isBlank, printable, type Severity } from '../../base/index.ts';
import type { FoundFile } from '../../model/index.ts';
import { neutraliseClosingTags } from '../closing-tag.ts';
import { boundedScopes } from '../facets/bounded-scopes.ts';
import {
  descriptionLine,
  isPlainName,
  isSafeName,
  MAX_DESCRIPTION,
  MAX_NAME,
  shownName,
} from '../facets/definition-name.ts';
import { bodyOf, fileSource, frontMatterValue, keyDiagnostic } from '../facets/definition-source.ts';
import { restOfLine } from './line-wise.ts';
import { readSkillKeys } from './read-skill-keys.ts';
import type { Skill, SkillRules } from './skill.ts';
import { SKILL_TAG } from './skill-layout.ts';

/** Files that are read. */
const MAX_FILES = 1024;

type Read = { skill: Skill | null; diagnostics: Diagnostic[] };

function about(
  file: FoundFile,
  severity: Severity,
  code: string,
  message: string,
  at: readonly string[] = [],
): Diagnostic {
  return keyDiagnostic(fileSource(file), severity, code, message, at);
}

/** The name of the directory that holds the file: the skill's name. */
function directoryName(file: FoundFile): string {
  return basename(dirname(file.path));
}

function checkName(file: FoundFile): Diagnostic[] {
  const name = directoryName(file);
  if (!isSafeName(name)) {
    const message = `${shownName(name)} is no name for a skill: no blanks, no control characters, no < or >, no great length; it is not used`;
    return [about(file, 'error', 'skills/name', message)];
  }
  const diagnostics: Diagnostic[] = [];
  if (!isPlainName(name)) {
    const message = `the name ${shownName(name)} works here, but other programs take a-z, 0-9 and : _ . - only, at most ${MAX_NAME} characters`;
    diagnostics.push(about(file, 'warning', 'skills/name', message));
  }
  const own = frontMatterValue(file, 'name') ?? name;
  if (own !== name) {
    const shown = typeof own === 'string' ? shownName(own) : 'no text';
    const message = `its name is ${shown}; the directory’s name counts: ${shownName(name)}`;
    diagnostics.push(about(file, 'warning', 'skills/name', message, ['name']));
  }
  return diagnostics;
}

/** Null: there is none. What YAML does not take for a text is taken as it is written on its line. */
function readDescription(file: FoundFile): { description: string | null; diagnostics: Diagnostic[] } {
  const value = frontMatterValue(file, 'description');
  const diagnostics: Diagnostic[] = [];
  const say = (message: string, severity: Severity = 'warning'): void => {
    diagnostics.push(about(file, severity, 'skills/description', message, ['description']));
  };
  const isText = typeof value === 'string';
  const { line, cut } = descriptionLine(
    isText ? value : (value ?? null) === null ? '' : restOfLine(file, 'description'),
  );
  if (line === '') {
    say('a skill needs a description, by which the model chooses it; the skill is not used', 'error');
    return { description: null, diagnostics };
  }
  if (!isText) say('description is no text for YAML and was taken as it is written; put it in quotes');
  if (cut) say(`description is longer than ${MAX_DESCRIPTION} characters; its end is left out`);
  return { description: line, diagnostics };
}

/** What the parser found wrong, at its place. */
function notYaml(file: FoundFile): Diagnostic[] {
  const { read = 'yaml', faults = [] } = file.frontMatter ?? {};
  if (read === 'yaml') return [];
  const [fault = { message: 'it cannot be read', line: 1, column: 1 }] = faults;
  const end = read === 'failed' ? 'the skill is not used' : 'it was read line by line instead';
  return [
    {
      severity: 'warning',
      code: 'skills/not-yaml',
      message: `the front matter is not valid YAML: ${printable(fault.message)}; ${end}`,
      path: file.path,
      line: fault.line,
      column: fault.column,
    },
  ];
}

function readFile(file: FoundFile, rules: SkillRules): Read {
  if (file.status !== 'read') {
    const message = `it is too large (${file.size} bytes); the skill is not used`;
    return { skill: null, diagnostics: [about(file, 'warning', 'skills/too-large', message)] };
  }
  const faults = notYaml(file);
  if (file.frontMatter?.read === 'failed') return { skill: null, diagnostics: faults };
  const names = checkName(file);
  const { description, diagnostics } = readDescription(file);
  const read = readSkillKeys(file, rules);
  const all = [...faults, ...names, ...diagnostics, ...read.diagnostics];
  if (description === null || names.some(({ severity }) => severity === 'error'))
    return { skill: null, diagnostics: all };
  const body = bodyOf(file);
  all.push(...checkBody(file, body));
  return { skill: { name: directoryName(file), description, ...read.keys, file, body }, diagnostics: all };
}

/** The text's own closing tags lose their force when it is sent; whoever wrote them should know. */
function checkBody(file: FoundFile, body: Skill['body']): Diagnostic[] {
  if (isBlank(body.text))
    return [about(file, 'warning', 'skills/empty', 'the skill has no text below its front matter')];
  const [first] = neutraliseClosingTags(body.text, [SKILL_TAG]).lines;
  if (first === undefined) return [];
  const message = `the text holds </${SKILL_TAG}>, which would end the skill; it is sent as plain text (&lt;/${SKILL_TAG}>)`;
  return [
    {
      severity: 'warning',
      code: 'skills/closing-tag',
      message,
      path: file.path,
      line: body.line + first - 1,
      column: 1,
    },
  ];
}

/** The same bytes twice are one skill, of which nothing need be said (C39). */
function shadowed(file: FoundFile, by: FoundFile): Diagnostic[] {
  if (by.sha256 === file.sha256) return [];
  const message = `not used: ${printable(by.path)} has the same name and comes first`;
  return [{ severity: 'info', code: 'skills/shadowed', message, path: file.path, data: { by: by.path } }];
}

/**
 * The skills there are, by name. `files`: in order of precedence; the first usable one of a name counts, for the list
 * as for the call.
 */
export function readSkills(
  files: readonly FoundFile[],
  rules: SkillRules,
): { skills: Skill[]; diagnostics: Diagnostic[] } {
  const skills = new Map<string, Skill>();
  const diagnostics: Diagnostic[] = [];
  const bounded = boundedScopes(files, MAX_FILES, 'skills');
  for (const file of bounded.files) {
    const before = skills.get(directoryName(file));
    if (before !== undefined) {
      diagnostics.push(...shadowed(file, before.file));
      continue;
    }
    const read = readFile(file, rules);
    diagnostics.push(...read.diagnostics);
    if (read.skill !== null) skills.set(read.skill.name, read.skill);
  }
  diagnostics.push(...bounded.diagnostics);
  return { skills: [...skills.values()].sort((a, b) => compareCodePoints(a.name, b.name)), diagnostics };
}

/** All that is to be said of one file by itself. */
export function checkSkill(file: FoundFile, rules: SkillRules): Diagnostic[] {
  return readFile(file, rules).diagnostics;
}
