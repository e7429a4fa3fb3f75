import type { QuestionPort } from '../tools/contract/index.ts';
import type { CallScope } from './call-outcome.ts';

const MAX_CHOICES = 100;

/** Questions of a tool, by the same way as those of the permissions. */
export function questionPort({ parts, emit, signal }: CallScope): QuestionPort {
  return {
    async ask({ question, options, multiple }) {
      const end = await parts.questions.ask({
        show: (id) =>
          emit({
            type: 'question-request',
            id,
            question,
            ...(options === undefined ? {} : { options }),
            ...(multiple === undefined ? {} : { multiple }),
          }),
        faultOf: (value) => (isAnswer(value, multiple === true) ? null : expected(multiple === true)),
        signal,
      });
      return end.type === 'answer' ? { type: 'answer', value: end.value as string | string[] } : end;
    },
  };
}

function isAnswer(value: unknown, multiple: boolean): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  if (!multiple || !Array.isArray(value)) return false;
  return value.length <= MAX_CHOICES && value.every((one) => typeof one === 'string');
}

function expected(multiple: boolean): string {
  return multiple ? 'a text, or a list of texts' : 'a text that is not empty';
}
