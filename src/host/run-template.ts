import { messageOf } from '../base/index.ts';
import type { TemplateFailure, TemplateJob, TemplateOutcome } from './templates.ts';

/** The part of MiniJinja's environment that is used. */
export interface TemplateEnvironment {
  undefinedBehavior: string;
  debug: boolean;
  fuel: number | null | undefined;
  renderNamedStr(name: string, source: string, context: object): string;
  free(): void;
}

export type MakeTemplateEnvironment = () => TemplateEnvironment;

/** The engine itself broke, rather than refuse the template: it must not be used again. */
class EngineTrap extends Error {}

/**
 * Runs a job on MiniJinja in this thread: nothing bounds its time and memory but fuel. Throws EngineTrap. Escaping stays
 * off, since the names under which sources are rendered have no extension.
 */
export function runTemplate(make: MakeTemplateEnvironment, job: TemplateJob): TemplateOutcome {
  const plain = new TemplateRun(make, job, null);
  const text = plain.render();
  if (plain.failure?.why === 'splices') return { type: 'failed', failure: plain.failure };
  if (plain.unresolved.size > 0) return { type: 'unresolved', targets: [...plain.unresolved] };
  if (plain.missing.size > 0) return { type: 'missing', paths: [...plain.missing] };
  if (plain.failure !== null) return { type: 'failed', failure: plain.failure };
  const { splices } = plain;
  if (splices.length === 0 || job.marks === null) return { type: 'text', text, marked: null, splices };
  const marking = new TemplateRun(make, job, job.marks);
  const marked = marking.render();
  return { type: 'text', text, marked: marking.failure === null ? marked : null, splices };
}

class TemplateRun {
  readonly unresolved: Set<string> = new Set();
  readonly missing: Set<string> = new Set();
  readonly splices: string[] = [];
  failure: TemplateFailure | null = null;
  readonly #make: MakeTemplateEnvironment;
  readonly #job: TemplateJob;
  readonly #marks: number | null;
  readonly #context: object;
  /** Keys of the sources being rendered, the template's first. */
  readonly #chain: string[];
  #trap: unknown;
  #written = 0;

  constructor(make: MakeTemplateEnvironment, job: TemplateJob, marks: number | null) {
    this.#make = make;
    this.#job = job;
    this.#marks = marks;
    this.#chain = [job.main];
    this.#context = this.#templateContext();
  }

  render(): string {
    const text = this.#renderSource(this.#job.main);
    if (this.#trap !== undefined) throw new EngineTrap(messageOf(this.#trap));
    if (this.#marks === null && text.length > this.#job.limits.output) this.#fail({ why: 'output' });
    return this.failure === null ? text : '';
  }

  /** A function that throws would break the engine: each of these returns, and what failed is told after the end. */
  #templateContext(): object {
    const { variables, tools, mcp, skills, variant, targets } = this.#job;
    const named = new Map(tools.map((tool) => [tool.name, tool]));
    const functions: Record<string, (...given: unknown[]) => unknown> = {
      has_tool: (name) => named.has(name as string),
      get_tool: (name) => named.get(name as string) ?? null,
      has_mcp: (name) => mcp.includes(name as string),
      has_skill: (name) => skills.includes(name as string),
      is_model_variant: (name) => variant !== null && variant === name,
      embedded: (index) => this.#embedded(index),
    };
    if (targets !== null) functions.transclude = (target) => this.#transclude(target);
    return { ...variables, ...functions };
  }

  #embedded(index: unknown): string {
    const number = Number(index);
    const text = this.#job.embedded[number];
    if (text === undefined) {
      this.#fail({ why: 'refused', reason: 'there is no such embedded text', source: this.#current(), target: null });
      return '';
    }
    return this.#splice(`embedded:${number}`, null, () => text);
  }

  #transclude(target: unknown): string {
    if (this.failure !== null || this.#trap !== undefined) return '';
    const source = this.#current();
    if (typeof target !== 'string') {
      this.#fail({ why: 'refused', reason: 'transclude takes one text', source, target: null });
      return '';
    }
    const { targets, sources, limits } = this.#job;
    const known = targets?.get(target);
    if (this.unresolved.size + this.missing.size > limits.splices) this.#fail({ why: 'splices', source, target });
    else if (known === undefined) this.unresolved.add(target);
    else if ('missing' in known) this.missing.add(known.missing);
    else if ('refused' in known) this.#fail({ why: 'refused', reason: known.refused, source, target });
    else if (sources[known.key]?.literal === true) {
      return this.#splice(known.key, target, () => sources[known.key]?.text ?? '');
    } else if (this.#chain.includes(known.key)) {
      const chain = [...this.#chain.slice(this.#chain.indexOf(known.key)), known.key];
      this.#fail({ why: 'cycle', chain, source, target });
    } else if (this.#chain.length > limits.depth) this.#fail({ why: 'depth', source, target });
    else return this.#splice(known.key, target, () => this.#within(known.key));
    return '';
  }

  #within(key: string): string {
    this.#chain.push(key);
    const text = this.#renderSource(key);
    this.#chain.pop();
    return text;
  }

  #splice(from: string, target: string | null, text: () => string): string {
    if (this.failure !== null) return '';
    const number = this.splices.push(from) - 1;
    if (number >= this.#job.limits.splices) {
      this.#fail({ why: 'splices', source: this.#current(), target });
      return '';
    }
    const spliced = text();
    this.#written += spliced.length;
    // Each is bounded by the result's own bound, which a template could else pass a few hundred times on its way.
    if (this.#written > 2 * this.#job.limits.output * this.#job.limits.depth) this.#fail({ why: 'output' });
    if (this.#marks === null) return spliced;
    const mark = String.fromCodePoint(this.#marks + 2 + number);
    return `${mark}${String.fromCodePoint(this.#marks)}${spliced}${mark}${String.fromCodePoint(this.#marks + 1)}`;
  }

  #renderSource(key: string): string {
    const environment = this.#make();
    try {
      environment.undefinedBehavior = 'strict';
      environment.debug = true;
      environment.fuel = this.#job.limits.fuel;
      return environment.renderNamedStr('template', this.#job.sources[key]?.text ?? '', this.#context);
    } catch (error) {
      if (error instanceof Error && error.constructor === Error) {
        this.#fail({ why: 'engine', text: error.message.slice(0, MAX_MESSAGE), source: key });
      } else this.#trap ??= error;
      return '';
    } finally {
      if (this.#trap === undefined) environment.free();
    }
  }

  #current(): string {
    return this.#chain.at(-1) ?? this.#job.main;
  }

  /** The first failure is the one that is told. */
  #fail(failure: TemplateFailure): void {
    this.failure ??= failure;
  }
}

/** Characters. The engine shows the lines at fault, and then the variables, which may be large. */
const MAX_MESSAGE = 20_000;
