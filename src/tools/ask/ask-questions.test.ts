import { expect, test } from 'vitest';
import { createMemoryHost } from '../../host/memory/index.ts';
import type { AskValue, Question, QuestionAnswer, ToolOutcome } from '../contract/index.ts';
import { testContext } from '../test-context.ts';
import { askQuestions } from './ask-questions.ts';

function run(
  questions: Question[],
  answers: readonly QuestionAnswer[],
): { asked: Question[]; outcome: Promise<ToolOutcome<AskValue>> } {
  const asked: Question[] = [];
  const ask = {
    ask: async (question: Question): Promise<QuestionAnswer> => {
      asked.push(question);
      return answers[asked.length - 1] ?? { type: 'nobody' };
    },
    handoff: async () => ({ type: 'nobody' as const }),
  };
  return { asked, outcome: askQuestions({ questions }, testContext(createMemoryHost(), { ask })) };
}

const ONE: Question = { question: 'Which one?', options: [{ label: 'a' }, { label: 'b', description: 'the other' }] };
const TWO: Question = { question: 'Why?' };

test('questions are asked one after the other, and the answers come in their order', async () => {
  const { asked, outcome } = run(
    [ONE, TWO],
    [
      { type: 'answer', value: 'b' },
      { type: 'answer', value: ['x', 'y'] },
    ],
  );
  expect(await outcome).toEqual({
    value: {
      answers: [
        { question: 'Which one?', answer: 'b' },
        { question: 'Why?', answer: ['x', 'y'] },
      ],
      ended: null,
    },
    observed: [],
  });
  expect(asked).toEqual([ONE, TWO]);
});

test('where nobody answers, or the turn is stopped, no further question is asked', async () => {
  const nobody = run([ONE, TWO], []);
  expect(await nobody.outcome).toEqual({ value: { answers: [], ended: 'nobody' }, observed: [] });
  expect(nobody.asked).toEqual([ONE]);
  const stopped = run([ONE, TWO], [{ type: 'answer', value: 'a' }, { type: 'aborted' }]);
  expect(await stopped.outcome).toEqual({
    value: { answers: [{ question: 'Which one?', answer: 'a' }], ended: 'aborted' },
    observed: [],
  });
});

test('what is no question is refused before anything is asked', async () => {
  const lists: Question[][] = [
    [],
    Array.from({ length: 9 }, () => TWO),
    [{ question: ' ' }],
    [{ question: 'x', options: [{ label: '' }] }],
    [{ question: 'x'.repeat(2001) }],
    [{ question: 'x', options: Array.from({ length: 13 }, () => ({ label: 'a' })) }],
  ];
  const codes = await Promise.all(
    lists.map(async (questions) => {
      const { asked, outcome } = run(questions, []);
      const ended = await outcome;
      return 'error' in ended ? [ended.error.code, asked.length] : null;
    }),
  );
  expect(codes).toEqual(lists.map(() => ['ask/bad-question', 0]));
});
