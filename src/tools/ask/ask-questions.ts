import type { ToolFailure } from '../../model/index.ts';
import type { AskArgs, AskValue, Question, ToolContext, ToolOutcome } from '../contract/index.ts';

const MAX_QUESTIONS = 8;
const MAX_OPTIONS = 12;
const MAX_TEXT = 2000;

/** Asks a person, one question after the other, and waits as long as they take. An abort ends it. */
export async function askQuestions({ questions }: AskArgs, { ask }: ToolContext): Promise<ToolOutcome<AskValue>> {
  const error = faultOf(questions);
  if (error !== null) return { error, observed: [] };
  const answers: AskValue['answers'] = [];
  for (const question of questions) {
    const answer = await ask.ask(question);
    if (answer.type !== 'answer') return { value: { answers, ended: answer.type }, observed: [] };
    answers.push({ question: question.question, answer: answer.value });
  }
  return { value: { answers, ended: null }, observed: [] };
}

function faultOf(questions: readonly Question[]): ToolFailure | null {
  const refuse = (message: string): ToolFailure => ({ code: 'ask/bad-question', message });
  if (questions.length === 0 || questions.length > MAX_QUESTIONS) {
    return refuse(`There must be 1 to ${MAX_QUESTIONS} questions.`);
  }
  for (const { question, options = [] } of questions) {
    if (options.length > MAX_OPTIONS) return refuse(`A question may have at most ${MAX_OPTIONS} options.`);
    const texts = [question, ...options.map(({ label }) => label)];
    if (texts.some((text) => text.trim() === '')) return refuse('A question and its options must not be empty.');
    if (texts.some((text) => text.length > MAX_TEXT)) return refuse(`A text may have at most ${MAX_TEXT} characters.`);
  }
  return null;
}
