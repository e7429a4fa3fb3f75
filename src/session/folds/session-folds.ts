import type { Fold, Folded } from '../../model/index.ts';
import { choicesFold } from './choices.ts';
import { historyFold } from './history.ts';
import { directoriesFold, narrowingFold, pinsFold, planFold, planModeFold, todosFold } from './latest.ts';
import { observedFold } from './observed.ts';
import { givenFold, toldFold } from './tasks.ts';
import { usageFold } from './usage.ts';

/** One fold for each field of the folded state, under the field's name. */
export type FoldSet = { readonly [K in keyof Folded]: Fold<Folded[K]> };

/** The session's own folds; `delivery` belongs to the instructions and is added by whoever opens a store. */
export const SESSION_FOLDS: Omit<FoldSet, 'delivery'> = {
  history: historyFold,
  choices: choicesFold,
  pins: pinsFold,
  narrowing: narrowingFold,
  directories: directoriesFold,
  todos: todosFold,
  plan: planFold,
  planMode: planModeFold,
  observed: observedFold,
  usage: usageFold,
  told: toldFold,
  given: givenFold,
};
