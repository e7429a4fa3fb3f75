import type { Message } from '../../model/index.ts';

/** Whether a person or the model said it, or a tool answered; reminders and summaries are the program's. */
export function isSaid(message: Message): boolean {
  return message.role !== 'user' || (message.from !== 'reminder' && message.from !== 'summary');
}
