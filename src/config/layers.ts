import type { SettingOrigin } from './settings.ts';

/** One value: the path of its key, whole names. */
export type Leaf = { path: readonly string[]; value: unknown; origin: SettingOrigin };

type Node = { leaf: Leaf | null; children: Map<string, Node> };

/** Values of several sources, later ones in force. Lists are replaced, objects merged. */
export class Layers {
  readonly #root: Node = { leaf: null, children: new Map() };

  /** A value takes the place of everything below its key, and of a plain value above it. */
  set(leaf: Leaf): void {
    let node = this.#root;
    for (const name of leaf.path) {
      node.leaf = null;
      const child = node.children.get(name) ?? { leaf: null, children: new Map<string, Node>() };
      node.children.set(name, child);
      node = child;
    }
    node.children.clear();
    node.leaf = leaf;
  }

  /** All values as nested objects. */
  values(): unknown {
    return nested(this.#root);
  }

  leaves(): Leaf[] {
    return leavesIn(this.#root);
  }
}

/** The value itself, or what is in an object, down to what is no object or an empty one. */
export function leavesOf(path: readonly string[], value: unknown, origin: SettingOrigin): Leaf[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [{ path, value, origin }];
  const entries = Object.entries(value);
  if (entries.length === 0) return [{ path, value, origin }];
  return entries.flatMap(([name, inner]) => leavesOf([...path, name], inner, origin));
}

// By Object.fromEntries, so that a key such as `__proto__` is a property like any other.
function nested(node: Node): unknown {
  if (node.leaf !== null) return node.leaf.value;
  return Object.fromEntries([...node.children].map(([name, child]) => [name, nested(child)]));
}

function leavesIn(node: Node): Leaf[] {
  return node.leaf !== null ? [node.leaf] : [...node.children.values()].flatMap(leavesIn);
}
