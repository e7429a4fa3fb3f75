import { renderListing } from '../../instructions/index.ts';
import { type SessionState, type Turn, workingDirectory } from '../../model/index.ts';
import { kimiNow } from './now.ts';

/** What is kept for a conversation, so that its prompt does not change under the cache (spec/kimi-cli.md 2.4, 5). */
export const NOW_PIN = 'kimi-cli/now';

/** Of each directory that was worked in. */
export function listingPin(session: SessionState): string {
  return `kimi-cli/listing:${workingDirectory(session)}`;
}

/** Whether the working directory has not been looked at yet in this conversation. */
export function isUnlisted(session: SessionState): boolean {
  return session.pins[listingPin(session)] === undefined;
}

/** The values that are not kept yet. */
export function freshPins({ session, world, submission, settings }: Turn): { name: string; value: string }[] {
  const fresh = [
    { name: NOW_PIN, value: kimiNow(submission.startedAt, settings.testTime) },
    { name: listingPin(session), value: renderListing(world.listing?.root ?? null) },
  ];
  return fresh.filter(({ name }) => session.pins[name] === undefined);
}
