/** A question for a person: they choose among the options or say something else. */
export type Question = {
  question: string;
  options?: { label: string; description?: string }[];
  /** Several options may be chosen. */
  multiple?: true;
};

export type QuestionAnswer =
  /** Text of the person's own or an option's label; with `multiple` a list of them. */
  | { type: 'answer'; value: string | readonly string[] }
  /** There is no one to answer in this run. */
  | { type: 'nobody' }
  | { type: 'aborted' };

/** A plan that a person is to approve. `facet`: in which it would be carried out. */
export type Handoff = { plan: string; path: string | null; facet: string };

export type HandoffDecision = 'new-context' | 'current-context' | 'refuse' | 'cancel';

/** `by`: a person, or what they said beforehand. `feedback`: what they said to a refusal. */
export type HandoffAnswer =
  | { type: 'decision'; decision: HandoffDecision; by: 'user' | 'flag'; feedback?: string }
  | { type: 'nobody' }
  | { type: 'aborted' };

/** The way to a person. */
export interface QuestionPort {
  /** Never rejects. */
  ask(question: Question): Promise<QuestionAnswer>;
  /** Never rejects. */
  handoff(handoff: Handoff): Promise<HandoffAnswer>;
}
