import type { EventOf, FoldLookup, Message, PieceKind } from '../../model/index.ts';

/** What a context's beginning delivers anew: a kept reminder that carries any of it would say it twice, or stale. */
const DELIVERED_ANEW: ReadonlySet<PieceKind> = new Set<PieceKind>([
  'context-file',
  'chain',
  'discovery',
  'plan',
  'path-list',
  'summary',
  'todos',
  'skill-list',
]);

/**
 * The messages of the branch from `keptFrom` on. Reminders with instruction, discovery or plan pieces are left out, and
 * so are results whose call lies before the cut. A `keptFrom` that is not on the branch keeps nothing.
 */
export function keepTail(
  messages: readonly Message[],
  event: EventOf<'compaction'>,
  lookup: FoldLookup,
): readonly Message[] {
  const kept = eventsBack(event.parentId, event.keptFrom, lookup);
  return messages.filter((message) => {
    if (!kept.has(message.event)) return false;
    if (message.role === 'tool') return kept.has(message.call.assistant);
    // An earlier summary is part of what the later one stands for.
    if (message.role !== 'user' || message.from === 'summary') return message.role !== 'user';
    return !(message.from === 'reminder' && isDeliveredAnew(message, lookup));
  });
}

function eventsBack(leaf: string | null, first: string, lookup: FoldLookup): ReadonlySet<string> {
  const ids = new Set<string>();
  for (let id = leaf; id !== null; id = parentOf(id, lookup)) {
    if (lookup.event(id) === undefined) break;
    ids.add(id);
    if (id === first) return ids;
  }
  return new Set();
}

function parentOf(id: string, lookup: FoldLookup): string | null {
  return lookup.parentOf === undefined ? (lookup.event(id)?.parentId ?? null) : lookup.parentOf(id);
}

function isDeliveredAnew(message: Message, lookup: FoldLookup): boolean {
  return message.parts.some(
    (part) =>
      part.type === 'text' &&
      (part.pieces ?? []).some(({ piece }) => {
        const kind = lookup.piece(piece)?.kind;
        return kind !== undefined && DELIVERED_ANEW.has(kind);
      }),
  );
}
