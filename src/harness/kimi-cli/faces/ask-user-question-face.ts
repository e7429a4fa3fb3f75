import type { AskArgs, AskValue, ToolFace } from '../../../tools/contract/index.ts';
import description from '../descriptions/ask-user-question.md';
import type { KimiResult } from '../tool-result.ts';
import { kimiFace } from './kimi-face.ts';

type Given = {
  questions: {
    question: string;
    options: { label: string; description: string }[];
    multi_select: boolean;
  }[];
};

const DISMISSED = 'The user dismissed the question without an answer.';
const NOBODY =
  'Nobody is there to answer in this run. Decide yourself what is most sensible, say what you took, and go on.';

function answered({ answers, ended }: AskValue): KimiResult {
  const said = Object.fromEntries(
    answers.map(({ question, answer }) => [question, typeof answer === 'string' ? answer : answer.join(', ')]),
  );
  if (ended === null) return { message: 'User has answered.', output: JSON.stringify({ answers: said }) };
  const note = ended === 'nobody' ? NOBODY : DISMISSED;
  return { output: JSON.stringify({ answers: said, note }) };
}

/** Executor `ask` (spec/kimi-cli.md 13.11). */
export const ASK_USER_QUESTION: ToolFace = kimiFace<AskArgs, AskValue>({
  name: 'AskUserQuestion',
  description,
  executor: 'ask',
  parameters: [
    {
      name: 'questions',
      required: true,
      schema: {
        type: 'array',
        minItems: 1,
        maxItems: 4,
        description: 'One to four questions.',
        items: {
          type: 'object',
          properties: {
            question: { type: 'string', description: 'The question, complete in itself.' },
            header: { type: 'string', default: '', description: 'What it is about, in at most 12 characters.' },
            options: {
              type: 'array',
              minItems: 2,
              maxItems: 4,
              description: 'Two to four answers to choose from, the best first.',
              items: {
                type: 'object',
                properties: {
                  label: { type: 'string', description: 'The answer, in one to five words.' },
                  description: { type: 'string', default: '', description: 'What it means, or what comes of it.' },
                },
                required: ['label'],
              },
            },
            multi_select: { type: 'boolean', default: false, description: 'Several may be chosen.' },
          },
          required: ['question', 'options'],
        },
      },
    },
  ],
  toArgs(given) {
    const { questions } = given as Given;
    return {
      args: {
        questions: questions.map(({ question, options, multi_select: multiple }) => ({
          question,
          options: options.map(({ label, description: what }) =>
            what === '' ? { label } : { label, description: what },
          ),
          ...(multiple ? { multiple } : {}),
        })),
      },
    };
  },
  toResult: answered,
});
