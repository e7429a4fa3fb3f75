import type { FileFacts } from '../host/index.ts';

/** The user the program runs as; null where the system knows no owners and no such permissions. */
export type Owner = number | null;

/**
 * How somebody else than the user and root could have put it there, in words that follow its name; null: nobody could.
 * The sticky bit of `/tmp` does not help: it lets anyone create what is not there yet.
 */
export function writableByOthers(facts: FileFacts, owner: Owner): string | null {
  if (owner === null) return null;
  if (facts.uid !== owner && facts.uid !== 0) return `belongs to another user (${facts.uid})`;
  if ((facts.mode & 0o002) !== 0) return 'is writable by everyone';
  return (facts.mode & 0o020) !== 0 ? 'is writable by its group' : null;
}
