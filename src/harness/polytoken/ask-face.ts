import type { ToolFailure } from '../../model/index.ts';
import type { AskArgs, AskValue, Question, ToolFace } from '../../tools/contract/index.ts';
import { NOBODY } from '../faces/ask-face.ts';
import { makeFace } from '../faces/face.ts';
import ask from './descriptions/ask-user-question.md';

const MOST_QUESTIONS = 4;

type GivenOption = { label: string; description?: string | null; justification?: string | null };
type GivenQuestion = {
  question: string;
  mode: 'single_select' | 'multi_select' | 'text';
  options?: GivenOption[] | null;
  context?: string | null;
};

function invalid(message: string): { error: ToolFailure } {
  return { error: { code: 'arguments/invalid', message, data: { field: 'questions' } } };
}

function faultOf(questions: readonly GivenQuestion[]): string | null {
  if (questions.length > MOST_QUESTIONS) return `questions must hold at most ${MOST_QUESTIONS}`;
  for (const [index, { mode, options }] of questions.entries()) {
    const count = options?.length ?? 0;
    if (mode === 'text' && count > 0) return `questions[${index}]: a question of mode text has no options`;
    if (mode !== 'text' && count === 0) return `questions[${index}]: mode ${mode} needs options`;
  }
  return null;
}

function toOption({ label, description, justification }: GivenOption): { label: string; description?: string } {
  const said = [description, justification].filter((text) => typeof text === 'string' && text !== '').join(' ');
  return { label, ...(said === '' ? {} : { description: said }) };
}

function toQuestion({ question, mode, options, context }: GivenQuestion): Question {
  const before = typeof context === 'string' && context !== '' ? `${context}\n\n` : '';
  return {
    question: `${before}${question}`,
    ...(mode === 'text' ? {} : { options: (options ?? []).map(toOption) }),
    ...(mode === 'multi_select' ? { multiple: true } : {}),
  };
}

/** Executor `ask`, up to four questions a call. The answers name options by their labels. */
export const ASK_USER_QUESTION: ToolFace = makeFace<AskArgs, AskValue>({
  name: 'ask_user_question',
  description: ask,
  executor: 'ask',
  parameters: [
    {
      name: 'questions',
      type: 'objects',
      required: true,
      least: 1,
      description: `1 to ${MOST_QUESTIONS}, asked one after the other.`,
      fields: [
        { name: 'question', type: 'string', required: true, description: 'Complete in itself.' },
        {
          name: 'mode',
          type: 'word',
          words: ['single_select', 'multi_select', 'text'],
          required: true,
          description: 'text: without options.',
        },
        {
          name: 'options',
          type: 'objects',
          description: 'Likely answers, the best first.',
          fields: [
            { name: 'label', type: 'string', required: true, description: '' },
            { name: 'description', type: 'string', description: '' },
            { name: 'justification', type: 'string', description: 'Why one would choose it.' },
          ],
        },
        { name: 'context', type: 'string', description: 'What the user must know first.' },
      ],
    },
  ],
  toArgs(given) {
    const { questions } = given as { questions: GivenQuestion[] };
    const fault = faultOf(questions);
    return fault === null ? { args: { questions: questions.map(toQuestion) } } : invalid(fault);
  },
  toText({ answers, ended }) {
    if (ended === 'nobody' && answers.length === 0) return NOBODY;
    const json = JSON.stringify({ answers });
    if (ended === null) return json;
    return `${json}\n[${ended === 'aborted' ? 'stopped by the user before the rest was answered' : 'nobody was there to answer the rest'}]`;
  },
});
