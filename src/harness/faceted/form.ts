import type { AgainForm, PlanForm } from '../../instructions/index.ts';
import type { HarnessSettings, Json, JsonSchema, Laid, Place, SourceQuery } from '../../model/index.ts';
import type { ToolFace } from '../../tools/contract/index.ts';

/** A role that the program ships. `text`: its body; `keys`: what its front matter would say below the product's key. */
export type ShippedRole = {
  name: string;
  description: string;
  uri: string;
  text: string;
  keys: Readonly<Record<string, Json>>;
};

export type ShippedFacet = ShippedRole;
export type ShippedSubagent = ShippedRole;

/**
 * What the harnesses that place the facet in the system prompt and all else in the history differ in: their places,
 * names and words.
 */
export type FacetedForm = {
  name: string;
  /** Below one of these keys a file's front matter speaks to this program; the first that is there counts. */
  productKeys: readonly string[];
  /** Of the URIs of shipped texts; all name the same texts, in the first of them. */
  schemes: readonly string[];
  /** The project's directory of this harness: `.rein`. */
  inside: string;
  userDirectory(settings: HarnessSettings): string;
  /** Directories of skills, each a directory of its own; the nearest first. */
  skillPlaces(settings: HarnessSettings): readonly Place[];
  /** What else it looks for. */
  moreSources(settings: HarnessSettings): readonly SourceQuery[];
  /** Links to facets and skills are followed. */
  followLinks: boolean;
  facets: readonly ShippedFacet[];
  subagents: readonly ShippedSubagent[];
  /** By URI: every text that a template may transclude. */
  resources: Readonly<Record<string, string>>;
  /** The URI of the shipped base prompt: what an override stands in for. */
  base: string;
  /** The URI of what every subagent’s prompt begins with; nothing stands in for it. */
  subagentBase: string;
  tools(settings: HarnessSettings): readonly ToolFace[];
  skillFace(list: Laid): ToolFace;
  facetFace(names: readonly string[]): ToolFace;
  /** Starts a subagent. */
  subagentFace(list: Laid): ToolFace;
  /** By which a subagent gives its result. */
  exitFace(schema: JsonSchema): ToolFace;
  /** The tool that sends a word to a running subagent. */
  messageTool: string;
  /** Tools that a subagent never has, beside the one that switches facets. */
  mainTools: readonly string[];
  /** How the model asks for all of what a task gave: `the tool job`. */
  allOfOutput: string;
  /** Tools of later versions: a facet may name them without being told that they are unknown. */
  laterTools: readonly string[];
  /** Those that change the todo list, the one to begin with first. */
  todoTools: readonly string[];
  /** What other agents call its tools, lower case, for `allowed-tools` of skills written for them. */
  toolAliases: Readonly<Record<string, string>>;
  chain: AgainForm;
  plan: PlanForm;
  /** The pin that holds the date of the conversation's start. */
  datePin: string;
  /** The pin that holds a subagent’s task, for templates. */
  taskPin: string;
  /** Whether a reload sends delivered files again that were edited since. */
  reloadSupersedes: boolean;
};

/** What a conversation begins with where nobody chose. */
export const DEFAULT_FACET = 'execute';
