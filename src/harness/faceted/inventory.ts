import type { Diagnostic } from '../../base/index.ts';
import {
  accessibleSkills,
  type Facet,
  filesOf,
  readFacets,
  readSkills,
  type Skill,
  visibleSkills,
} from '../../instructions/index.ts';
import type { HarnessSettings, SessionState, World } from '../../model/index.ts';
import { DEFAULT_FACET, type FacetedForm } from './form.ts';

/** The facets and skills that the world holds. */
export type Inventory = {
  facets: readonly Facet[];
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

/** Names that may stand in a facet's lists of tools, those of later versions included. */
export function knownTools(form: FacetedForm): readonly string[] {
  const faces = [...form.tools(NO_SETTINGS), form.skillFace([]), form.facetFace([])];
  return [...faces.map(({ name }) => name), ...form.laterTools];
}

// One request asks many times of the same world, which never changes.
const READ = new WeakMap<World, { form: FacetedForm; inventory: Inventory }>();

export function inventoryOf(form: FacetedForm, { world }: Pick<View, 'world'>): Inventory {
  const known = READ.get(world);
  if (known?.form === form) return known.inventory;
  const { productKeys } = form;
  const facets = readFacets(filesOf(world.files, 'facet'), form.facets, {
    productKeys,
    knownTools: knownTools(form),
  });
  const skills = readSkills(filesOf(world.files, 'skill'), { productKeys });
  const inventory = {
    facets: facets.facets,
    skills: skills.skills,
    diagnostics: [...facets.diagnostics, ...skills.diagnostics],
  };
  READ.set(world, { form, inventory });
  return inventory;
}

/** The name in force; whether there is such a facet is another question. */
export function activeFacetName({ session, settings }: Omit<View, 'world'>): string {
  return session.choices.facet ?? settings.facet ?? DEFAULT_FACET;
}

/** Null: no facet has the name in force. */
export function activeFacet(form: FacetedForm, view: View): Facet | null {
  const name = activeFacetName(view);
  return inventoryOf(form, view).facets.find((facet) => facet.name === name) ?? null;
}

/** The skills that the facet in force allows; those the model may see of itself first asked for by `visible`. */
export function skillsOf(form: FacetedForm, view: View): { accessible: readonly Skill[]; visible: readonly Skill[] } {
  const facet = activeFacet(form, view);
  if (facet === null) return { accessible: [], visible: [] };
  const accessible = accessibleSkills(inventoryOf(form, view).skills, facet.keys);
  return { accessible, visible: visibleSkills(accessible) };
}
