import type { Diagnostic } from '../../base/index.ts';
import {
  inTag,
  type Skill,
  type Subagent,
  scanSkillReferences,
  scanSubagentReferences,
  subagentReference,
  unknownSkill,
  unknownSubagent,
} from '../../instructions/index.ts';
import { isNeeds, type Needs, type Reminder, type Turn } from '../../model/index.ts';
import type { Expansion } from '../contract/index.ts';
import { allOrNeeds } from './all-needs.ts';
import type { FacetedForm } from './form.ts';
import { skillsOf, startable } from './inventory.ts';
import { typedLinkReminders } from './links.ts';
import { loadSkill } from './skills.ts';
import { toolNames } from './tool-names.ts';

/** Skills, and subagents, that one message may call up. */
const MAX_NAMED = 16;

/** Of these, those that the message names, once each; what nobody has, or the role keeps away, is told of. */
function named<T extends { name: string }>(
  references: readonly { name: string }[],
  those: readonly T[],
  { code, unknown }: { code: string; unknown: (name: string, names: readonly string[]) => string },
): { found: T[]; diagnostics: Diagnostic[] } {
  const names = [...new Set(references.map(({ name }) => name))].slice(0, MAX_NAMED);
  const found = names.flatMap((name) => those.find((one) => one.name === name) ?? []);
  const missing = names.filter((name) => !found.some((one) => one.name === name));
  const all = those.map(({ name }) => name);
  const diagnostics = missing.map((name): Diagnostic => ({ severity: 'warning', code, message: unknown(name, all) }));
  return { found, diagnostics };
}

function namedSkills(form: FacetedForm, turn: Turn, typed: string): { found: Skill[]; diagnostics: Diagnostic[] } {
  const { accessible } = skillsOf(form, turn);
  return named(scanSkillReferences(typed), accessible, { code: 'skills/unknown', unknown: unknownSkill });
}

/** Where the model is not offered the tool that starts them there are none for it. */
function namedSubagents(
  form: FacetedForm,
  turn: Turn,
  typed: string,
): { found: Subagent[]; diagnostics: Diagnostic[] } {
  const tool = toolNames(form).subagent;
  const those = turn.tools.some(({ name }) => name === tool) ? startable(form, turn) : [];
  return named(scanSubagentReferences(typed), those, { code: 'subagents/unknown', unknown: unknownSubagent });
}

/**
 * What a typed message brings with it: the skills and subagents that it names, as reminders after it; its text stays as it
 * is. Files
 * that it links to are composed with the chain (`afterPrompt`), so that no file comes twice; a message that steers a
 * running turn has no such composition, and they are added here.
 */
export function expandTyped(form: FacetedForm, turn: Turn, typed: string): Expansion | Needs {
  const skills = namedSkills(form, turn, typed);
  const loaded = allOrNeeds(skills.found.map((skill) => loadSkill(form, turn, skill, 'on-invocation', 'history')));
  if (isNeeds(loaded)) return loaded;
  const links = turn.reason === 'steer' ? typedLinkReminders(form, turn, typed) : { reminders: [] };
  if (isNeeds(links)) return links;
  const { tag } = form.chain;
  const subagents = namedSubagents(form, turn, typed);
  const wanted = subagents.found.map(
    (subagent): Reminder => ({ reason: 'subagent_reference', layout: subagentReference(subagent, tag) }),
  );
  const reminders = loaded.map(
    ({ laid }): Reminder => ({
      reason: 'skill',
      layout: inTag(tag, 'The user called for this skill.\n', laid, '\n'),
    }),
  );
  return {
    parts: [{ type: 'text', text: typed }],
    reminders: [...reminders, ...wanted, ...links.reminders],
    diagnostics: [
      ...skills.diagnostics,
      ...subagents.diagnostics,
      ...loaded.flatMap((each) => each.diagnostics),
      ...('diagnostics' in links ? (links.diagnostics ?? []) : []),
    ],
  };
}
