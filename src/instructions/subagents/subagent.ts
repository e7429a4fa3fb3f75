import type { JsonSchema } from '../../model/index.ts';
import type { Definition, RoleKeys } from '../facets/definition.ts';

/** What the front matter says below the product key. */
export type SubagentKeys = RoleKeys & {
  /** It has what its caller has; a list of its own takes away from that. */
  inheritTools: boolean;
  /** It may start others in turn. */
  spawns: boolean;
  /** Of what it gives to its caller. */
  exitSchema: JsonSchema;
  /** False: it is given no instruction files, in so many words. */
  projectInstructions: boolean;
};

export type Subagent = Definition<SubagentKeys>;
