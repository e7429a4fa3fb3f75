import { facetColour, inTag, lay, modelWish } from '../../instructions/index.ts';
import type { Laid, Piece } from '../../model/index.ts';
import type { FacetList, FacetView, Harness, ModelWish } from '../contract/index.ts';
import { chatOnly } from '../wires.ts';
import { facetedCompaction } from './compaction.ts';
import { composeFaceted } from './compose.ts';
import { discoveredReminders } from './discovered.ts';
import { expandTyped } from './expand.ts';
import type { FacetedForm } from './form.ts';
import { gateFaceted } from './gate.ts';
import { activeFacet, activeFacetName, inventoryOf, knownTools } from './inventory.ts';
import { invokeFaceted } from './invoke.ts';
import { reloadedReminders } from './reloaded.ts';
import { facetedSources } from './sources.ts';
import { offersFace, toolFaces } from './tool-faces.ts';

function facetList(form: FacetedForm, view: FacetView): FacetList {
  const facets = inventoryOf(form, view).facets.map((facet) => {
    const { name, description, scope, path } = facet;
    const colours = { light: facetColour(facet, 'light'), dark: facetColour(facet, 'dark') };
    return { name, description, scope, path, colours };
  });
  return { active: activeFacetName(view), facets };
}

function wish(form: FacetedForm, view: FacetView): ModelWish | null {
  const facet = activeFacet(form, view);
  if (facet === null) return null;
  const wished = modelWish(facet);
  return wished === null ? null : { ...wished, by: `facet "${facet.name}"`, scope: facet.scope };
}

function notice({ tag }: { tag: string }, piece: Piece): Laid {
  return inTag(tag, lay(piece, 'notice'), '\n');
}

/** A harness that places the facet in the system prompt and all else in the history (seed 004). */
export function facetedHarness(form: FacetedForm): Harness {
  return {
    name: form.name,
    wires: chatOnly(form.name, { fields: [], toolsWhenEmpty: 'omit', trimUserNewlines: false }),
    schedule: { parallel: true, identicalCallsOnce: false, onSteer: 'after-batch' },
    sources: ({ settings }) => facetedSources(form, settings),
    expand: (typed, turn) => expandTyped(form, turn, typed),
    compose: (turn) => composeFaceted(form, turn),
    tools: (turn) => toolFaces(form, turn),
    gate: (call, turn) => gateFaceted(form, turn, call),
    finish: (_call, parts) => parts,
    afterBatch: (turn, batch) => discoveredReminders(form, turn, batch),
    notice: (piece) => notice(form.chain, piece),
    stop: () => null,
    compaction: facetedCompaction(form),
    facets: (view) => facetList(form, view),
    wish: (view) => wish(form, view),
    offers: (face, turn) => offersFace(form, face, turn),
    invoke: (call, turn) => invokeFaceted(form, turn, call),
    reloaded: (turn) => reloadedReminders(form, turn),
    resources: form.resources,
    definitions: { productKeys: form.productKeys, knownTools: knownTools(form) },
  };
}
