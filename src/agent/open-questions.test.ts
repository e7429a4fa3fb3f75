import { expect, test } from 'vitest';
import { ReinError } from '../base/index.ts';
import { OpenQuestions, type QuestionEnd } from './open-questions.ts';

function ask(
  questions: OpenQuestions,
  signal = new AbortController().signal,
): { ids: string[]; end: Promise<QuestionEnd> } {
  const ids: string[] = [];
  const faultOf = (value: unknown): string | null => (value === 'yes' || value === 'no' ? null : 'yes or no');
  return { ids, end: questions.ask({ show: (id) => ids.push(id), faultOf, signal }) };
}

function refusal(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    return ReinError.isInstance(error) ? `${error.code}: ${error.message}` : String(error);
  }
}

test('each question takes the answer with its id, in any order, once', async () => {
  const questions = new OpenQuestions(true);
  const [first, second] = [ask(questions), ask(questions)];
  expect([first.ids, second.ids]).toEqual([['question-1'], ['question-2']]);
  questions.answer('question-2', 'no', 'because');
  questions.answer('question-1', 'yes');
  expect([await first.end, await second.end]).toEqual([
    { type: 'answer', value: 'yes' },
    { type: 'answer', value: 'no', feedback: 'because' },
  ]);
  expect(refusal(() => questions.answer('question-1', 'yes'))).toBe(
    'command/no-target: there is no open question "question-1"',
  );
});

test('an answer that is none is refused and the question stays open', async () => {
  const questions = new OpenQuestions(true);
  const { end } = ask(questions);
  expect(refusal(() => questions.answer('question-1', true))).toBe(
    'command/invalid: the value of this answer must be yes or no',
  );
  questions.answer('question-1', 'yes');
  expect(await end).toEqual({ type: 'answer', value: 'yes' });
});

test('an abort ends the wait', async () => {
  const questions = new OpenQuestions(true);
  const abort = new AbortController();
  const { end } = ask(questions, abort.signal);
  abort.abort();
  expect(await end).toEqual({ type: 'aborted' });
  expect(await ask(questions, abort.signal).end).toEqual({ type: 'aborted' });
});

test('where nobody answers, or no longer, nothing is shown or waited for', async () => {
  const silent = ask(new OpenQuestions(false));
  expect([silent.ids, await silent.end]).toEqual([[], { type: 'nobody' }]);
  const questions = new OpenQuestions(true);
  const open = ask(questions);
  questions.close();
  expect([questions.canAsk, await open.end]).toEqual([false, { type: 'nobody' }]);
});
