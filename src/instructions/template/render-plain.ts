import type {
  Json,
  RenderRequest,
  RenderResult,
  Segment,
  TemplateContext,
  TemplateFragment,
} from '../../model/index.ts';
import {
  cycleFault,
  depthFault,
  MAX_DEPTH,
  MAX_OUTPUT_BYTES,
  MAX_SPLICES,
  makeFault,
  outputFault,
  RenderStop,
  splicesFault,
} from './bounds.ts';
import type { Condition, Output, PathExpression } from './plain-expression.ts';
import { type PlainNode, parsePlain } from './plain-template.ts';
import { resolveTarget } from './resolve-target.ts';
import { isTooLong, mergeSegments } from './segments.ts';

/** Something that only the engine decides: a name that is not defined, a value that is not simply text. */
class NotPlain extends Error {}

/** A template that is being rendered: what it is called, where its first line lies, whose text it writes. */
type Frame = { name: string; line: number; from: string | null };

/** MiniJinja's result without MiniJinja; null where the template, or a fragment that it reaches, is not plain. */
export function renderPlain(request: RenderRequest): RenderResult | null {
  try {
    return new PlainRendering(request).run();
  } catch (error) {
    if (error instanceof NotPlain) return null;
    if (error instanceof RenderStop) return { type: 'failed', fault: error.fault };
    throw error;
  }
}

class PlainRendering {
  readonly #request: RenderRequest;
  readonly #parsed = new Map<string, readonly PlainNode[]>();
  readonly #missing = new Set<string>();
  readonly #segments: Segment[] = [];
  /** Of the fragments being rendered, the template first. */
  readonly #chain: string[];
  #splices = 0;
  #length = 0;

  constructor(request: RenderRequest) {
    this.#request = request;
    this.#chain = [request.name];
  }

  run(): RenderResult {
    const { name, text, line } = this.#request;
    this.#render(text, { name, line, from: null });
    if (this.#missing.size > 0) return { type: 'missing', paths: [...this.#missing] };
    const segments = mergeSegments(this.#segments);
    if (isTooLong(segments)) throw new RenderStop(outputFault(name));
    return { type: 'text', segments, warnings: [] };
  }

  #render(source: string, frame: Frame): void {
    const known = frame.from === null ? undefined : this.#parsed.get(frame.from);
    const nodes = known ?? parsePlain(source);
    if (nodes === null) throw new NotPlain();
    if (frame.from !== null) this.#parsed.set(frame.from, nodes);
    this.#renderNodes(nodes, frame);
  }

  #renderNodes(nodes: readonly PlainNode[], frame: Frame): void {
    for (const node of nodes) {
      if (node.type === 'text') this.#write(node.text, frame.from);
      else if (node.type === 'output') this.#output(node.output, frame, frame.line + node.line - 1);
      else {
        const branch = node.branches.find(({ when }) => when === null || isTrue(when, this.#request.context));
        if (branch !== undefined) this.#renderNodes(branch.nodes, frame);
      }
    }
  }

  #output(output: Output, frame: Frame, line: number): void {
    if (output.type === 'string') this.#write(output.text, frame.from);
    else if (output.type === 'path') this.#write(shownValue(valueAt(output, this.#request.context)), frame.from);
    else if (output.type === 'transclude') this.#transclude(output.target, { name: frame.name, line });
    else {
      const text = this.#request.embedded[output.index];
      if (text === undefined) throw new NotPlain();
      this.#count({ name: frame.name, line });
      this.#write(text, `embedded:${output.index}`);
    }
  }

  #transclude(target: string, place: { name: string; line: number }): void {
    const { transclude } = this.#request;
    if (transclude === null) throw new NotPlain();
    const resolved = resolveTarget(target, transclude);
    if ('refused' in resolved) throw new RenderStop(makeFault('transclude', resolved.refused, place));
    if ('missing' in resolved) {
      this.#missing.add(resolved.missing);
      return;
    }
    this.#splice(resolved.key, transclude.fragments[resolved.key] ?? { text: '' }, place);
  }

  #splice(key: string, fragment: TemplateFragment, place: { name: string; line: number }): void {
    this.#count(place);
    if (fragment.literal === true) {
      this.#write(fragment.text, key);
      return;
    }
    const start = this.#chain.indexOf(key);
    if (start >= 0) throw new RenderStop(cycleFault([...this.#chain.slice(start), key], place));
    if (this.#chain.length > MAX_DEPTH) throw new RenderStop(depthFault(place));
    this.#chain.push(key);
    this.#render(fragment.text, { name: key, line: 1, from: key });
    this.#chain.pop();
  }

  #count(place: { name: string; line: number }): void {
    this.#splices += 1;
    if (this.#splices > MAX_SPLICES) throw new RenderStop(splicesFault(place));
  }

  #write(text: string, from: string | null): void {
    this.#length += text.length;
    if (this.#length > MAX_OUTPUT_BYTES) throw new RenderStop(outputFault(this.#request.name));
    this.#segments.push({ text, from });
  }
}

function isTrue(condition: Condition, context: TemplateContext): boolean {
  switch (condition.type) {
    case 'not':
      return !isTrue(condition.of, context);
    case 'and':
      return condition.of.every((part) => isTrue(part, context));
    case 'or':
      return condition.of.some((part) => isTrue(part, context));
    case 'equals': {
      const value = valueAt(condition.path, context);
      const equal = typeof value === 'string' && value.toWellFormed() === condition.text.toWellFormed();
      return equal !== condition.negated;
    }
    case 'call':
      return isKnown(condition.name, condition.argument, context);
    case 'path':
      return isTruthy(valueAt(condition, context));
  }
}

function isKnown(
  name: Extract<Condition, { type: 'call' }>['name'],
  argument: string,
  context: TemplateContext,
): boolean {
  switch (name) {
    case 'has_tool':
      return context.tools.some((tool) => tool.name === argument);
    case 'has_mcp':
      return context.mcp.includes(argument);
    case 'has_skill':
      return context.skills.includes(argument);
    case 'is_model_variant':
      return context.variant === argument;
  }
}

function isTruthy(value: Json): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

function valueAt({ names }: PathExpression, { variables }: TemplateContext): Json {
  let value: Json | undefined = variables as { [key: string]: Json };
  for (const name of names) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) {
      throw new NotPlain();
    }
    value = value[name];
  }
  if (value === undefined) throw new NotPlain();
  return value;
}

/** Numbers that both sides write in one way. */
function shownValue(value: Json): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (value === null) return 'none';
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  throw new NotPlain();
}
