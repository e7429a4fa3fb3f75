/** What may be done without asking. */
export type PermissionMode = 'ask' | 'read-only' | 'accept-edits' | 'yolo';

export const PERMISSION_MODES: readonly PermissionMode[] = ['ask', 'read-only', 'accept-edits', 'yolo'];

export function isPermissionMode(text: string): text is PermissionMode {
  return (PERMISSION_MODES as readonly string[]).includes(text);
}
