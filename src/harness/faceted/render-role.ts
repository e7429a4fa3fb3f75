import { join } from 'node:path';
import { type Diagnostic, UsageError } from '../../base/index.ts';
import { type Definition, fileQuery, filesOf, missingFragmentFault, renderTemplate } from '../../instructions/index.ts';
import type { Needs, RenderFault, RenderRequest, Segment, TemplateFragment, Turn } from '../../model/index.ts';
import type { FacetedForm } from './form.ts';
import type { Standin } from './lay-role.ts';
import { facetRoot, fragmentRoot, movedBelow } from './shared-fragments.ts';
import { templateContext } from './template-context.ts';

/** Largest fragment that a template may transclude, bytes. */
const FRAGMENT_CAP = 256 * 1024;

/** A template and what it is called: in codes by its kind, in messages by its name. */
export type RoleTemplate = {
  kind: 'facet' | 'subagent';
  role: Pick<Definition, 'name' | 'path' | 'uri' | 'file' | 'body'>;
  body: { text: string; embedded: readonly string[] };
  standin: Standin | null;
};

export type RenderedRole = { segments: readonly Segment[]; diagnostics: readonly Diagnostic[] };

function textOfStandin({ laid }: Standin): string {
  return laid.map((item) => ('piece' in item ? item.piece.text : item.separator)).join('');
}

/** All that the template may transclude: shipped texts, and the fragments that were found so far. */
function fragmentsOf(
  form: FacetedForm,
  { world }: Turn,
  { role, standin }: RoleTemplate,
): Record<string, TemplateFragment> {
  const fragments: Record<string, TemplateFragment> = {};
  for (const [uri, text] of Object.entries(form.resources)) fragments[uri] = { text };
  if (standin !== null) fragments[standin.uri] = { text: textOfStandin(standin), literal: true };
  const files = filesOf(world.files, 'fragment');
  for (const { path, text } of files) {
    const here = movedBelow(path, facetRoot(role), fragmentRoot(role));
    if (here !== null) fragments[here] = { text };
  }
  // What lies beside the template comes before what its facets share.
  for (const file of files) fragments[file.path] = { text: file.text };
  return fragments;
}

function renderFailed(fault: RenderFault, { kind, role }: RoleTemplate): UsageError {
  const at = [fault.name, fault.line, fault.column].filter((part) => part !== null).join(':');
  const isSaid = fault.variable === null || fault.message.includes(fault.variable);
  const variable = isSaid ? '' : ` (${fault.variable})`;
  return new UsageError(
    `${kind}/render-failed`,
    `${kind} "${role.name}" does not render: ${at}: ${fault.message}${variable}; nothing was sent`,
    { data: { [kind]: role.name, ...fault } },
  );
}

/** Where a fragment is looked for next: beside the template, then where facets keep theirs. Null: nowhere more. */
function nextPlace(
  path: string,
  { role }: RoleTemplate,
  asked: readonly string[],
): { path: string; root: string } | null {
  const root = fragmentRoot(role) ?? '/';
  if (!asked.includes(path)) return { path, root };
  const shared = facetRoot(role);
  const there = movedBelow(path, root, shared);
  return shared === null || there === null || asked.includes(there) ? null : { path: there, root: shared };
}

function needFragments(
  template: RoleTemplate,
  paths: readonly string[],
  { world }: Turn,
  request: RenderRequest,
): Needs {
  const asked = world.searched
    .filter(({ kind }) => kind === 'fragment')
    .flatMap(({ directory, looked }) => looked.map((name) => join(directory, name)));
  const needs = paths.map((path) => {
    const next = nextPlace(path, template, asked);
    if (next !== null) return fileQuery('fragment', next.path, { cap: FRAGMENT_CAP, within: [next.root] });
    const fault = missingFragmentFault(request, path);
    const why = world.diagnostics.find((told) => told.path === path)?.message;
    throw renderFailed(why === undefined ? fault : { ...fault, message: `${fault.message}: ${why}` }, template);
  });
  return { needs };
}

/** Each stretch with the file that it really came from. */
function traced(segments: readonly Segment[], { role }: RoleTemplate, { world }: Turn): readonly Segment[] {
  const found = new Set(filesOf(world.files, 'fragment').map(({ path }) => path));
  return segments.map((segment) => {
    const { from } = segment;
    if (from === null || found.has(from)) return segment;
    const shared = movedBelow(from, fragmentRoot(role), facetRoot(role));
    return shared === null || !found.has(shared) ? segment : { ...segment, from: shared };
  });
}

function requestFor(form: FacetedForm, template: RoleTemplate, turn: Turn): RenderRequest {
  const { kind, role, body } = template;
  return {
    id: `${kind}:${role.name}`,
    name: role.path ?? role.uri ?? role.name,
    text: body.text,
    line: role.body.line,
    context: templateContext(form, turn),
    transclude: {
      base: fragmentRoot(role),
      fragments: fragmentsOf(form, turn, template),
      schemes: form.schemes,
    },
    embedded: body.embedded,
  };
}

/** The template as text. Throws UsageError where it does not render: a broken prompt is not sent. */
export function renderRole(form: FacetedForm, turn: Turn, template: RoleTemplate): RenderedRole | Needs {
  const request = requestFor(form, template, turn);
  const result = renderTemplate(request, turn.rendered);
  if ('ask' in result) return { needs: [], renders: [result.ask] };
  if (result.type === 'missing') return needFragments(template, result.paths, turn, request);
  if (result.type === 'failed') throw renderFailed(result.fault, template);
  const { kind, role } = template;
  const diagnostics = result.warnings.map(
    (message): Diagnostic => ({
      severity: 'warning',
      code: `${kind}/render-warning`,
      message: `${kind} "${role.name}": ${message}`,
      ...(role.path === null ? {} : { path: role.path }),
    }),
  );
  return { segments: traced(result.segments, template, turn), diagnostics };
}
