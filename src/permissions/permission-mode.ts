/** What may be done without asking. `ask` and `accept-edits` are known words that this version does not offer. */
export type PermissionMode = 'ask' | 'read-only' | 'accept-edits' | 'yolo';

export const PERMISSION_MODES: readonly PermissionMode[] = ['ask', 'read-only', 'accept-edits', 'yolo'];

export const BUILT_MODES: readonly PermissionMode[] = ['read-only', 'yolo'];

export function isPermissionMode(text: string): text is PermissionMode {
  return (PERMISSION_MODES as readonly string[]).includes(text);
}
