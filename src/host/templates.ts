/** What a `transclude` call's argument means: a source's key, a file that is not known yet, or why it is refused. */
export type TemplateTarget = { key: string } | { missing: string } | { refused: string };

export type TemplateLimits = {
  depth: number;
  splices: number;
  /** UTF-16 units of the result. */
  output: number;
  /** The engine's own steps, for each source. */
  fuel: number;
};

/** One rendering, as plain data: it goes to another thread. */
export type TemplateJob = {
  /** The template's own key in `sources`. */
  main: string;
  sources: Readonly<Record<string, { text: string; literal?: true }>>;
  /** By the argument as written; null: there is no `transclude`. */
  targets: ReadonlyMap<string, TemplateTarget> | null;
  embedded: readonly string[];
  /** JSON values. Templates see the keys of objects sorted, whatever order they had: an order that matters is a list. */
  variables: Readonly<Record<string, unknown>>;
  tools: readonly { name: string; description: string }[];
  mcp: readonly string[];
  skills: readonly string[];
  variant: string | null;
  limits: TemplateLimits;
  /** Code point of the first mark; see `TemplateOutcome`. Null: no marks are wanted. */
  marks: number | null;
};

/** `source`: the key of the text at fault. `target`: the argument of the `transclude` call that is. */
export type TemplateFailure =
  | { why: 'engine'; text: string; source: string }
  | { why: 'cycle'; chain: readonly string[]; source: string; target: string }
  | { why: 'refused'; reason: string; source: string; target: string | null }
  | { why: 'depth' | 'splices'; source: string; target: string | null }
  | { why: 'output' }
  /** It used too much, and the engine was thrown away. */
  | { why: 'time' | 'memory' }
  /** The engine could not be started, or failed by itself. */
  | { why: 'broken'; reason: string };

export type TemplateOutcome =
  | {
      type: 'text';
      text: string;
      /**
       * The same, rendered with marks: before and after the text of splice number n (from 0) the characters
       * `marks + 2 + n` and then `marks` (start) or `marks + 1` (end). Null: nothing was spliced, or none were wanted.
       */
      marked: string | null;
      /** Of each splice: a source's key, or `embedded:N`. */
      splices: readonly string[];
    }
  /** `transclude` was called with these, which `targets` does not have. */
  | { type: 'unresolved'; targets: readonly string[] }
  | { type: 'missing'; paths: readonly string[] }
  | { type: 'failed'; failure: TemplateFailure };

/** The template engine. Templates are hostile: a rendering ends within bounds of time and memory, whatever it holds. */
export interface TemplateEnginePort {
  /** Starts what takes its time, for a rendering that will probably be asked for. */
  prepare(): void;
  /** Never rejects. */
  run(job: TemplateJob): Promise<TemplateOutcome>;
}
