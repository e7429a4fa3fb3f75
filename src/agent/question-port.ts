import type { Handoff, HandoffAnswer, HandoffDecision, QuestionPort } from '../tools/contract/index.ts';
import type { CallScope } from './call-outcome.ts';

const MAX_CHOICES = 100;

const DECISIONS: readonly HandoffDecision[] = ['new-context', 'current-context', 'refuse', 'cancel'];

/** Questions of a tool, by the same way as those of the permissions. `call`: the id of the call that asks. */
export function questionPort(scope: CallScope, call: string): QuestionPort {
  const { parts, emit, signal } = scope;
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
    handoff: (handoff) => askHandoff(handoff, scope, call),
  };
}

/** Asks whether a plan is to be carried out, unless that was said beforehand, and writes what was decided. */
async function askHandoff(handoff: Handoff, scope: CallScope, call: string): Promise<HandoffAnswer> {
  const { parts, assistant } = scope;
  const decide = (decision: HandoffDecision, by: 'user' | 'flag', feedback?: string): HandoffAnswer => {
    const said = feedback === undefined || feedback.trim() === '' ? {} : { feedback };
    parts.log.note({ type: 'decision', call: { assistant, id: call }, decision, ...said });
    return { type: 'decision', decision, by, ...said };
  };
  if (parts.handoff !== null) return decide(parts.handoff, 'flag');
  const end = await parts.questions.ask({
    show: (id) => scope.emit({ type: 'handoff-request', id, ...handoff, decisions: DECISIONS }),
    faultOf: (value) => (DECISIONS.some((word) => word === value) ? null : DECISIONS.join(', ')),
    signal: scope.signal,
  });
  if (end.type !== 'answer') return end;
  return decide(end.value as HandoffDecision, 'user', end.feedback);
}

function isAnswer(value: unknown, multiple: boolean): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  if (!multiple || !Array.isArray(value)) return false;
  return value.length <= MAX_CHOICES && value.every((one) => typeof one === 'string');
}

function expected(multiple: boolean): string {
  return multiple ? 'a text, or a list of texts' : 'a text that is not empty';
}
