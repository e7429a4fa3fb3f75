import { type Diagnostic, UsageError } from '../../base/index.ts';
import { type Facet, filesOf, layBetween, promptLayers, unknownFacet } from '../../instructions/index.ts';
import { isNeeds, type Laid, type Needs, type Turn } from '../../model/index.ts';
import type { FacetedForm } from './form.ts';
import { activeFacet, activeFacetName, inventoryOf } from './inventory.ts';
import { FACET_TEXT, layRole, type Standin } from './lay-role.ts';
import { embedIntoRole } from './references.ts';
import { renderRole } from './render-role.ts';
import { whyUnknown } from './why-unknown.ts';

export type SystemPrompt = { laid: Laid; diagnostics: readonly Diagnostic[] };

/** SYSTEM.md or a text given for this run, in the place of the shipped base prompt. */
function standinOf(
  form: FacetedForm,
  { world, settings }: Turn,
): { standin: Standin | null; diagnostics: Diagnostic[] } {
  const { laid, diagnostics } = promptLayers({
    base: () => [],
    override: filesOf(world.files, 'override')[0],
    append: undefined,
    flags: settings.flags.append.length === 0 ? settings.flags : { ...settings.flags, append: [] },
    trigger: 'facet-active',
  });
  return { standin: laid.length === 0 ? null : { uri: form.base, laid }, diagnostics };
}

/** APPEND_SYSTEM.md and the texts appended for this run: they follow the facet's body. */
function appendedTo({ world, settings }: Turn): { laid: Laid; diagnostics: Diagnostic[] } {
  return promptLayers({
    base: () => [],
    override: undefined,
    append: filesOf(world.files, 'append')[0],
    flags: { replace: null, append: settings.flags.append },
    trigger: 'facet-active',
  });
}

function found(form: FacetedForm, turn: Turn): Facet {
  const facet = activeFacet(form, turn);
  if (facet !== null) return facet;
  const name = activeFacetName(turn);
  const why = whyUnknown(form, turn, 'facets', name);
  const end = why === null ? '; choose one with --facet' : `: ${why}`;
  const message = `${unknownFacet(name, inventoryOf(form, turn).facets)}${end}`;
  throw new UsageError('facet/unknown', message, { data: { facet: name } });
}

/**
 * The facet in force as the system prompt (seed 004), then what is appended. Throws UsageError where there is no such
 * facet or it does not render: a broken prompt is not sent.
 */
export function composeSystem(form: FacetedForm, turn: Turn): SystemPrompt | Needs {
  const facet = found(form, turn);
  const body = embedIntoRole(form, turn, facet);
  if (isNeeds(body)) return body;
  const { standin, diagnostics: ofStandin } = standinOf(form, turn);
  const rendered = renderRole(form, turn, { kind: 'facet', role: facet, body, standin });
  if (isNeeds(rendered)) return rendered;
  const appended = appendedTo(turn);
  const own = layRole(FACET_TEXT, facet, rendered.segments, body.paths, standin);
  return {
    laid: layBetween('\n\n', [own, appended.laid]),
    diagnostics: [
      ...body.diagnostics,
      ...ofStandin,
      ...appended.diagnostics,
      ...rendered.diagnostics,
      ...unused(facet, own, standin),
    ],
  };
}

/** A replacement of the base prompt does nothing for a facet that does not bring the base prompt in. */
function unused(facet: Facet, laid: Laid, standin: Standin | null): Diagnostic[] {
  const used = standin === null || standin.laid.every((item) => laid.includes(item));
  if (used) return [];
  return [
    {
      severity: 'warning',
      code: 'facet/base-not-used',
      message: `facet "${facet.name}" does not transclude the base prompt, so the text that replaces the base prompt is not sent`,
      ...(facet.path === null ? {} : { path: facet.path }),
    },
  ];
}
