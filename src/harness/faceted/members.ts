import { isBlank } from '../../base/index.ts';
import { filesOf } from '../../instructions/index.ts';
import type { FoundFile, Turn } from '../../model/index.ts';

/**
 * The chain's members: files that say something, and those that did when the chain was sent. An edit that empties a
 * file is no leaving, as no edit is (seed 004); one that was blank from the start joins with its first words.
 */
export function chainMembers({ world, session }: Turn): FoundFile[] {
  const before = new Set(session.delivery.chain);
  return filesOf(world.files, 'context-file').filter((file) => !isEmptied(file) || before.has(file.realPath));
}

function isEmptied({ status, text }: FoundFile): boolean {
  return status === 'read' && isBlank(text);
}

/** Those with something to say. */
export function speaking<T extends FoundFile>(files: readonly T[]): T[] {
  return files.filter((file) => !isEmptied(file));
}
