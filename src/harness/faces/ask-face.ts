import type { AskArgs, AskValue, ToolFace } from '../../tools/contract/index.ts';
import { makeFace } from './face.ts';

type Given = { question: string; options?: string[]; multiple?: boolean };

/** What the model is told where nobody can be asked. */
export const NOBODY =
  'Nobody can be asked in this run. Take the most sensible answer yourself, say which one you took, and go on; if no answer would be sensible, end and say what you need to know.';

/** Executor `ask`: one question a call. */
export function askFace(words: { name: string; description: string }): ToolFace {
  return makeFace<AskArgs, AskValue>({
    ...words,
    executor: 'ask',
    parameters: [
      { name: 'question', type: 'string', required: true, description: 'The question, complete in itself.' },
      { name: 'options', type: 'strings', description: 'Likely answers, the best first.' },
      { name: 'multiple', type: 'boolean', description: 'Several options may be chosen. Default: false.' },
    ],
    toArgs(given) {
      const { question, options = [], multiple } = given as Given;
      return {
        args: {
          questions: [
            {
              question,
              ...(options.length === 0 ? {} : { options: options.map((label) => ({ label })) }),
              ...(multiple === true ? { multiple } : {}),
            },
          ],
        },
      };
    },
    toText({ answers, ended }) {
      if (ended === 'nobody') return NOBODY;
      if (ended === 'aborted') return '[stopped by the user before an answer came]';
      return answers
        .map(({ answer }) => `The user answered: ${typeof answer === 'string' ? answer : answer.join('; ')}`)
        .join('\n');
    },
  });
}
