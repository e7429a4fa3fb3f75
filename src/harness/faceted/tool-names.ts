import type { FacetedForm } from './form.ts';

/** What a harness calls the tools that its definitions have a part in. */
export type ToolNames = { skill: string; facet: string; subagent: string; exit: string };

// A face is made to be asked its name, and each request asks many times.
const NAMES = new WeakMap<FacetedForm, ToolNames>();

export function toolNames(form: FacetedForm): ToolNames {
  const known = NAMES.get(form);
  if (known !== undefined) return known;
  const names = {
    skill: form.skillFace([]).name,
    facet: form.facetFace([]).name,
    subagent: form.subagentFace([]).name,
    exit: form.exitFace({}).name,
  };
  NAMES.set(form, names);
  return names;
}
