export type TaskState = 'created' | 'starting' | 'running' | 'completed' | 'failed' | 'killed' | 'lost';

export type Todo = {
  id: string;
  title: string;
  status: 'pending' | 'in-progress' | 'done';
};

/** `all`: every occurrence; else the text stood in the plan exactly once. */
export type PlanEdit = { old: string; new: string; all?: true };

/**
 * The plan of a session. `changes`: the edits since it was last written whole, the oldest first; `before`: the hash of
 * the text that each began with.
 */
export type Plan = { path: string; text: string; changes: readonly { before: string; edits: readonly PlanEdit[] }[] };
