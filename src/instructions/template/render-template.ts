import { sha256, toStableJson } from '../../base/index.ts';
import type { RenderRequest, RenderResult, Turn } from '../../model/index.ts';
import { outputFault } from './bounds.ts';
import { renderPlain } from './render-plain.ts';
import { isTooLong, mergeSegments } from './segments.ts';

/**
 * Renders a template, or says what to ask the engine: `ask` goes into the composition's needs, and its answer comes
 * back in `rendered`. Text without markup stays as it is, its last newline too; else MiniJinja's rules hold, whoever
 * renders, and a newline at the end is left out. The same request always gives the same answer.
 */
export function renderTemplate(
  request: RenderRequest,
  rendered: Turn['rendered'],
): RenderResult | { ask: RenderRequest } {
  if (!/\{[{%#]/.test(request.text)) return literal(request);
  const plain = renderPlain(request);
  if (plain !== null) return plain;
  const id = askId(request);
  return (
    (rendered !== undefined && Object.hasOwn(rendered, id) ? rendered[id] : undefined) ?? {
      ask: { ...request, id },
    }
  );
}

function literal({ name, text }: RenderRequest): RenderResult {
  const segments = mergeSegments([{ text, from: null }]);
  if (isTooLong(segments)) return { type: 'failed', fault: outputFault(name) };
  return { type: 'text', segments, warnings: [] };
}

/** Another one for whatever else is rendered: an answer holds for the fragments and values that it was made of. */
function askId(request: RenderRequest): string {
  return `${request.id}#${sha256(toStableJson(request)).slice(0, 16)}`;
}
