import { inTag, lay, makePiece } from '../../instructions/index.ts';
import { type Call, isText, type Message, type Reminder, type Turn } from '../../model/index.ts';
import type { AgentArgs } from '../../tools/contract/index.ts';
import { isSubagent } from './subagents.ts';

/** Answers of the model between two reminders; every fifth of these is in full. */
const APART = 5;
const IN_FULL = 5;

const HEAD = 'Plan mode is on.';

/** How a plan is made. */
export function planWorkflow(file: string): string {
  return [
    '1. Explore: read what the task touches, with explore agents side by side where it is wide.',
    '2. Design: weigh the ways to do it; ask with AskUserQuestion what only the user can say.',
    '3. Review: read the critical files again, and check the design against them and against what was asked.',
    `4. Write the plan to ${file} with WriteFile, and change it with StrReplaceFile: the steps, the files of each, how it is checked.`,
    '5. Hand it over with ExitPlanMode.',
  ].join('\n');
}

function fullText(file: string): string {
  return [
    `${HEAD} This goes before whatever else you were told: change nothing but the plan file, ${file}; run no command that changes anything, and commit nothing. WriteFile and StrReplaceFile take no other file.`,
    '',
    planWorkflow(file),
    '',
    'End your turn with AskUserQuestion, where something is open, or with ExitPlanMode. Ask for approval in no other way.',
  ].join('\n');
}

function shortText(file: string): string {
  return `${HEAD} Change nothing but the plan file, ${file}. End your turn with AskUserQuestion or ExitPlanMode.`;
}

function againText(file: string): string {
  return [
    `${HEAD} There is a plan from before, in ${file}. Read it first. If the task is another one, write a new plan in its place; if it is the same, go on with that one and bring it up to date.`,
    '',
    fullText(file).slice(HEAD.length + 1),
  ].join('\n');
}

function isReminder(message: Message): boolean {
  if (message.role !== 'user' || message.from !== 'reminder') return false;
  return message.parts.some((part) => isText(part) && part.text.startsWith(`<system-reminder>\n${HEAD}`));
}

function isToggle(message: Message): boolean {
  return (
    message.role === 'tool' &&
    (message.tool === 'EnterPlanMode' || message.tool === 'ExitPlanMode') &&
    message.status === 'ok'
  );
}

/** Where plan mode is on, the root is reminded of it: at once in full, then now and then (spec/kimi-cli.md 18). */
export function planReminders({ session }: Turn): readonly Reminder[] {
  const { planMode, plan, history } = session;
  if (planMode?.on !== true || isSubagent(session)) return [];
  const since = history.slice(history.findLastIndex(isToggle) + 1);
  const given = since.filter(isReminder).length;
  const answers = since.slice(since.findLastIndex(isReminder) + 1).filter(({ role }) => role === 'assistant').length;
  if (given > 0 && answers < APART) return [];
  const { file } = planMode;
  const isFull = given % IN_FULL === 0;
  const text = given === 0 && plan !== null ? againText(file) : isFull ? fullText(file) : shortText(file);
  const piece = makePiece({
    id: 'notice/plan-mode',
    kind: 'notice',
    origin: { type: 'session' },
    placement: 'history',
    rule: 'Where plan mode is on the model is reminded of what it may do: at once, then after every five answers.',
    requirement: 'M26',
    text,
  });
  return [{ reason: 'plan_mode', layout: inTag('system-reminder', lay(piece, 'notice'), '\n') }];
}

/** Of one that is resumed the type is not known here. */
function mayWrite({ agent, resumeFrom }: AgentArgs): boolean {
  return resumeFrom !== undefined || (agent !== 'explore' && agent !== 'plan');
}

/**
 * In plan mode nothing is written but the plan, also not by an agent, and no task is stopped; commands are left to the
 * model's word.
 */
export function gatePlanMode(call: Call, { session }: Turn): 'pass' | { deny: string } {
  if (session.planMode?.on !== true) return 'pass';
  const { file } = session.planMode;
  if (call.executor === 'write' || call.executor === 'edit') {
    return { deny: `Plan mode is on: only the plan file may be written, ${file}. ExitPlanMode hands the plan over.` };
  }
  if (call.executor === 'agent' && mayWrite(call.args as AgentArgs)) {
    return {
      deny: 'Plan mode is on: only new agents of the types explore and plan may be started, which change nothing.',
    };
  }
  if (call.name === 'TaskStop') return { deny: 'Plan mode is on: no task is stopped in it. ExitPlanMode ends it.' };
  return 'pass';
}
