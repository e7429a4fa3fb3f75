import { isBlank } from '../../base/index.ts';
import { filesOf } from '../../instructions/index.ts';
import type { FoundFile, Turn } from '../../model/index.ts';
import type { FacetedForm } from './form.ts';
import { activeSubagent } from './inventory.ts';

/**
 * The chain's members: files that say something, and those that did when the chain was sent. An edit that empties a
 * file is no leaving, as no edit is (seed 004); one that was blank from the start joins with its first words.
 */
export function chainMembers(form: FacetedForm, turn: Turn): FoundFile[] {
  if (!takesInstructions(form, turn)) return [];
  const { world, session } = turn;
  const before = new Set(session.delivery.chain);
  return filesOf(world.files, 'context-file').filter((file) => !isEmptied(file) || before.has(file.realPath));
}

/** Whether instruction files are brought to this session: a subagent's definition may say no. */
export function takesInstructions(form: FacetedForm, turn: Turn): boolean {
  return activeSubagent(form, turn)?.keys.projectInstructions !== false;
}

function isEmptied({ status, text }: FoundFile): boolean {
  return status === 'read' && isBlank(text);
}

/** Those with something to say. */
export function speaking<T extends FoundFile>(files: readonly T[]): T[] {
  return files.filter((file) => !isEmptied(file));
}
