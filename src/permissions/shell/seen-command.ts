import type { ShellWord } from './shell-word.ts';

/** One simple command that a command line would run. */
export type SeenCommand = {
  words: readonly ShellWord[];
  /**
   * Whether an allow rule must name it. Not needed of what only starts another one that is judged itself (`env`, `time`)
   * and of what that other one's allowance covers (after `sudo`): those can still be denied.
   */
  needsAllow: boolean;
};

/** `posix`: of a shell that may be bash or less; what the two would read differently cannot be judged. */
export type Grammar = 'bash' | 'posix';

/** What a wrapper hides, and what cannot be known of it. */
export type Unwrapped = {
  /** The words of the command that it starts. */
  inner?: readonly ShellWord[];
  /** Command lines that it gives to a shell. */
  scripts?: readonly string[];
  /** Whose grammar they are in; absent: that of the line they stand in. */
  grammar?: Grammar;
  /** It runs nothing by itself beside what it starts: the others need an allowance of their own. */
  transparent?: boolean;
  /** What it starts is covered by the wrapper's own allowance. */
  coversInner?: boolean;
  /** Names of variables it sets for what it starts. */
  variables?: readonly string[];
  /** Why this cannot be judged. */
  doubts?: readonly string[];
};
