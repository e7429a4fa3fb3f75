/** Where one text refers to another: the referring file, null for a prompt, and the place of the reference in it. */
export type LinkPlace = { path: string | null; line: number; column: number };

type Edge = { to: string; place: LinkPlace };

/** Which text refers to which, by real path; texts and references in the order they were added. */
export class LinkGraph {
  readonly #edges = new Map<string, Edge[]>();

  add(from: string, to: string, place: LinkPlace): void {
    const edges = this.#edges.get(from) ?? [];
    edges.push({ to, place });
    this.#edges.set(from, edges);
  }

  /** The references that close a circle, one for each text that such a one leads back to. */
  closing(): Edge[] {
    const closing = new Map<string, Edge>();
    const done = new Set<string>();
    const path = new Set<string>();
    const visit = (node: string): void => {
      path.add(node);
      for (const edge of this.#edges.get(node) ?? []) {
        if (path.has(edge.to)) {
          if (!closing.has(edge.to)) closing.set(edge.to, edge);
        } else if (!done.has(edge.to)) visit(edge.to);
      }
      path.delete(node);
      done.add(node);
    };
    for (const node of this.#edges.keys()) if (!done.has(node)) visit(node);
    return [...closing.values()];
  }
}
