import { layoutText, offersTool, skillList, subagentList } from '../../instructions/index.ts';
import type { Laid, Turn } from '../../model/index.ts';
import type { ToolFace } from '../../tools/contract/index.ts';
import type { FacetedForm } from './form.ts';
import { activeFacet, activeSubagent, inventoryOf, skillsOf, spawnedAs, startable } from './inventory.ts';
import { toolNames } from './tool-names.ts';

// Encoders remember what they made of a face by its identity: equal questions get the same objects. A session and the
// subagents that run beside it ask by turns.
const MADE = new WeakMap<FacetedForm, Map<string, readonly ToolFace[]>>();
const MAX_MADE = 16;

function remembered(form: FacetedForm, key: string, make: () => readonly ToolFace[]): readonly ToolFace[] {
  const made = MADE.get(form) ?? new Map<string, readonly ToolFace[]>();
  MADE.set(form, made);
  const faces = made.get(key) ?? make();
  made.delete(key);
  made.set(key, faces);
  const [oldest] = made.keys();
  if (made.size > MAX_MADE && oldest !== undefined) made.delete(oldest);
  return faces;
}

function shown(list: Laid): unknown {
  return [layoutText(list), list.map((item) => ('piece' in item ? item.piece.origin : null))];
}

/** The skills' and the subagents' names and descriptions stand in the descriptions of their tools (seed 004). */
export function toolFaces(form: FacetedForm, turn: Omit<Turn, 'tools'>): readonly ToolFace[] {
  const skills = skillList(skillsOf(form, turn).visible).laid;
  const subagents = subagentList(startable(form, turn));
  const names = inventoryOf(form, turn).facets.map(({ name }) => name);
  const schema = activeSubagent(form, turn)?.keys.exitSchema ?? null;
  const given = [turn.settings.commandTimeoutMs ?? null, names, shown(skills), shown(subagents), schema];
  return remembered(form, JSON.stringify(given), () => [
    ...form.tools(turn.settings),
    form.skillFace(skills),
    form.facetFace(names),
    form.subagentFace(subagents),
    ...(schema === null ? [] : [form.exitFace(schema)]),
  ]);
}

/** Which skills there are for a role is said by its own keys: a list of tools does not take them away. */
function offersSkills(form: FacetedForm, name: string, turn: Omit<Turn, 'tools'>, denied: readonly string[]): boolean {
  return skillsOf(form, turn).visible.length > 0 && !denied.includes(name);
}

/** What starts subagents, and sends them a word. */
function isOfSubagents(form: FacetedForm, name: string): boolean {
  return name === toolNames(form).subagent || name === form.messageTool;
}

/** The exit is always there; whatever belongs to a conversation with a person never is. */
function offersToSubagent(form: FacetedForm, { name }: ToolFace, turn: Omit<Turn, 'tools'>): boolean {
  if (name === toolNames(form).exit) return true;
  const subagent = activeSubagent(form, turn);
  if (subagent === null || name === toolNames(form).facet || form.mainTools.includes(name)) return false;
  const { toolsDeny, spawns } = subagent.keys;
  if (name === toolNames(form).skill) return offersSkills(form, name, turn, toolsDeny);
  // The key says it more plainly than a list of tools could.
  if (isOfSubagents(form, name)) {
    const mayStart = spawns && startable(form, turn).length > 0;
    return mayStart && offersTool({ keys: { ...subagent.keys, tools: null } }, { name });
  }
  return offersTool(subagent, { name });
}

/** Whether the role in force gives the model this tool. */
export function offersFace(form: FacetedForm, face: ToolFace, turn: Omit<Turn, 'tools'>): boolean {
  if (spawnedAs(turn) !== null) return offersToSubagent(form, face, turn);
  const { name } = face;
  if (isOfSubagents(form, name) && startable(form, turn).length === 0) return false;
  const facet = activeFacet(form, turn);
  if (facet === null) return true;
  if (name === toolNames(form).skill) return offersSkills(form, name, turn, facet.keys.toolsDeny);
  return offersTool(facet, { name }, [toolNames(form).facet]);
}
