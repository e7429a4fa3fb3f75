import type { Diagnostic } from '../../base/index.ts';
import {
  accessibleSkills,
  type Facet,
  filesOf,
  readFacets,
  readSkills,
  readSubagents,
  type Skill,
  type Subagent,
  visibleSkills,
} from '../../instructions/index.ts';
import type { FoundFile, HarnessSettings, SessionState, World } from '../../model/index.ts';
import { DEFAULT_FACET, type FacetedForm } from './form.ts';
import { toolNames } from './tool-names.ts';

/** The facets, subagents and skills that the world holds. */
export type Inventory = {
  facets: readonly Facet[];
  subagents: readonly Subagent[];
  skills: readonly Skill[];
  diagnostics: readonly Diagnostic[];
};

type View = { world: World; settings: HarnessSettings; session: SessionState };

const NO_SETTINGS: HarnessSettings = {
  configHome: '',
  home: '',
  cwd: '',
  flags: { replace: null, append: [] },
  own: {},
};

/** Names that may stand in a role's lists of tools, those of later versions included. */
export function knownTools(form: FacetedForm): readonly string[] {
  const known = KNOWN.get(form);
  if (known !== undefined) return known;
  const { skill, facet, subagent, exit } = toolNames(form);
  const names = [...form.tools(NO_SETTINGS).map(({ name }) => name), skill, facet, subagent, exit, ...form.laterTools];
  KNOWN.set(form, names);
  return names;
}

const KNOWN = new WeakMap<FacetedForm, readonly string[]>();

// One request asks many times of the same world, which never changes.
const READ = new WeakMap<World, { form: FacetedForm; inventory: Inventory }>();

export function inventoryOf(form: FacetedForm, { world }: Pick<View, 'world'>): Inventory {
  const known = READ.get(world);
  if (known?.form === form) return known.inventory;
  const inventory = inventoryIn(
    form,
    DEFINED.flatMap((kind) => filesOf(world.files, kind)),
  );
  READ.set(world, { form, inventory });
  return inventory;
}

const DEFINED = ['facet', 'subagent', 'skill'];

// The next look finds the same objects where no file has changed. A session and its subagents may work in other places.
const READ_BEFORE: { form: FacetedForm; files: readonly FoundFile[]; inventory: Inventory }[] = [];
const MOST_READ = 8;

function inventoryIn(form: FacetedForm, files: readonly FoundFile[]): Inventory {
  const isSame = (others: readonly FoundFile[]): boolean =>
    others.length === files.length && others.every((file, index) => file === files[index]);
  const at = READ_BEFORE.findIndex((each) => each.form === form && isSame(each.files));
  const before = READ_BEFORE.splice(at < 0 ? READ_BEFORE.length : at, 1)[0];
  const entry = before ?? { form, files, inventory: readInventory(form, files) };
  READ_BEFORE.unshift(entry);
  READ_BEFORE.length = Math.min(READ_BEFORE.length, MOST_READ);
  return entry.inventory;
}

function readInventory(form: FacetedForm, files: readonly FoundFile[]): Inventory {
  const { productKeys } = form;
  const rules = { productKeys, knownTools: knownTools(form) };
  const facets = readFacets(filesOf(files, 'facet'), form.facets, rules);
  const subagents = readSubagents(filesOf(files, 'subagent'), form.subagents, rules);
  const skills = readSkills(filesOf(files, 'skill'), { productKeys });
  return {
    facets: facets.facets,
    subagents: subagents.subagents,
    skills: skills.skills,
    diagnostics: [...facets.diagnostics, ...subagents.diagnostics, ...skills.diagnostics],
  };
}

/** The name in force; whether there is such a facet is another question. */
export function activeFacetName({ session, settings }: Omit<View, 'world'>): string {
  return session.choices.facet ?? settings.facet ?? DEFAULT_FACET;
}

/** The name of the definition that this session runs; null: it is a person's session, in which a facet is in force. */
export function spawnedAs({ session }: Pick<View, 'session'>): string | null {
  return session.header.spawnedBy?.agent ?? null;
}

/** Null: no facet has the name in force, or the session is a subagent's. */
export function activeFacet(form: FacetedForm, view: View): Facet | null {
  if (spawnedAs(view) !== null) return null;
  const name = activeFacetName(view);
  return inventoryOf(form, view).facets.find((facet) => facet.name === name) ?? null;
}

/** The subagent whose session this is; null: it is none's, or there is no such definition any more. */
export function activeSubagent(form: FacetedForm, view: View): Subagent | null {
  const name = spawnedAs(view);
  return inventoryOf(form, view).subagents.find((subagent) => subagent.name === name) ?? null;
}

/** Whose keys say which model, tools and skills there are. */
export function activeRole(form: FacetedForm, view: View): Facet | Subagent | null {
  return activeSubagent(form, view) ?? activeFacet(form, view);
}

/** Those that this session may start. */
export function startable(form: FacetedForm, view: View): readonly Subagent[] {
  if (view.settings.startsAgents === false) return [];
  const mayStart = spawnedAs(view) === null || activeSubagent(form, view)?.keys.spawns === true;
  return mayStart ? inventoryOf(form, view).subagents : [];
}

/** The skills that the role in force allows; those the model may see of itself first asked for by `visible`. */
export function skillsOf(form: FacetedForm, view: View): { accessible: readonly Skill[]; visible: readonly Skill[] } {
  const role = activeRole(form, view);
  if (role === null) return { accessible: [], visible: [] };
  const accessible = accessibleSkills(inventoryOf(form, view).skills, role.keys);
  return { accessible, visible: visibleSkills(accessible) };
}
