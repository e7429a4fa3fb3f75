import { allowedToolsOf, type Skill, unknownFacet } from '../../instructions/index.ts';
import type { Call, Message, SessionState, Turn } from '../../model/index.ts';
import type { HandoffArgs } from '../../tools/contract/index.ts';
import type { FacetedForm } from './form.ts';
import { inventoryOf, skillsOf } from './inventory.ts';
import { conditionOf } from './invoke.ts';
import { toolNames } from './tool-names.ts';

/** The names of skills whose instructions came since the user's last message. */
function skillsOfThisTurn({ history }: SessionState): ReadonlySet<string> {
  const names = new Set<string>();
  for (const message of history.toReversed()) {
    for (const name of skillsIn(message)) names.add(name);
    if (message.role === 'user' && (message.from === 'user' || message.from === 'queue' || message.from === 'parent'))
      break;
  }
  return names;
}

function skillsIn(message: Message): string[] {
  return message.parts.flatMap((part) =>
    part.type === 'text' ? (part.pieces ?? []).flatMap(({ piece }) => /^skill:(.+)@[^@]*$/.exec(piece)?.[1] ?? []) : [],
  );
}

/** Why a call is not run now although the tool is offered, or null: the skills in use name other tools only. */
function barredBySkills(form: FacetedForm, turn: Turn, call: Call): string | null {
  const loaded = skillsOfThisTurn(turn.session);
  if (loaded.size === 0) return null;
  const skills: readonly Skill[] = skillsOf(form, turn).accessible.filter(({ name }) => loaded.has(name));
  const names = turn.tools.map(({ name }) => name);
  const allowed = allowedToolsOf(skills, names, form.toolAliases);
  const always = [toolNames(form).skill, toolNames(form).exit];
  if (allowed === null || allowed.has(call.name) || always.includes(call.name)) return null;
  const list = [...allowed, ...always.filter((name) => names.includes(name))].join(', ');
  return `Not run: the skill in use (${[...loaded].join(', ')}) allows these tools only until the user's next message: ${list}.`;
}

/** Executor of the call that hands a plan over. */
const HANDOFF = 'handoff';

/** Why a plan is not handed over now, or null: it must be alone in its answer, and for a facet that there is. */
function barredHandoff(form: FacetedForm, turn: Turn, call: Call, others: number): string | null {
  if (others > 0) return 'Not run: the plan is handed over in an answer of its own. Do the other calls first.';
  const { facets } = inventoryOf(form, turn);
  const { facet } = call.args as HandoffArgs;
  return facets.some(({ name }) => name === facet) ? null : `Not run: ${unknownFacet(facet, facets)}`;
}

/** Skills narrow the tools; a facet may want a person's word before it is left. */
export function gateFaceted(
  form: FacetedForm,
  turn: Turn,
  call: Call,
  others: number,
): 'pass' | { ask: string } | { deny: string } {
  const barred = barredBySkills(form, turn, call);
  if (barred !== null) return { deny: barred };
  if (call.executor === HANDOFF) {
    const why = barredHandoff(form, turn, call, others);
    return why === null ? 'pass' : { deny: why };
  }
  if (call.name !== toolNames(form).facet) return 'pass';
  const condition = conditionOf(form, turn, call);
  return condition === null ? 'pass' : { ask: condition };
}
