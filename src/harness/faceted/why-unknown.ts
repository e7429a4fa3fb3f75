import type { Diagnostic } from '../../base/index.ts';
import type { Turn } from '../../model/index.ts';
import type { FacetedForm } from './form.ts';
import { inventoryOf } from './inventory.ts';

/** Reasons for which files of a kind are not looked at at all. */
function unseen(many: string): readonly string[] {
  return ['discovery/leads-outside', 'discovery/too-many', `${many}/too-many`];
}

/** Why there is no role of that name though a file may be there; null: nothing was found that would say. */
export function whyUnknown(form: FacetedForm, turn: Turn, many: 'facets' | 'subagents', name: string): string | null {
  const hidden = unseen(many);
  const told: readonly Diagnostic[] = [
    ...inventoryOf(form, turn).diagnostics.filter(
      ({ severity, code }) => severity === 'error' || hidden.includes(code),
    ),
    ...turn.world.diagnostics,
  ];
  const reason =
    told.find(({ path }) => path?.endsWith(`/${many}/${name}.md`)) ??
    told.find(({ code, path = `/${many}` }) => hidden.includes(code) && path.endsWith(`/${many}`));
  if (reason === undefined) return null;
  const at = [reason.path, reason.line].filter((part) => part !== undefined);
  return `${at.length === 0 ? '' : `${at.join(':')}: `}${reason.message}`;
}
