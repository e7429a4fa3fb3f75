import type { SettingOrigin } from './settings.ts';

/** One value: the path of its key, whole names. */
export type Leaf = { path: readonly string[]; value: unknown; origin: SettingOrigin };

/** Values of several sources, later ones in force. Lists are replaced, objects merged. */
export class Layers {
  readonly #leaves = new Map<string, Leaf>();

  /** A value takes the place of everything below its key, and of a plain value above it. */
  set(leaf: Leaf): void {
    for (const [key, other] of this.#leaves) {
      if (isPrefix(leaf.path, other.path) || isPrefix(other.path, leaf.path)) this.#leaves.delete(key);
    }
    this.#leaves.set(JSON.stringify(leaf.path), leaf);
  }

  get(...path: string[]): unknown {
    return this.#leaves.get(JSON.stringify(path))?.value;
  }

  /** All below a key as nested objects. */
  below(...path: string[]): Record<string, unknown> {
    return nest(
      [...this.#leaves.values()].filter((leaf) => isPrefix(path, leaf.path)),
      path.length,
    );
  }

  origins(): Record<string, SettingOrigin> {
    return Object.fromEntries([...this.#leaves.values()].map((leaf) => [leaf.path.join('.'), leaf.origin]));
  }
}

/** The value itself, or what is in an object, down to what is no object or an empty one. */
export function leavesOf(path: readonly string[], value: unknown, origin: SettingOrigin): Leaf[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [{ path, value, origin }];
  const entries = Object.entries(value);
  if (entries.length === 0) return [{ path, value, origin }];
  return entries.flatMap(([name, inner]) => leavesOf([...path, name], inner, origin));
}

function isPrefix(shorter: readonly string[], longer: readonly string[]): boolean {
  return shorter.length <= longer.length && shorter.every((name, index) => name === longer[index]);
}

// By Object.fromEntries, so that a key such as `__proto__` is a property like any other.
function nest(leaves: readonly Leaf[], depth: number): Record<string, unknown> {
  const groups = new Map<string, Leaf[]>();
  for (const leaf of leaves) {
    const name = leaf.path[depth];
    if (name !== undefined) groups.set(name, [...(groups.get(name) ?? []), leaf]);
  }
  return Object.fromEntries(
    [...groups].map(([name, group]) => {
      const [first] = group;
      return [name, first !== undefined && first.path.length === depth + 1 ? first.value : nest(group, depth + 1)];
    }),
  );
}
