import { byteLength } from '../../base/index.ts';
import type { FoundFile } from '../../model/index.ts';

/** Of all bodies but the root's, and files outside the chain that may have one (rows P49, P50). */
const MAX_BYTES = 64 * 1024;
const MAX_RECENT = 5;

/** A file that could be given again. `text`: as the model would get it. */
export type Candidate = { file: FoundFile; text: string };

export type Selection<C extends Candidate> = {
  /** In the order given. */
  bodies: readonly C[];
  /** Named by their paths alone, in the order given. `why`: a clause. */
  paths: readonly { candidate: C; why: string }[];
};

export type SelectionRules = {
  /** Real path of the file that always keeps its body; null: there is none. */
  root: string | null;
  /** Real paths of the chain's members. */
  chain: ReadonlySet<string>;
  /** Real paths, the last used last. */
  used: readonly string[];
  /** Files that the kept part of the conversation shows whole. */
  kept: Readonly<Record<string, { event: string; sha256: string }>>;
};

/**
 * Which instruction files go out with their text after the conversation was made shorter: the root's always, the others
 * by how lately they were used, as far as there is room (seed 004). A file that is still in sight, or says the same as
 * another, is named only.
 */
export function selectBodies<C extends Candidate>(candidates: readonly C[], rules: SelectionRules): Selection<C> {
  const rank = new Map(rules.used.map((path, index) => [path, index]));
  const byUse = [...candidates].sort(
    (left, right) =>
      Number(right.file.realPath === rules.root) - Number(left.file.realPath === rules.root) ||
      (rank.get(right.file.realPath) ?? -1) - (rank.get(left.file.realPath) ?? -1),
  );
  const budget = { bytes: MAX_BYTES, recent: MAX_RECENT, texts: new Map<string, string>() };
  const left = new Map<C, string>();
  for (const candidate of byUse) {
    const why = whyNot(candidate, rules, budget);
    if (why !== null) left.set(candidate, why);
  }
  return {
    bodies: candidates.filter((candidate) => !left.has(candidate)),
    paths: candidates.flatMap((candidate) => {
      const why = left.get(candidate);
      return why === undefined ? [] : [{ candidate, why }];
    }),
  };
}

type Budget = { bytes: number; recent: number; texts: Map<string, string> };

/** Null: it goes out, and is taken from the budget. */
function whyNot({ file, text }: Candidate, { root, chain, kept }: SelectionRules, budget: Budget): string | null {
  const { realPath, sha256, status } = file;
  if (status === 'path-only') return `larger than is sent: ${file.size} bytes`;
  if (realPath === root) {
    budget.texts.set(text, realPath);
    return null;
  }
  const read = Object.hasOwn(kept, realPath) ? kept[realPath] : undefined;
  if (read?.sha256 === sha256) return `complete current read of event ${read.event}`;
  const same = budget.texts.get(text);
  if (same !== undefined) return `the same text as ${same}`;
  const isRecent = !chain.has(realPath);
  if (isRecent && budget.recent === 0) return `${MAX_RECENT} files outside the chain were used later`;
  const size = byteLength(text);
  if (size > budget.bytes) return 'no room beside the files that were used later';
  budget.bytes -= size;
  if (isRecent) budget.recent -= 1;
  budget.texts.set(text, realPath);
  return null;
}

/** The chain's file that governs a directory most closely, the user's own aside; null: none does. */
export function rootFile(chain: readonly FoundFile[], directory: string): string | null {
  const isAround = ({ file }: { file: FoundFile }): boolean =>
    file.directory === '/' || directory === file.directory || directory.startsWith(`${file.directory}/`);
  const around = chain
    .filter(({ scope }) => scope !== 'user')
    .map((file) => ({ file }))
    .filter(isAround)
    .sort((left, right) => right.file.directory.length - left.file.directory.length);
  return around[0]?.file.realPath ?? null;
}
