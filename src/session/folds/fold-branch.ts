import { sha256, toStableJson } from '../../base/index.ts';
import type { Checkpoint, Event, EventOf, Fold, Folded, FoldLookup, Header } from '../../model/index.ts';
import type { FoldSet } from './session-folds.ts';

type Boundary = EventOf<'clear'> | EventOf<'compaction'>;

function fold<S>(one: Fold<S>, state: S, events: readonly Event[], lookup: FoldLookup): S {
  if (one.stepAll !== undefined) return one.stepAll(state, events, lookup);
  return events.reduce((current, event) => one.step(current, event, lookup), state);
}

function eachFold(folds: FoldSet, state: <K extends keyof Folded>(name: K, one: FoldSet[K]) => Folded[K]): Folded {
  const folded: Record<string, unknown> = {};
  for (const name of Object.keys(folds) as (keyof Folded)[]) folded[name] = state(name, folds[name]);
  return folded as Folded;
}

/** The state before the first event. */
function initialState(folds: FoldSet, header: Header): Folded {
  return eachFold(folds, (_name, one) => (one as Fold<never>).initial(header));
}

/** Every fold over further events of the branch. */
export function advance(folds: FoldSet, state: Folded, events: readonly Event[], lookup: FoldLookup): Folded {
  return eachFold(folds, (name, one) => fold(one as Fold<never>, state[name] as never, events, lookup));
}

/** What a clear or a compaction carries: the state before it, history left out. */
export function makeCheckpoint(state: Folded): Checkpoint {
  const { choices, pins, narrowing, directories, todos, plan, planMode, delivery, observed, usage, told, given } =
    state;
  const carried: Omit<Folded, 'history'> = {
    choices,
    pins,
    narrowing,
    directories,
    todos,
    plan,
    planMode,
    delivery,
    observed,
    usage,
    told,
    given,
  };
  return { folds: carried, sha256: sha256(toStableJson(carried)) };
}

/**
 * The state after a branch, root first, of which what lies before the last boundary may be left out as far as
 * `carriesAll` allows. Folding starts at the last boundary, from its checkpoint; a fold that
 * the checkpoint does not hold (a later program's) starts at the root, and so does every one where the checkpoint is
 * damaged. The result is that of folding everything.
 */
export function foldBranch(folds: FoldSet, header: Header, branch: readonly Event[], lookup: FoldLookup): Folded {
  const last = branch.findLastIndex((event) => event.type === 'clear' || event.type === 'compaction');
  const boundary = branch[last] as Boundary | undefined;
  if (boundary === undefined) return advance(folds, initialState(folds, header), branch, lookup);
  const sinceBoundary = branch.slice(last);
  const carried = reliableFolds(boundary.checkpoint);
  return eachFold(folds, (name, one) => {
    const any = one as Fold<never>;
    if (any.checkpoint === 'rebuilt')
      return fold(any, any.initial(header), rebuiltFrom(branch, last, boundary), lookup);
    if (!Object.hasOwn(carried, name)) return fold(any, any.initial(header), branch, lookup);
    return fold(any, carried[name] as never, sinceBoundary, lookup);
  });
}

/** Whether nothing before a boundary with this checkpoint is needed but what its history keeps. */
export function carriesAll(folds: FoldSet, checkpoint: Checkpoint): boolean {
  const carried = reliableFolds(checkpoint);
  const due = (Object.keys(folds) as (keyof Folded)[]).filter((name) => folds[name].checkpoint === 'carried');
  return due.every((name) => Object.hasOwn(carried, name));
}

function reliableFolds({ folds, sha256: hash }: Checkpoint): Record<string, unknown> {
  return hash === sha256(toStableJson(folds)) ? folds : {};
}

/** For a compaction the events from `keptFrom` on; nothing earlier can be in the history. */
function rebuiltFrom(branch: readonly Event[], last: number, boundary: Boundary): readonly Event[] {
  if (boundary.type === 'clear') return branch.slice(last);
  const first = branch.findIndex((event) => event.id === boundary.keptFrom);
  return first < 0 || first > last ? branch.slice(last) : branch.slice(first);
}
