import type { Diagnostic } from '../../base/index.ts';
import { shownName } from '../facets/definition-name.ts';
import { fileSource, keyDiagnostic } from '../facets/definition-source.ts';
import type { Skill } from './skill.ts';

const KEY = 'allowed-tools';
/** Entries of one text, and unknown ones that are told of. */
const MAX_ENTRIES = 256;
const MAX_TOLD = 16;

/** `Read, Bash(git add:*) Grep` as its entries: commas and blanks separate, but not between parentheses. */
export function splitToolList(text: string): string[] {
  const entries: string[] = [];
  let entry = '';
  let depth = 0;
  for (const unit of `${text} `) {
    if (unit === '(') depth += 1;
    if (unit === ')') depth = Math.max(0, depth - 1);
    if (depth > 0 || !/[\s,]/.test(unit)) {
      entry += unit;
    } else if (entry !== '') {
      entries.push(entry);
      entry = '';
    }
  }
  // A parenthesis that is never closed takes the rest with it: the tool before it is still named.
  if (entry.trim() !== '') entries.push(entry.trim());
  return entries.slice(0, MAX_ENTRIES + 1);
}

/** `Bash(git:*)` is about Bash: which of its calls are meant is for the permissions to say. */
function toolPart(entry: string): string {
  const open = entry.indexOf('(');
  return (open < 0 ? entry : entry.slice(0, open)).trim();
}

/** The tools that an entry names: its own name in any letter case, an alias, or a server's tools. */
function toolsNamed(
  entry: string,
  toolNames: readonly string[],
  aliases: Readonly<Record<string, string>>,
): readonly string[] {
  const word = toolPart(entry).toLowerCase();
  if (word === '') return [];
  if (word === '*') return toolNames;
  const same = toolNames.filter((name) => name.toLowerCase() === word);
  if (same.length > 0) return same;
  const alias = Object.hasOwn(aliases, word) ? aliases[word] : undefined;
  if (alias !== undefined) return toolNames.filter((name) => name === alias);
  if (!word.startsWith('mcp__')) return [];
  const server = `${word.replace(/(?:__)?\*$/, '')}__`;
  return toolNames.filter((name) => name.toLowerCase().startsWith(server));
}

type Narrowing = Pick<Skill, 'allowedTools' | 'file' | 'name'>;

/**
 * The tools that stay while these skills are loaded, in the order of `toolNames`; null: all. Skills without a list say
 * nothing. Several lists are joined: each skill was promised its own tools, and few of them would be in all lists. A
 * name that no tool has adds nothing, so lists of such names leave no tool. `aliases`: lower-case names of other
 * programs' tools.
 */
export function allowedToolsOf(
  skills: readonly Narrowing[],
  toolNames: readonly string[],
  aliases: Readonly<Record<string, string>>,
): ReadonlySet<string> | null {
  const lists = skills.flatMap(({ allowedTools }) => (allowedTools === null ? [] : [allowedTools]));
  if (lists.length === 0) return null;
  const allowed = new Set(lists.flat().flatMap((entry) => toolsNamed(entry, toolNames, aliases)));
  return new Set(toolNames.filter((name) => allowed.has(name)));
}

/** What the lists of these skills name and no tool is. */
export function unknownAllowedTools(
  skills: readonly Narrowing[],
  toolNames: readonly string[],
  aliases: Readonly<Record<string, string>>,
): Diagnostic[] {
  return skills.flatMap(({ allowedTools, file, name }) =>
    (allowedTools ?? [])
      .filter((entry) => toolsNamed(entry, toolNames, aliases).length === 0)
      .slice(0, MAX_TOLD)
      .map((entry) => {
        const message = `skill ${shownName(name)}: ${KEY} names ${shownName(toolPart(entry))}, and no such tool is offered`;
        return keyDiagnostic(fileSource(file), 'info', 'skills/unknown-tool', message, [KEY], entry);
      }),
  );
}
