import { UsageError } from '../../base/index.ts';
import { layBetween, type Subagent, unknownSubagent } from '../../instructions/index.ts';
import { isNeeds, type Needs, type Turn } from '../../model/index.ts';
import type { FacetedForm } from './form.ts';
import { activeSubagent, inventoryOf, spawnedAs } from './inventory.ts';
import { layRole, SUBAGENT_TEXT } from './lay-role.ts';
import { embedIntoRole } from './references.ts';
import { renderRole } from './render-role.ts';
import type { SystemPrompt } from './system-prompt.ts';
import { whyUnknown } from './why-unknown.ts';

/** The definition of that name as it is now: it may be gone since the run began. */
function found(form: FacetedForm, turn: Turn): Subagent {
  const subagent = activeSubagent(form, turn);
  if (subagent !== null) return subagent;
  const name = spawnedAs(turn) ?? '';
  const names = inventoryOf(form, turn).subagents.map((each) => each.name);
  const why = whyUnknown(form, turn, 'subagents', name);
  const message = `${unknownSubagent(name, names)}${why === null ? '' : `: ${why}`}`;
  throw new UsageError('subagent/unknown', message, { data: { subagent: name } });
}

/** The base by a template that brings it in, so that each text of it has its own origin. */
function baseOf(
  { subagentBase: uri }: FacetedForm,
  { name }: Subagent,
): Pick<Subagent, 'name' | 'path' | 'uri' | 'file' | 'body' | 'scope'> {
  const body = { text: `{{ transclude("${uri}") }}`, line: 1 };
  return { name: `${name}/base`, path: null, uri: null, file: null, scope: 'shipped', body };
}

/**
 * The shipped base prompt, then the body of the definition whose run this session is (rows P43, P47). What replaces the
 * base prompt of facets, or is appended to theirs, has no part in it. Throws UsageError where there is no such definition
 * or it does not render.
 */
export function composeSubagent(form: FacetedForm, turn: Turn): SystemPrompt | Needs {
  const subagent = found(form, turn);
  const base = baseOf(form, subagent);
  const ofBase = { text: base.body.text, embedded: [] };
  const before = renderRole(form, turn, { kind: 'subagent', role: base, body: ofBase, standin: null });
  if (isNeeds(before)) return before;
  const body = embedIntoRole(form, turn, subagent);
  if (isNeeds(body)) return body;
  const own = renderRole(form, turn, { kind: 'subagent', role: subagent, body, standin: null });
  if (isNeeds(own)) return own;
  return {
    laid: layBetween('\n\n', [
      layRole(SUBAGENT_TEXT, base, before.segments, [], null),
      layRole(SUBAGENT_TEXT, subagent, own.segments, body.paths, null),
    ]),
    diagnostics: [...body.diagnostics, ...before.diagnostics, ...own.diagnostics],
  };
}
