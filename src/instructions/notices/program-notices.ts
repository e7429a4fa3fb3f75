import { type Instant, localDate, parseRfc3339 } from '../../base/index.ts';
import type { Message, Reminder, SessionState, Turn } from '../../model/index.ts';
import { inTag, lay } from '../layout.ts';
import { makePiece } from '../piece.ts';

/** Batches of calls after a prompt from which work without a list of todos is remarked on. */
const MANY_BATCHES = 8;
/** Batches without a word on open todos. */
const SILENT_BATCHES = 10;
/** Share of the window from which the model is told, and how far below an automatic compaction that is. */
const PRESSURE = 0.7;
const BEFORE_THRESHOLD = 0.1;
const DEFAULT_THRESHOLD = 0.85;

/** What a harness calls things. `tag`: of the reminder. `todoTools`: those that change the list, the one to begin with first. */
export type NoticeForm = { tag: string; todoTools: readonly string[] };

type Notice = { name: string; key: string; rule: string; text: string };

/**
 * What the program itself has to say before the next request. Each notice has a key that the session remembers for its
 * context, so asking again says nothing again.
 */
export function programNotices(turn: Turn, words: NoticeForm): readonly Reminder[] {
  const wanted = turn.settings.notices;
  const notices = [
    wanted?.sessionResumed === false ? null : sessionResumed(turn),
    wanted?.taskTracking === false ? null : (taskTracking(turn, words) ?? todoStatus(turn, words)),
    wanted?.contextPressure === false ? null : contextPressure(turn, words),
  ];
  return notices.flatMap((notice) =>
    notice === null || turn.session.delivery.keys.includes(notice.key) ? [] : [reminderOf(notice, words)],
  );
}

function reminderOf({ name, key, rule, text }: Notice, { tag }: NoticeForm): Reminder {
  const piece = makePiece({
    id: `notice/${name.replaceAll('_', '-')}`,
    kind: 'notice',
    origin: { type: 'session' },
    placement: 'history',
    rule,
    text,
  });
  return { reason: name, key, layout: inTag(tag, lay(piece, 'notice'), '\n') };
}

function sessionResumed({ resumed, session, now }: Turn): Notice | null {
  const last = resumed === undefined ? undefined : parseRfc3339(resumed.since);
  const hasSpoken = session.history.some(({ role }) => role === 'assistant');
  if (resumed === undefined || last === undefined || !hasSpoken) return null;
  return {
    name: 'session_resumed',
    key: `notice/session-resumed/${resumed.since}`,
    rule: 'A session that is taken up again begins with how long it rested.',
    text: `This session was taken up again: its last message was ${elapsed(last, now)} ago. Today is ${localDate(now)}. Files may have changed since; read a file again before you edit it.`,
  };
}

function elapsed(from: Instant, to: Instant): string {
  const minutes = Math.max(0, Math.floor((to.epochMs - from.epochMs) / 60_000));
  if (minutes < 1) return 'less than a minute';
  if (minutes < 60) return counted(minutes, 'minute');
  if (minutes < 48 * 60) return counted(Math.floor(minutes / 60), 'hour');
  return counted(Math.floor(minutes / (24 * 60)), 'day');
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The one to begin with, where it is offered. */
function todoTool({ tools }: Turn, { todoTools: [first] }: NoticeForm): string | null {
  return tools.find(({ name }) => name === first)?.name ?? null;
}

/** Batches of calls in these messages: answers that have results. */
function batchesIn(messages: readonly Message[]): number {
  return new Set(messages.flatMap((message) => (message.role === 'tool' ? [message.call.assistant] : []))).size;
}

function taskTracking(turn: Turn, words: NoticeForm): Notice | null {
  const { todos, history } = turn.session;
  const tool = todoTool(turn, words);
  if (todos.length > 0 || tool === null) return null;
  const at = history.findLastIndex((message) => message.role === 'user' && isPrompt(message.from));
  const prompt = history[at];
  if (prompt === undefined || batchesIn(history.slice(at)) < MANY_BATCHES) return null;
  return {
    name: 'task_tracking_nudge',
    key: `notice/task-tracking/${prompt.event}`,
    rule: 'Work in many steps without a list of todos is remarked on once for each prompt.',
    text: `This has become work in several steps and there is no list of them. If more than one is left, write them down with ${tool}; otherwise go on.`,
  };
}

function isPrompt(from: string): boolean {
  return from === 'user' || from === 'queue' || from === 'parent';
}

function todoStatus(turn: Turn, words: NoticeForm): Notice | null {
  const { todos, history } = turn.session;
  const open = todos.filter(({ status }) => status !== 'done');
  const tool = todoTool(turn, words);
  if (open.length === 0 || tool === null) return null;
  const at = history.findLastIndex(
    (message) => message.role === 'tool' && words.todoTools.includes(message.tool) && message.status === 'ok',
  );
  const rounds = Math.floor(batchesIn(history.slice(at + 1)) / SILENT_BATCHES);
  if (rounds === 0) return null;
  return {
    name: 'todo_status_nudge',
    key: `notice/todo-status/${history[at]?.event ?? 'start'}/${rounds}`,
    rule: 'Todos that stay as they are through many steps are remarked on.',
    text: `Of the todos, ${open.length} of ${todos.length} are open, and none has changed for ${rounds * SILENT_BATCHES} steps or more. Bring the list up to date.`,
  };
}

function contextPressure(turn: Turn, words: NoticeForm): Notice | null {
  const share = fullness(turn.session, turn.model?.contextWindow ?? null);
  const { compaction } = turn.settings;
  const threshold = compaction?.automatic === true ? (compaction.threshold ?? DEFAULT_THRESHOLD) : null;
  const from = threshold === null ? PRESSURE : Math.max(0, threshold - BEFORE_THRESHOLD);
  if (share === null || share < from) return null;
  const next =
    threshold === null
      ? 'It is not made shorter by itself; when it is full, the work stops.'
      : `At ${Math.round(threshold * 100)} % it is replaced by a summary.`;
  const tool = todoTool(turn, words);
  const where = tool === null ? 'in your next answer' : `with ${tool}, or in your next answer`;
  return {
    name: 'context_pressure',
    key: 'notice/context-pressure',
    rule: 'Once in a context the model is told that its window fills.',
    text: `The conversation fills ${Math.round(share * 100)} % of your context window. ${next} Record what must not be lost ${where}.`,
  };
}

/** Null: not known. */
function fullness({ usage: { last } }: SessionState, window: number | null): number | null {
  if (last === null || window === null || window <= 0) return null;
  return (last.input + last.cacheRead + last.cacheWrite + last.output) / window;
}
