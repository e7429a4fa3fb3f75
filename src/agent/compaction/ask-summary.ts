import { ModelError, type SummaryRequest, textOf } from '../../model/index.ts';
import { type ApartScope, askApart } from './ask-apart.ts';

/** The summary that a model writes, by itself and without tools. Throws ModelError, also for one without a word. */
export async function askSummary({ system, text }: SummaryRequest, scope: ApartScope): Promise<string> {
  const event = scope.parts.log.state().leaf ?? '';
  const parts = [{ type: 'text' as const, text }];
  const messages = [{ role: 'user' as const, event, from: 'user' as const, parts, alone: false }];
  const answer = await askApart({ system, messages, tools: [] }, scope);
  const summary = textOf(answer.parts).trim();
  if (summary === '') throw new ModelError('malformed', 'the model wrote no summary');
  return summary;
}
