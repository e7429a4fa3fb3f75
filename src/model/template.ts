import type { Json } from './wire.ts';

/** What a template may use. Undefined names are errors, except below `lenient`. */
export type TemplateContext = {
  /** By name, in no order that a template could see. */
  variables: Readonly<Record<string, Json>>;
  /** Names whose missing fields render empty, with a warning. */
  lenient: readonly string[];
  /** For `has_tool`, `get_tool`, `has_mcp`, `has_skill` and `is_model_variant`. */
  tools: readonly { name: string; description: string }[];
  mcp: readonly string[];
  skills: readonly string[];
  variant: string | null;
};

/** `literal`: spliced in as it is, not rendered. */
export type TemplateFragment = { text: string; literal?: true };

export type RenderRequest = {
  /** Of this rendering in the composition: `facet:scribe`. */
  id: string;
  /** What the template is called in errors: its path, or its URI. */
  name: string;
  text: string;
  /** The file's line, from 1, that `text` begins at. */
  line: number;
  context: TemplateContext;
  /** Null: `transclude` does not exist here. */
  transclude: {
    /** Directory that relative paths start in, absolute; null: there are only URIs. */
    base: string | null;
    /** What is known, by absolute path or URI. */
    fragments: Readonly<Record<string, TemplateFragment>>;
    /** URI schemes of shipped texts, each with `://` to be added; all name the same texts as the first. */
    schemes: readonly string[];
  } | null;
  /** Texts that the template splices in as they are by `embedded(N)`; see `embedReferences`. */
  embedded: readonly string[];
};

/** A stretch of rendered text. `from`: the fragment's path or URI, `embedded:N`, or null for the template itself. */
export type Segment = { text: string; from: string | null };

export type RenderFault = {
  code: 'syntax' | 'undefined' | 'transclude' | 'limit' | 'failed';
  /** One sentence without place. */
  message: string;
  /** Path or URI of the template or fragment at fault. */
  name: string;
  /** From 1; null where the engine does not say. */
  line: number | null;
  column: number | null;
  /** The name that is not defined. */
  variable: string | null;
};

export type RenderResult =
  | { type: 'text'; segments: readonly Segment[]; warnings: readonly string[] }
  /** Rendered again once these fragments (absolute paths) are known. */
  | { type: 'missing'; paths: readonly string[] }
  | { type: 'failed'; fault: RenderFault };
