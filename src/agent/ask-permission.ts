import { cutHead, printable } from '../base/index.ts';
import type { Call, NoteBody, Subject } from '../model/index.ts';
import type { Verdict } from '../permissions/index.ts';
import { type CallOutcome, type CallScope, refused } from './call-outcome.ts';
import { PermissionNeeded } from './error.ts';

const ANSWERS = ['allow', 'allow-session', 'deny'];
// Of one subject, for a person; a command line may be as long as a file.
const MAX_SUBJECT_BYTES = 4096;

export type Asked = {
  call: Call;
  subjects: readonly Subject[];
  verdict: Extract<Verdict, { verdict: 'ask' }>;
};

/**
 * Asks a person whether a call may run, and writes what was decided. Null: it may. An answer for the session is written
 * as grants, which the permissions read from the log's notes, also after a resume.
 */
export async function askPermission({ call, subjects, verdict }: Asked, scope: CallScope): Promise<CallOutcome | null> {
  const { questions, log } = scope.parts;
  const { why, rules } = verdict;
  const touched = subjects.map(describe);
  const end = await questions.ask({
    show: (id) => scope.emit({ type: 'permission-request', id, tool: call.name, subjects: touched, why, rules }),
    faultOf: (value) => (ANSWERS.some((word) => word === value) ? null : '"allow", "allow-session" or "deny"'),
    signal: scope.signal,
  });
  const decide = (decision: string, feedback?: string): void => {
    const note: NoteBody = { type: 'decision', call: { assistant: scope.assistant, id: call.id }, decision };
    log.note(feedback === undefined ? note : { ...note, feedback });
  };
  switch (end.type) {
    case 'aborted':
      return refused('Not run: the turn was stopped by the user before this call was allowed.', 'aborted');
    case 'nobody': {
      const needed = permissionNeeded(call, touched, verdict);
      return { ...refused(`Not run: ${why} Nobody can be asked in this run.`, 'denied'), needsPerson: needed };
    }
    case 'answer': {
      if (end.value === 'allow-session') for (const rule of rules) scope.parts.crew.grant(rule);
      decide(String(end.value), end.feedback);
      return end.value === 'deny' ? denied(end.feedback ?? null, scope) : null;
    }
  }
}

function denied(feedback: string | null, { parts, turn }: CallScope): CallOutcome {
  const words = feedback === null || feedback.trim() === '' ? null : feedback;
  const own = parts.harness.denied?.(words, turn);
  if (own !== undefined) return { ...refused(own.text, 'denied'), ...(own.ends ? { ends: true } : {}) };
  const said = words === null ? '' : ` They said: ${words}`;
  return refused(`The user denied this call. Do not try the same in another way.${said}`, 'denied');
}

function permissionNeeded(
  call: Call,
  touched: readonly string[],
  { why, rules, beforehand }: Asked['verdict'],
): PermissionNeeded {
  const what = touched.length === 0 ? call.name : `${call.name} (${touched.join('; ')})`;
  const hint = beforehand === null ? '' : ` ${beforehand}`;
  const message = `stopped: ${printable(cutHead(what, 300), 1000)} needs a permission and nobody could be asked. ${why}${hint}`;
  return new PermissionNeeded('permission/needed', message, { data: { tool: call.name, subjects: touched, rules } });
}

/** What is touched; a command keeps its lines. */
function describe(subject: Subject): string {
  switch (subject.type) {
    case 'path':
      return `${subject.access} ${asRead(subject.path)}`;
    case 'command':
      return `run ${cutHead(subject.command, MAX_SUBJECT_BYTES)
        .split(/([\n\t])/)
        .map((part) => (part === '\n' || part === '\t' ? part : asRead(part)))
        .join('')}`;
    case 'host':
      return `connect ${asRead(subject.host)}`;
  }
}

/** Without what makes a screen show something else. */
function asRead(text: string): string {
  return printable(text, Number.POSITIVE_INFINITY);
}
