import { layoutText, offersTool, skillList } from '../../instructions/index.ts';
import type { Turn } from '../../model/index.ts';
import type { ToolFace } from '../../tools/contract/index.ts';
import type { FacetedForm } from './form.ts';
import { activeFacet, inventoryOf, skillsOf } from './inventory.ts';

// Encoders remember what they made of a face by its identity: equal questions get the same objects.
const MADE = new WeakMap<FacetedForm, { key: string; faces: readonly ToolFace[] }>();

/** The skills' names and descriptions stand in the description of the tool that loads them (seed 004). */
export function toolFaces(form: FacetedForm, turn: Omit<Turn, 'tools'>): readonly ToolFace[] {
  const list = skillList(skillsOf(form, turn).visible).laid;
  const names = inventoryOf(form, turn).facets.map(({ name }) => name);
  const pieces = list.map((item) => ('piece' in item ? item.piece.origin : null));
  const key = JSON.stringify([turn.settings.commandTimeoutMs ?? null, names, layoutText(list), pieces]);
  const known = MADE.get(form);
  if (known?.key === key) return known.faces;
  const faces = [...form.tools(turn.settings), form.skillFace(list), form.facetFace(names)];
  MADE.set(form, { key, faces });
  return faces;
}

/** Whether the facet in force gives the model this tool. */
export function offersFace(form: FacetedForm, { name }: ToolFace, turn: Omit<Turn, 'tools'>): boolean {
  const facet = activeFacet(form, turn);
  if (facet === null) return true;
  // Which skills there are for it is said by its own keys: a list of tools does not take them away.
  if (name === form.skillFace([]).name) {
    return skillsOf(form, turn).visible.length > 0 && !facet.keys.toolsDeny.includes(name);
  }
  return offersTool(facet, { name }, [form.facetFace([]).name]);
}
