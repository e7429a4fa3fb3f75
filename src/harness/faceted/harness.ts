import { facetColour, inTag, lay, modelWish } from '../../instructions/index.ts';
import type { Laid, Piece } from '../../model/index.ts';
import type { EndedTask, FacetList, FacetView, Harness, ModelWish, SubagentSummary } from '../contract/index.ts';
import { endedPiece } from '../faces/task-ended.ts';
import { chatOnly } from '../wires.ts';
import { facetedCompaction } from './compaction.ts';
import { composeFaceted } from './compose.ts';
import { discoveredReminders } from './discovered.ts';
import { expandTyped } from './expand.ts';
import type { FacetedForm } from './form.ts';
import { gateFaceted } from './gate.ts';
import { activeFacetName, activeRole, inventoryOf, knownTools, spawnedAs, startable } from './inventory.ts';
import { invokeFaceted } from './invoke.ts';
import { reloadedReminders } from './reloaded.ts';
import { facetedSources } from './sources.ts';
import { offersFace, toolFaces } from './tool-faces.ts';
import { toolNames } from './tool-names.ts';

/** In a subagent's session there is none. */
function facetList(form: FacetedForm, view: FacetView): FacetList {
  if (spawnedAs(view) !== null) return { active: '', facets: [] };
  const facets = inventoryOf(form, view).facets.map((facet) => {
    const { name, description, scope, path } = facet;
    const colours = { light: facetColour(facet, 'light'), dark: facetColour(facet, 'dark') };
    return { name, description, scope, path, colours };
  });
  return { active: activeFacetName(view), facets };
}

function wish(form: FacetedForm, view: FacetView): ModelWish | null {
  const role = activeRole(form, view);
  if (role === null) return null;
  const wished = modelWish(role, view.settings.miniModel ?? null);
  const kind = spawnedAs(view) === null ? 'facet' : 'subagent';
  return wished === null ? null : { ...wished, by: `${kind} "${role.name}"`, scope: role.scope };
}

function subagentSummaries(form: FacetedForm, view: FacetView): SubagentSummary[] {
  return startable(form, view).map(({ name, description, scope, path, keys, body }) => {
    const readsPlan = body.text.includes('active_plan');
    return { name, description, scope, path, spawns: keys.spawns, readsPlan };
  });
}

function ended({ chain: { tag }, allOfOutput: more }: FacetedForm, task: EndedTask): Laid {
  return inTag(tag, lay(endedPiece(task, { tag, more }), 'notice'), '\n');
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
    gate: (call, turn, others) => gateFaceted(form, turn, call, others),
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
    subagents: { list: (view) => subagentSummaries(form, view), exitTool: toolNames(form).exit },
    taskEnded: (task) => ended(form, task),
    resources: form.resources,
    definitions: { productKeys: form.productKeys, knownTools: knownTools(form) },
  };
}
