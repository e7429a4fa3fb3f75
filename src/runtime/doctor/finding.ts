/** What was looked at. */
export type Check =
  | 'program'
  | 'directory'
  | 'settings'
  | 'harness'
  | 'model'
  | 'keys'
  | 'server'
  | 'permissions'
  | 'trust'
  | 'sandbox'
  | 'sessions'
  | 'clock'
  | 'shell'
  | 'git'
  | 'search'
  | 'web-search'
  | 'proxy';

/**
 * One thing that was found. `problem`: it keeps a run from working; `warning`: something is not as its author meant
 * it; `note`: worth knowing. `data` says the same for programs, never a secret.
 */
export type Finding = {
  check: Check;
  status: 'ok' | 'note' | 'warning' | 'problem';
  /** One line. */
  message: string;
  /** What to do about it. */
  advice?: string;
  data: Readonly<Record<string, unknown>>;
};
