import type { RenderFault } from '../../model/index.ts';

/** Fragments within fragments, the template itself not counted. */
export const MAX_DEPTH = 8;
/** Texts spliced in by one rendering, embedded ones too. */
export const MAX_SPLICES = 256;
/** UTF-8. Above the largest SYSTEM.md (2 MiB), which stands in for a shipped text. */
export const MAX_OUTPUT_BYTES: number = 4 * 1024 * 1024;

/** A rendering ends here; `fault` is what its caller is told. Never leaves this folder. */
export class RenderStop extends Error {
  readonly fault: RenderFault;

  constructor(fault: RenderFault) {
    super(fault.message);
    this.fault = fault;
  }
}

type Place = { name: string; line: number | null };

export function makeFault(code: RenderFault['code'], message: string, { name, line }: Place): RenderFault {
  return { code, message, name, line, column: null, variable: null };
}

export function cycleFault(chain: readonly string[], place: Place): RenderFault {
  return makeFault('transclude', `the fragments transclude each other in a circle: ${chain.join(' → ')}`, place);
}

export function depthFault(place: Place): RenderFault {
  return makeFault('limit', `fragments transclude each other more than ${MAX_DEPTH} levels deep`, place);
}

export function splicesFault(place: Place): RenderFault {
  return makeFault('limit', `more than ${MAX_SPLICES} texts are transcluded or embedded in one rendering`, place);
}

export function outputFault(name: string): RenderFault {
  return makeFault('limit', `the rendered text is longer than ${MAX_OUTPUT_BYTES / 1024} KiB`, { name, line: null });
}
