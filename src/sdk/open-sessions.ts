import { createNodeHost, type HostPorts, type StoredSessions, storedSessions } from '../runtime/index.ts';

/**
 * The stored sessions: list, read, copy, remove. `cwd`: whose sessions are listed and looked into first; default: where
 * the program was started. Throws UsageError and SessionError.
 */
export function openSessions(
  options: { cwd?: string } = {},
  host: HostPorts = createNodeHost(),
): Promise<StoredSessions> {
  return storedSessions(options, host);
}
