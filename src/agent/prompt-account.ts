import type { Message } from '../model/index.ts';
import { type FinalAnswer, finalAnswer } from './final-text.ts';

/** What came of the last prompt: its own turn, and those on what ended in the background since. */
export class PromptAccount {
  #answers: FinalAnswer[] = [];
  #requests = 0;

  /** Model requests on its account. */
  get requests(): number {
    return this.#requests;
  }

  /** The texts that its turns ended with, a blank line between each two. */
  get text(): string {
    return this.#answers.map(({ text }) => text).join('\n\n');
  }

  begin(): void {
    this.#answers = [];
    this.#requests = 0;
  }

  /** A turn has ended. Where it asked nothing the history's last answer is an earlier one's, and does not count again. */
  add(requests: number, history: readonly Message[]): void {
    this.#requests += requests;
    const answer = requests === 0 ? null : finalAnswer(history);
    if (answer !== null && answer.text !== '' && answer.event !== this.#answers.at(-1)?.event) {
      this.#answers.push(answer);
    }
  }
}
