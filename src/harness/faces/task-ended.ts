import { cutTail, cutUnits } from '../../base/index.ts';
import { makePiece, neutraliseClosingTags } from '../../instructions/index.ts';
import type { Piece } from '../../model/index.ts';
import type { EndedTask } from '../contract/index.ts';
import { kindText, resultText, stateText } from './job-text.ts';

const LAST_LINES = 20;
const LAST_BYTES = 3000;
const MOST_OF_RESULT = 8000;

export type EndedWords = {
  /** The tag that will stand around it. */
  tag: string;
  /** How the model asks for more: `the tool job`. */
  more: string;
};

function lastLines(text: string): string {
  const lines = cutTail(text, LAST_BYTES).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.slice(-LAST_LINES).join('\n');
}

function outputOf({ output }: EndedTask): string[] {
  if (output === null) return [];
  const last = lastLines(output.text);
  if (last === '') return ['It wrote nothing.'];
  const isAll = last.length >= output.text.trimEnd().length && output.text.length >= output.total;
  return [`${isAll ? 'Its output' : 'The end of its output'} (${output.path}):`, last];
}

function resultOf({ task }: EndedTask, more: string): string[] {
  const { result } = task.detail;
  if (result === undefined) return [];
  const text = resultText(result);
  if (text.length <= MOST_OF_RESULT) return ['Its result:', text];
  return ['The beginning of its result:', cutUnits(text, MOST_OF_RESULT), `All of it: ${more}.`];
}

/** Tells of the end of a job: what it was, how it ended, and the end of what it wrote or what it gave. */
export function endedPiece(ended: EndedTask, { tag, more }: EndedWords): Piece {
  const { task } = ended;
  const { command } = task.detail;
  const text = [
    `${task.id} (${kindText(task)}: ${task.description}) has ended: ${stateText(task)}.`,
    ...(command === undefined ? [] : [`Command: ${command}`]),
    ...outputOf(ended),
    ...resultOf(ended, more),
  ].join('\n');
  return makePiece({
    id: `task:${task.id}`,
    kind: 'notice',
    origin: { type: 'session' },
    placement: 'history',
    rule: 'The end of a job in the background is told to the model once.',
    text: neutraliseClosingTags(text, [tag]).text,
  });
}
