import { dirname, join } from 'node:path';
import { type Diagnostic, UsageError } from '../../base/index.ts';
import {
  type Facet,
  fileQuery,
  filesOf,
  layBetween,
  missingFragmentFault,
  promptLayers,
  renderTemplate,
  unknownFacet,
} from '../../instructions/index.ts';
import {
  isNeeds,
  type Laid,
  type Needs,
  type RenderFault,
  type RenderRequest,
  type TemplateFragment,
  type Turn,
} from '../../model/index.ts';
import type { FacetedForm } from './form.ts';
import { activeFacet, activeFacetName, inventoryOf } from './inventory.ts';
import { layFacet, type Standin } from './lay-facet.ts';
import { embedIntoFacet } from './references.ts';
import { templateContext } from './template-context.ts';

export type SystemPrompt = { laid: Laid; diagnostics: readonly Diagnostic[] };

/** Largest fragment that a template may transclude, bytes. */
const FRAGMENT_CAP = 256 * 1024;

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

function textOfStandin({ laid }: Standin): string {
  return laid.map((item) => ('piece' in item ? item.piece.text : item.separator)).join('');
}

/** All that the facet's template may transclude: shipped texts, and the fragments that were found so far. */
function fragmentsOf(form: FacetedForm, { world }: Turn, standin: Standin | null): Record<string, TemplateFragment> {
  const fragments: Record<string, TemplateFragment> = {};
  for (const [uri, text] of Object.entries(form.resources)) fragments[uri] = { text };
  if (standin !== null) fragments[standin.uri] = { text: textOfStandin(standin), literal: true };
  for (const file of filesOf(world.files, 'fragment')) fragments[file.path] = { text: file.text };
  return fragments;
}

function renderFailed(fault: RenderFault, facet: Facet): UsageError {
  const at = [fault.name, fault.line, fault.column].filter((part) => part !== null).join(':');
  const variable = fault.variable === null ? '' : ` (${fault.variable})`;
  return new UsageError(
    'facet/render-failed',
    `facet "${facet.name}" does not render: ${at}: ${fault.message}${fault.variable !== null && fault.message.includes(fault.variable) ? '' : variable}; nothing was sent`,
    { data: { facet: facet.name, ...fault } },
  );
}

function needFragments(facet: Facet, paths: readonly string[], { world }: Turn, request: RenderRequest): Needs {
  const asked = world.searched
    .filter(({ kind }) => kind === 'fragment')
    .flatMap(({ directory, looked }) => looked.map((name) => join(directory, name)));
  const absent = paths.find((path) => asked.includes(path));
  if (absent !== undefined) {
    const fault = missingFragmentFault(request, absent);
    const why = world.diagnostics.find(({ path }) => path === absent)?.message;
    throw renderFailed(why === undefined ? fault : { ...fault, message: `${fault.message}: ${why}` }, facet);
  }
  const root = facet.file === null ? '/' : dirname(facet.file.realPath);
  return { needs: paths.map((path) => fileQuery('fragment', path, { cap: FRAGMENT_CAP, within: [root] })) };
}

function requestFor(
  form: FacetedForm,
  facet: Facet,
  turn: Turn,
  standin: Standin | null,
  body: { text: string; embedded: readonly string[] },
): RenderRequest {
  return {
    id: `facet:${facet.name}`,
    name: facet.path ?? facet.uri ?? facet.name,
    text: body.text,
    line: facet.body.line,
    context: templateContext(form, turn),
    transclude: {
      base: facet.file === null ? null : dirname(facet.file.realPath),
      fragments: fragmentsOf(form, turn, standin),
      schemes: form.schemes,
    },
    embedded: body.embedded,
  };
}

/** Reasons for which files of facets are not looked at at all. */
const UNSEEN: readonly string[] = ['discovery/leads-outside', 'discovery/too-many', 'facets/too-many'];

/** Why there is no facet of that name though a file may be there; else what to do. */
function whyUnknown(name: string, told: readonly Diagnostic[]): string {
  const reason =
    told.find(({ path }) => path?.endsWith(`/${name}.md`)) ??
    told.find(({ code, path = '/facets' }) => UNSEEN.includes(code) && path.endsWith('/facets'));
  if (reason === undefined) return '; choose one with --facet';
  const at = [reason.path, reason.line].filter((part) => part !== undefined);
  return `: ${at.length === 0 ? '' : `${at.join(':')}: `}${reason.message}`;
}

function found(form: FacetedForm, turn: Turn): Facet {
  const facet = activeFacet(form, turn);
  if (facet !== null) return facet;
  const name = activeFacetName(turn);
  const { facets, diagnostics } = inventoryOf(form, turn);
  const graver = diagnostics.filter(({ severity, code }) => severity === 'error' || UNSEEN.includes(code));
  const why = whyUnknown(name, [...graver, ...turn.world.diagnostics]);
  throw new UsageError('facet/unknown', `${unknownFacet(name, facets)}${why}`, { data: { facet: name } });
}

/**
 * The facet in force as the system prompt (seed 004), then what is appended. Throws UsageError where there is no such
 * facet or it does not render: a broken prompt is not sent.
 */
export function composeSystem(form: FacetedForm, turn: Turn): SystemPrompt | Needs {
  const facet = found(form, turn);
  const body = embedIntoFacet(form, turn, facet);
  if (isNeeds(body)) return body;
  const { standin, diagnostics: ofStandin } = standinOf(form, turn);
  const request = requestFor(form, facet, turn, standin, body);
  const result = renderTemplate(request, turn.rendered);
  if ('ask' in result) return { needs: [], renders: [result.ask] };
  if (result.type === 'missing') return needFragments(facet, result.paths, turn, request);
  if (result.type === 'failed') throw renderFailed(result.fault, facet);
  const appended = appendedTo(turn);
  const own = layFacet(facet, result.segments, body.paths, standin);
  return {
    laid: layBetween('\n\n', [own, appended.laid]),
    diagnostics: [
      ...body.diagnostics,
      ...ofStandin,
      ...appended.diagnostics,
      ...warnings(facet, result.warnings),
      ...unused(facet, own, standin),
    ],
  };
}

function warnings(facet: Facet, messages: readonly string[]): Diagnostic[] {
  return messages.map((message) => ({
    severity: 'warning',
    code: 'facet/render-warning',
    message: `facet "${facet.name}": ${message}`,
    ...(facet.path === null ? {} : { path: facet.path }),
  }));
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
