import type { Diagnostic } from '../../base/index.ts';
import { listedNames, shownName } from '../facets/definition-name.ts';
import type { Skill } from './skill.ts';

/** Skills that one call loads, itself included, and references from one to the next. */
const MAX_SKILLS = 16;
const MAX_DEPTH = 4;
/** References of one body that are followed or told of. */
const MAX_REFERENCES = 64;

function lineOf({ body }: Pick<Skill, 'body'>, name: string): number {
  const at = body.text.indexOf(`:${name}`);
  return at < 0 ? body.line : body.line + (body.text.slice(0, at).match(/\r\n|\r|\n/g)?.length ?? 0);
}

function unknown(from: Skill, name: string): Diagnostic {
  return {
    severity: 'info',
    code: 'skills/unknown-reference',
    message: `refers to the skill ${shownName(name)}, which does not exist or is not allowed here; the text stays as it is`,
    path: from.file.path,
    line: lineOf(from, name),
  };
}

function chainCut(first: Skill, names: readonly string[]): Diagnostic {
  return {
    severity: 'warning',
    code: 'skills/chain-cut',
    message: `skills refer to one another further than is followed (${MAX_SKILLS} skills, ${MAX_DEPTH} deep); not loaded: ${listedNames(names, 10)}`,
    path: first.file.path,
    data: { names: names.slice(0, 100) },
  };
}

/**
 * A skill and those that its text refers to, directly or through others: it first, then breadth first in the order of
 * the texts, each once. `accessible`: the skills that the facet allows; `scan`: the references of a text.
 */
export function chainSkills(
  first: Skill,
  accessible: readonly Skill[],
  scan: (text: string) => readonly { name: string }[],
): { skills: Skill[]; diagnostics: Diagnostic[] } {
  const chain = [{ skill: first, depth: 0 }];
  const known = new Map(accessible.map((skill) => [skill.name, skill]));
  const visited = new Set([first.name]);
  const diagnostics: Diagnostic[] = [];
  const cut = new Set<string>();
  for (let next = 0; next < chain.length; next += 1) {
    const link = chain[next];
    if (link === undefined) break;
    for (const name of new Set(
      scan(link.skill.body.text)
        .map((reference) => reference.name)
        .slice(0, MAX_REFERENCES),
    )) {
      if (visited.has(name) || cut.has(name)) continue;
      const skill = known.get(name);
      if (skill === undefined) {
        diagnostics.push(unknown(link.skill, name));
        continue;
      }
      if (link.depth === MAX_DEPTH || chain.length === MAX_SKILLS) {
        cut.add(name);
        continue;
      }
      visited.add(name);
      chain.push({ skill, depth: link.depth + 1 });
    }
  }
  if (cut.size > 0) diagnostics.push(chainCut(first, [...cut]));
  return { skills: chain.map(({ skill }) => skill), diagnostics };
}
