import type { Diagnostic } from '../../base/index.ts';
import { planReminder, programNotices, skillList, unmatchedSkillRules } from '../../instructions/index.ts';
import { type Composition, isNeeds, type Needs, type Piece, type Turn, textOf } from '../../model/index.ts';
import type { Reminders } from '../contract/index.ts';
import { composeChain } from './chain.ts';
import type { FacetedForm } from './form.ts';
import { activeRole, inventoryOf, skillsOf, spawnedAs } from './inventory.ts';
import { typedLinkReminders } from './links.ts';
import { unreadEmbeds } from './references.ts';
import { composeSubagent } from './subagent-prompt.ts';
import { composeSystem } from './system-prompt.ts';
import { pinnedDate, pinnedTask } from './template-context.ts';

/** Files that the user's message links to, those aside that the chain brings at the same time. */
function composeTyped(form: FacetedForm, turn: Turn): Reminders | Needs {
  return turn.prompt === undefined ? { reminders: [] } : typedLinkReminders(form, turn, textOf(turn.prompt));
}

/** Whether a piece gives a file: its text, or its path where the text is too large. */
function givesFile({ kind }: Piece): boolean {
  return kind === 'context-file' || kind === 'path-list';
}

/**
 * What is wrong with the definitions and skills that were found, which is told in the session of a person only, and with
 * what the role in force says of skills.
 */
function inventoryDiagnostics(form: FacetedForm, turn: Turn): Diagnostic[] {
  const { diagnostics, skills } = inventoryOf(form, turn);
  const role = activeRole(form, turn);
  const isSubagent = spawnedAs(turn) !== null;
  const many = isSubagent ? 'subagents' : 'facets';
  const unmatched = role === null ? [] : unmatchedSkillRules(role, skills, form, many);
  const ofList = skillList(skillsOf(form, turn).visible).diagnostics;
  return [...(isSubagent ? [] : diagnostics), ...unmatched, ...ofList];
}

/** What the templates of this conversation must go on saying. */
function duePins(form: FacetedForm, turn: Turn): Composition['pins'] {
  const task = pinnedTask(form, turn);
  const wanted = [
    { name: form.datePin, value: pinnedDate(form, turn) },
    ...(task === null ? [] : [{ name: form.taskPin, value: task }]),
  ];
  return wanted.filter(({ name }) => turn.session.pins[name] === undefined);
}

/**
 * The facet, or the subagent, in the system prompt; instruction files in the history, as one chain reminder; nothing in the system prompt
 * changes while a facet is in force, unless the tools or its fragments do (seed 004).
 */
export function composeFaceted(form: FacetedForm, turn: Turn): Composition | Needs {
  const waiting = unreadEmbeds(form, turn);
  if (waiting !== null) return waiting;
  const isSubagent = spawnedAs(turn) !== null;
  const system = isSubagent ? composeSubagent(form, turn) : composeSystem(form, turn);
  if (isNeeds(system)) return system;
  const chain = composeChain(form, turn);
  if (isNeeds(chain)) return chain;
  const typed = composeTyped(form, turn);
  if (isNeeds(typed)) return typed;
  const brought = new Set(
    chain.reminders.flatMap(({ layout }) => layout.flatMap((item) => ('piece' in item ? [item.piece.id] : []))),
  );
  const afterPrompt = typed.reminders.filter(
    ({ layout }) => !layout.some((item) => 'piece' in item && givesFile(item.piece) && brought.has(item.piece.id)),
  );
  // The plan is the caller's: a subagent has it where its own text renders it.
  const plan = isSubagent ? null : planReminder(turn.session, form.plan);
  const notices = programNotices(turn, { tag: form.chain.tag, todoTools: form.todoTools });
  return {
    system: system.laid,
    pins: duePins(form, turn),
    reminders: { beforePrompt: [...chain.reminders, ...(plan === null ? [] : [plan]), ...notices], afterPrompt },
    chain: chain.chain,
    options: {},
    diagnostics: [
      ...inventoryDiagnostics(form, turn),
      ...system.diagnostics,
      ...chain.diagnostics,
      ...(typed.diagnostics ?? []),
    ],
  };
}
