import type { HandoffArgs, HandoffValue, ToolFace } from '../../tools/contract/index.ts';
import { makeFace } from './face.ts';

function said({ decision, feedback, facet, path }: HandoffValue): string {
  const place = path === null ? '' : ` It stays as it is, in ${path}.`;
  const words = feedback === undefined || feedback.trim() === '' ? null : feedback.trim();
  switch (decision) {
    case 'new-context':
      return `The user approved the plan. It is carried out in a new conversation, in the facet "${facet}".`;
    case 'current-context':
      return `The user approved the plan. The facet is "${facet}" from now on: carry the plan out, from its first step to its last.`;
    case 'refuse':
      return words === null
        ? 'The user does not approve the plan yet, and did not say why. Ask what is to be different, change it, and hand it over again.'
        : `The user does not approve the plan yet. Change it as they say, and hand it over again. They said:\n${words}`;
    case 'cancel': {
      const said = words === null ? '' : ` They said:\n${words}`;
      return `The user wants neither the plan carried out nor another one now. Stop here and wait for them.${said}`;
    }
    case 'aborted':
      return `[stopped by the user before the plan was decided on]${place}`;
    case null:
      return `Nobody is there to approve the plan in this run.${place} Do not carry it out: end your answer with what it says in short and where it is.`;
  }
}

/** Executor `handoff`. */
export function handoffFace(words: { name: string; description: string }): ToolFace {
  return makeFace<HandoffArgs, HandoffValue>({
    ...words,
    executor: 'handoff',
    parameters: [{ name: 'facet', type: 'string', description: 'In which it is to be carried out. Default: execute.' }],
    toArgs: (given) => ({ args: { facet: (given as { facet?: string }).facet ?? 'execute' } }),
    toText: said,
  });
}
