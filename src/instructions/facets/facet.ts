import type { Definition, RoleKeys } from './definition.ts';

export type FacetTransition = { allowed: boolean; condition: string | null };

/** What the front matter says below the product key. */
export type FacetKeys = RoleKeys & {
  /** By target; null: to every facet. */
  facetTransitions: Readonly<Record<string, FacetTransition>> | null;
  autonomousHint: string | null;
  compactionHint: string | null;
  /** `#rrggbb`. */
  color: string | null;
  colorLight: string | null;
  colorDark: string | null;
};

export type Facet = Definition<FacetKeys>;
