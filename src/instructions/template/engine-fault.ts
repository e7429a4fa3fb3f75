import { printable } from '../../base/index.ts';
import type { RenderFault, RenderRequest } from '../../model/index.ts';
import { cycleFault, depthFault, makeFault, outputFault, splicesFault } from './bounds.ts';
import { type EngineMessage, undefinedName } from './engine-message.ts';
import { resolveTarget, type Transclude } from './resolve-target.ts';
import { lineOfTarget, writtenTargets } from './transclude-calls.ts';

/** A fault at a `transclude` call, or of the rendering as a whole; `source` is the name of the text. */
export type SpliceFailure =
  | { why: 'cycle'; chain: readonly string[]; source: string; target: string }
  | { why: 'refused'; reason: string; source: string; target: string | null }
  | { why: 'depth' | 'splices'; source: string; target: string | null }
  | { why: 'output' }
  | { why: 'time' | 'memory' }
  | { why: 'broken'; reason: string };

export function spliceFault(request: RenderRequest, failure: SpliceFailure): RenderFault {
  const whole = { name: request.name, line: null };
  switch (failure.why) {
    case 'cycle':
      return cycleFault(failure.chain, placeOf(request, failure));
    case 'refused':
      return makeFault('transclude', failure.reason, placeOf(request, failure));
    case 'depth':
      return depthFault(placeOf(request, failure));
    case 'splices':
      return splicesFault(placeOf(request, failure));
    case 'output':
      return outputFault(request.name);
    case 'time':
      return makeFault('limit', 'the template takes too long to render', whole);
    case 'memory':
      return makeFault('limit', 'the template needs more memory than a rendering may use', whole);
    case 'broken':
      return makeFault('failed', `the template engine does not work here: ${failure.reason}`, whole);
  }
}

function placeOf(
  request: RenderRequest,
  { source, target }: { source: string; target: string | null },
): { name: string; line: number | null } {
  const line = target === null ? null : lineOfTarget(sourceText(request, source), target);
  return { name: source, line: inFile(request, source, line) };
}

/** `edited`: what was rendered in place of the file's text, where that is not the same; columns are not the file's then. */
export function engineFault(
  request: RenderRequest,
  source: string,
  said: EngineMessage,
  edited: string | null,
): RenderFault {
  const rendered = edited ?? sourceText(request, source);
  const missing = said.kind === 'undefined' ? undefinedName(said, rendered, request.context) : null;
  return {
    code: said.kind,
    message: missing === null ? said.message : `${missing.name} is not defined`,
    name: source,
    line: inFile(request, source, said.line),
    column: edited === null ? (missing?.column ?? said.column) : null,
    variable: missing?.name ?? null,
  };
}

/** For a caller that has asked for a fragment's file (`missing`) and found that there is none. */
export function missingFragmentFault(request: RenderRequest, path: string): RenderFault {
  const { name, text, transclude } = request;
  const sources = [{ source: name, written: text }];
  for (const [source, fragment] of Object.entries(transclude?.fragments ?? {})) {
    if (fragment.literal !== true) sources.push({ source, written: fragment.text });
  }
  for (const { source, written } of sources) {
    const target = writtenTargets(written).find((each) => transclude !== null && isAt(path, each, transclude));
    if (target === undefined) continue;
    const message = `${printable(JSON.stringify(target))} cannot be read: ${printable(path)}`;
    return makeFault('transclude', message, placeOf(request, { source, target }));
  }
  return makeFault('transclude', `a fragment cannot be read: ${printable(path)}`, { name, line: null });
}

function isAt(path: string, target: string, transclude: Transclude): boolean {
  const resolved = resolveTarget(target, transclude);
  return 'missing' in resolved && resolved.missing === path;
}

/** A template begins somewhere in its file, a fragment at its first line. */
function inFile({ name, line: first }: RenderRequest, source: string, line: number | null): number | null {
  return line === null || source !== name ? line : line + first - 1;
}

function sourceText({ name, text, transclude }: RenderRequest, source: string): string {
  if (source === name) return text;
  const fragments = transclude?.fragments ?? {};
  return Object.hasOwn(fragments, source) ? (fragments[source]?.text ?? '') : '';
}
