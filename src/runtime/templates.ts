import type { TemplatePort } from '../harness/contract/index.ts';
import type { TemplateEnginePort, TemplateJob, TemplateOutcome, TemplateTarget } from '../host/index.ts';
import {
  chooseMarks,
  engineFault,
  forgiveField,
  isTooLong,
  MAX_DEPTH,
  MAX_OUTPUT_BYTES,
  MAX_SPLICES,
  mergeSegments,
  readEngineMessage,
  readMarks,
  resolveTarget,
  spliceFault,
  undefinedPaths,
  writtenTargets,
} from '../instructions/index.ts';
import type { RenderRequest, RenderResult } from '../model/index.ts';

/** MiniJinja's steps for one text: some hundred times what a long template takes. */
const FUEL = 5_000_000;
/** Renderings for one request: each finds another level of computed names, or another field to forgive. */
const MAX_ROUNDS = 64;
/** Arguments looked up before they are asked for. */
const MAX_WRITTEN = 512;

/** The templates that need the engine. What a template means is decided here; the engine only runs it. */
export function createTemplates(engine: TemplateEnginePort): TemplatePort {
  return { render: (request) => new EngineRendering(engine, request).run() };
}

type Source = { text: string; literal?: true };
type Failed = Extract<TemplateOutcome, { type: 'failed' }>['failure'];

class EngineRendering {
  readonly #engine: TemplateEnginePort;
  readonly #request: RenderRequest;
  readonly #sources: Record<string, Source>;
  readonly #targets = new Map<string, TemplateTarget>();
  readonly #variables: TemplateJob['variables'];
  readonly #marks: number | null;
  /** Texts that are not as their files are any more. */
  readonly #edited = new Set<string>();
  readonly #warnings = new Set<string>();

  constructor(engine: TemplateEnginePort, request: RenderRequest) {
    const { context, transclude, name, text, embedded } = request;
    this.#engine = engine;
    this.#request = request;
    this.#sources = { ...transclude?.fragments, [name]: { text } };
    this.#variables = {
      ...Object.fromEntries(context.lenient.map((lenient) => [lenient, {}])),
      ...context.variables,
    };
    const texts = Object.values(this.#sources).map((source) => source.text);
    this.#marks = chooseMarks([...texts, ...embedded, JSON.stringify(context)]);
    this.#resolve(texts.flatMap(writtenTargets).slice(0, MAX_WRITTEN));
  }

  async run(): Promise<RenderResult> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const outcome = await this.#engine.run(this.#job());
      if (outcome.type === 'missing') return { type: 'missing', paths: outcome.paths };
      if (outcome.type === 'text') return this.#text(outcome);
      if (outcome.type === 'unresolved') this.#resolve(outcome.targets);
      else if (!this.#forgive(outcome.failure)) return { type: 'failed', fault: this.#fault(outcome.failure) };
    }
    return { type: 'failed', fault: spliceFault(this.#request, { why: 'time' }) };
  }

  #job(): TemplateJob {
    const { name, embedded, context, transclude } = this.#request;
    return {
      main: name,
      sources: this.#sources,
      targets: transclude === null ? null : this.#targets,
      embedded,
      variables: this.#variables,
      tools: context.tools.map((tool) => ({ name: tool.name, description: tool.description })),
      mcp: context.mcp,
      skills: context.skills,
      variant: context.variant,
      limits: { depth: MAX_DEPTH, splices: MAX_SPLICES, output: MAX_OUTPUT_BYTES, fuel: FUEL },
      marks: this.#marks,
    };
  }

  #resolve(written: readonly string[]): void {
    const { transclude } = this.#request;
    if (transclude === null) return;
    for (const target of written) {
      if (!this.#targets.has(target)) this.#targets.set(target, resolveTarget(target, transclude));
    }
  }

  #text({ text, marked, splices }: Extract<TemplateOutcome, { type: 'text' }>): RenderResult {
    const segments = mergeSegments(
      this.#marks === null ? [{ text, from: null }] : readMarks(text, marked, this.#marks, splices),
    );
    if (isTooLong(segments)) return { type: 'failed', fault: spliceFault(this.#request, { why: 'output' }) };
    return { type: 'text', segments, warnings: [...this.#warnings] };
  }

  /** Whether the failure was a missing field that counts as empty; the text at fault says so from now on. */
  #forgive(failure: Failed): boolean {
    if (failure.why !== 'engine') return false;
    const source = this.#sources[failure.source];
    const said = readEngineMessage(failure.text, source?.text ?? '');
    if (source === undefined || said.kind !== 'undefined' || said.at === null || said.line === null) return false;
    const { context } = this.#request;
    for (const path of undefinedPaths(said, context)) {
      const forgiven = forgiveField(said.at.line, path, context);
      if (forgiven === null) continue;
      const lines = source.text.split('\n');
      lines[said.line - 1] = forgiven.line;
      this.#sources[failure.source] = { text: lines.join('\n') };
      this.#edited.add(failure.source);
      this.#warnings.add(`${forgiven.field} is not set and renders as nothing (${failure.source})`);
      return true;
    }
    return false;
  }

  #fault(failure: Failed): ReturnType<typeof spliceFault> {
    if (failure.why !== 'engine') return spliceFault(this.#request, failure);
    const text = this.#sources[failure.source]?.text ?? '';
    const said = readEngineMessage(failure.text, text);
    return engineFault(this.#request, failure.source, said, this.#edited.has(failure.source) ? text : null);
  }
}
