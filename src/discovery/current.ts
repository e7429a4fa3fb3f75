import type { FileFacts } from '../host/index.ts';

/** What was seen of a path, and when. */
export type Kept = { facts: FileFacts; atMs: number };

// A change within the resolution of a file system's clock leaves the times as they were. So what was looked at this
// soon after its last change, or before it by that clock, is looked at once more.
const RACY_MS = 2000;

/** Whether nothing can have changed between what was kept and these facts. */
export function isCurrent(kept: Kept, facts: FileFacts): boolean {
  const before = kept.facts;
  return (
    before.device === facts.device &&
    before.inode === facts.inode &&
    before.size === facts.size &&
    before.mtimeMs === facts.mtimeMs &&
    before.ctimeMs === facts.ctimeMs &&
    Math.max(facts.mtimeMs, facts.ctimeMs) < kept.atMs - RACY_MS
  );
}
