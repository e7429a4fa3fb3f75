import { lay, makePiece, transition, unknownFacet, unknownSkill } from '../../instructions/index.ts';
import { type Call, isNeeds, type Laid, type Needs, type ToolFailure, type Turn } from '../../model/index.ts';
import type { Invocation } from '../contract/index.ts';
import type { FacetedForm } from './form.ts';
import { activeFacet, inventoryOf, skillsOf } from './inventory.ts';
import { loadSkill } from './skills.ts';
import { toolNames } from './tool-names.ts';

function failure(code: string, message: string): { failure: ToolFailure } {
  return { failure: { code, message } };
}

function wordOf(call: Call, field: string): string {
  const { args } = call;
  const value = typeof args === 'object' && args !== null ? (args as Record<string, unknown>)[field] : undefined;
  return typeof value === 'string' ? value.trim() : '';
}

/** The instructions of a skill, as the result of the call. One that is kept from the model is unknown to it. */
function invokeSkill(form: FacetedForm, turn: Turn, name: string): Invocation | Needs {
  const { visible } = skillsOf(form, turn);
  const skill = visible.find((each) => each.name === name);
  if (skill === undefined)
    return failure(
      'skill/unknown',
      unknownSkill(
        name,
        visible.map((each) => each.name),
      ),
    );
  const loaded = loadSkill(form, turn, skill, 'on-invocation', 'tool-result');
  return isNeeds(loaded) ? loaded : { layout: loaded.laid };
}

function said(id: string, rule: string, text: string): Laid {
  const piece = makePiece({ id, kind: 'notice', origin: { type: 'session' }, placement: 'tool-result', rule, text });
  return lay(piece, 'on-invocation');
}

/** What stands in the way of a switch by the model, or null. */
function barrier(form: FacetedForm, turn: Turn, to: string): { failure: ToolFailure } | null {
  const { facets } = inventoryOf(form, turn);
  const from = activeFacet(form, turn);
  if (!facets.some(({ name }) => name === to)) return failure('facet/unknown', unknownFacet(to, facets));
  if (from === null) return null;
  if (from.name === to) return failure('facet/active', `The facet "${to}" is already in force.`);
  if (transition(from, to) === 'denied') {
    return failure(
      'facet/denied',
      `The facet "${from.name}" does not allow a switch to "${to}". Tell the user if it is needed.`,
    );
  }
  return null;
}

function switchFacet(form: FacetedForm, turn: Turn, to: string): Invocation {
  const barred = barrier(form, turn, to);
  if (barred !== null) return barred;
  const rule = 'The model switched the facet: from the next request on another body is the system prompt.';
  return {
    layout: said('facet/switched', rule, `The facet is "${to}" from now on: its instructions and tools are in force.`),
    events: [{ type: 'facet', from: activeFacet(form, turn)?.name ?? null, to, by: 'model' }],
  };
}

/** Whether a switch needs a person's consent first: the condition that the facet in force names. */
export function conditionOf(form: FacetedForm, turn: Turn, call: Call): string | null {
  const to = wordOf(call, 'facet');
  const from = activeFacet(form, turn);
  if (from === null || barrier(form, turn, to) !== null) return null;
  const allowed = transition(from, to);
  return typeof allowed === 'object' ? allowed.condition : null;
}

/** Answers the calls that touch nothing but the session. */
export function invokeFaceted(form: FacetedForm, turn: Turn, call: Call): Invocation | Needs {
  const skillName = toolNames(form).skill;
  return call.name === skillName
    ? invokeSkill(form, turn, wordOf(call, 'name'))
    : switchFacet(form, turn, wordOf(call, 'facet'));
}
