import { isRecord } from '../base/index.ts';
import type { EventType, NoteBody } from '../model/index.ts';

type Fields = Record<string, unknown>;
type Guard = (line: Fields) => boolean;

const isText = (value: unknown): value is string => typeof value === 'string';
const isList = (value: unknown, item: (value: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(item);
const isTexts = (value: unknown): boolean => isList(value, isText);
const absentOr = (value: unknown, guard: (value: unknown) => boolean): boolean => value === undefined || guard(value);
const nullOr = (value: unknown, guard: (value: unknown) => boolean): boolean => value === null || guard(value);

const isSlice = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && value.every((edge) => Number.isSafeInteger(edge) && edge >= 0);

const isLayout = (value: unknown): boolean =>
  isList(value, (item) => isRecord(item) && ('separator' in item ? isText(item.separator) : isText(item.piece)));

const isPieceOf = (value: unknown): boolean => isRecord(value) && isText(value.piece);

const isPart = (value: unknown): boolean => {
  if (!isRecord(value)) return false;
  switch (value.type) {
    case 'text':
      return isText(value.text) && absentOr(value.pieces, (pieces) => isList(pieces, isPieceOf));
    case 'reasoning':
      return isText(value.text);
    case 'media':
      return isText(value.sha256) && isText(value.mime);
    case 'call':
      return isText(value.id) && isText(value.name) && isText(value.arguments);
    default:
      return isText(value.type);
  }
};

const isCallName = (value: unknown): boolean => isRecord(value) && isText(value.assistant) && isText(value.id);
const isUsage = (value: unknown): boolean =>
  isRecord(value) &&
  ['input', 'output', 'cacheRead', 'cacheWrite', 'reasoning'].every((name) => typeof value[name] === 'number');
const isCheckpoint = (value: unknown): boolean => isRecord(value) && isRecord(value.folds);
const isBodyItem = (value: unknown): boolean =>
  isText(value) || (isRecord(value) && isText(value.of) && isSlice(value.at));
const isEdit = (value: unknown): boolean => isRecord(value) && isText(value.old) && isText(value.new);
const isChoice: Guard = (line) => isText(line.to);

/**
 * The closed list of branch-scoped lines, each with what its readers rely on: a line without it counts as damaged. What
 * a later version adds to a line is kept and not looked at.
 */
const EVENTS: Readonly<Record<EventType, Guard>> = {
  prompt: (line) => isText(line.text) && absentOr(line.parts, (parts) => isList(parts, isPart)),
  reminder: (line) => isLayout(line.layout) && absentOr(line.omitted, (omitted) => isList(omitted, isPieceOf)),
  chain: (line) => isTexts(line.paths),
  tools: (line) => absentOr(line.allow, isTexts) && absentOr(line.deny, isTexts),
  'plan-mode': (line) => typeof line.on === 'boolean' && isText(line.file),
  'media-dropped': (line) => isTexts(line.sha256) && isText(line.why),
  pin: (line) => isText(line.name) && isText(line.value),
  request: (line) =>
    isText(line.purpose) &&
    isText(line.provider) &&
    isText(line.model) &&
    isLayout(line.system) &&
    isList(line.tools, (tool) => isRecord(tool) && isText(tool.name) && isLayout(tool.description)) &&
    isList(line.body, isBodyItem) &&
    isText(line.sha256),
  assistant: (line) => isText(line.request) && isList(line.parts, isPart) && isUsage(line.usage),
  'tool-result': (line) =>
    isCallName(line.call) &&
    isText(line.tool) &&
    isList(line.parts, isPart) &&
    isText(line.status) &&
    isList(line.observed, (seen) => isRecord(seen) && isText(seen.path)),
  facet: isChoice,
  model: isChoice,
  effort: isChoice,
  wire: isChoice,
  harness: isChoice,
  'permission-mode': isChoice,
  plan: (line) => isText(line.path) && isText(line.text) && absentOr(line.edits, (edits) => isList(edits, isEdit)),
  todos: (line) => isList(line.items, isRecord),
  directory: (line) => isTexts(line.stack),
  'context-patch': () => true,
  clear: (line) => nullOr(line.facet, isText) && nullOr(line.plan, isText) && isCheckpoint(line.checkpoint),
  compaction: (line) => isText(line.keptFrom) && isCheckpoint(line.checkpoint) && absentOr(line.summary, isLayout),
  'agent-result': (line) => line.value !== undefined,
  'task-told': (line) => isTexts(line.tasks),
  rewind: (line) => nullOr(line.to, isText),
  'turn-end': () => true,
};

/** The closed list of session-scoped lines. */
const NOTES: Readonly<Record<NoteBody['type'], Guard>> = {
  task: (line) => isText(line.task) && isText(line.state) && isRecord(line.detail),
  subagent: (line) => isText(line.run) && isText(line.session) && isText(line.state),
  grant: (line) => isText(line.rule),
  decision: (line) => isCallName(line.call) && isText(line.decision),
  notice: (line) => isRecord(line.diagnostic) && isText(line.diagnostic.message),
  title: (line) => isText(line.text),
  label: (line) => isText(line.text),
};

/** The types of lines that this program knows, as docs/log-format.md lists them. */
export const EVENT_TYPES: readonly string[] = Object.keys(EVENTS);
export const NOTE_TYPES: readonly string[] = Object.keys(NOTES);

/**
 * What a parsed line with an id is. A type that this program does not know is an event where it has a parent, else a
 * note: either is kept and folds to nothing. Null: not what its type says.
 */
export function kindOf(line: Fields): 'event' | 'note' | null {
  const { type, id, time, parentId } = line;
  if (!isText(type) || !isText(id) || id === '' || !isText(time)) return null;
  const hasParent = parentId === null || isText(parentId);
  const event = Object.hasOwn(EVENTS, type) ? EVENTS[type as EventType] : undefined;
  if (event !== undefined) return hasParent && event(line) ? 'event' : null;
  const note = Object.hasOwn(NOTES, type) ? NOTES[type as NoteBody['type']] : undefined;
  if (note !== undefined) return note(line) ? 'note' : null;
  return hasParent ? 'event' : 'note';
}
