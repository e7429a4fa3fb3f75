import { isNeeds, type Needs } from '../../model/index.ts';

/** All answers, or everything that any of them still needs. */
export function allOrNeeds<T extends object>(answers: readonly (T | Needs)[]): readonly T[] | Needs {
  const open = answers.filter((answer): answer is Needs => isNeeds(answer));
  if (open.length === 0) return answers as readonly T[];
  return { needs: open.flatMap(({ needs }) => needs), renders: open.flatMap(({ renders }) => renders ?? []) };
}
