import type { Event, EventOf, FileObservation, FoldLookup } from '../model/index.ts';
import { isTextFile } from './references/text-file.ts';

/** Instruction files that are remembered beyond a context; more than anybody works with. */
const MAX_USED = 256;
const INSTRUCTION_FILE = /(?:^|\/)(?:agents|claude|gemini)\.md$/i;
/** Events of a kept tail that are looked through. */
const MAX_TAIL = 10_000;

/** The paths with these used last, in their order. */
export function touchUsed(used: readonly string[], paths: readonly string[]): readonly string[] {
  const touched = new Set(paths);
  if (touched.size === 0) return used;
  return [...used.filter((path) => !touched.has(path)), ...touched].slice(-MAX_USED);
}

/** The paths with these known too, as the least recently used ones where they are new. */
export function addUsed(used: readonly string[], paths: readonly string[]): readonly string[] {
  const known = new Set(used);
  const more = [...new Set(paths)].filter((path) => !known.has(path));
  return more.length === 0 ? used : [...more, ...used].slice(-MAX_USED);
}

/** Instruction files that a tool read or changed. */
export function usedByTools(used: readonly string[], observed: readonly FileObservation[]): string[] {
  const known = new Set(used);
  return observed
    .filter(({ how, path }) => how !== 'listed' && (known.has(path) || INSTRUCTION_FILE.test(path)))
    .map(({ path }) => path);
}

/**
 * Files of prose that the kept part of a conversation shows whole, as they are on disk: read from the first byte to the
 * last, without line numbers, and not changed by a tool since.
 */
export function keptReads(
  event: EventOf<'compaction'>,
  lookup: FoldLookup,
): Readonly<Record<string, { event: string; sha256: string }>> {
  const tail = eventsOfTail(event, lookup);
  if (tail === null) return {};
  const calls = new Set(tail.map(({ id }) => id));
  const reads = new Map<string, { event: string; sha256: string }>();
  for (const each of tail) {
    if (each.type !== 'tool-result' || each.status !== 'ok' || !calls.has(each.call.assistant)) continue;
    for (const { path, how, complete, decorated, sha256 } of each.observed) {
      if (how === 'read' && complete && !decorated && isTextFile(path)) reads.set(path, { event: each.id, sha256 });
    }
  }
  return Object.fromEntries(reads);
}

/** In their order; null where `keptFrom` is not on the branch. */
function eventsOfTail(event: EventOf<'compaction'>, lookup: FoldLookup): Event[] | null {
  const tail: Event[] = [];
  for (let id = event.parentId; id !== null && tail.length < MAX_TAIL; ) {
    const each = lookup.event(id);
    if (each === undefined) return null;
    tail.push(each);
    if (id === event.keptFrom) return tail.reverse();
    id = lookup.parentOf === undefined ? each.parentId : lookup.parentOf(id);
  }
  return null;
}
