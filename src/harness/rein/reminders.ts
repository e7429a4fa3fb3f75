import { type ChainForm, joinLaid, lay } from '../../instructions/index.ts';
import type { Laid, Piece } from '../../model/index.ts';

const TAG = 'system-reminder';

/** The words of rein's chain reminder. */
export const REIN_CHAIN: ChainForm = {
  tag: TAG,
  bodyTag: 'instructions',
  intro:
    'These are the instruction files (AGENTS.md and its kin) that hold here, the most general first. Each governs its directory and everything below it; where two disagree, the later one holds.',
  supersedes: 'They replace the instruction files given earlier: one has joined or left.',
  emptied: 'The instruction files given earlier are gone: their instructions no longer hold.',
  oversized: 'Too large to give here; read what you need of them before you work below their directories:',
  rule: 'Every instruction file of the chain goes into the history once, and again only when one joins or leaves or the context is reset.',
  requirement: 'P19',
};

/** A message of the program itself. */
export function reinNotice(piece: Piece): Laid {
  return joinLaid(`<${TAG}>\n`, lay(piece, 'notice'), `\n</${TAG}>`);
}
