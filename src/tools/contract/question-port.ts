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

/** The way to a person. */
export interface QuestionPort {
  /** Never rejects. */
  ask(question: Question): Promise<QuestionAnswer>;
}
