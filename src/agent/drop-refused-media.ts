import { type Diagnostic, screenLine } from '../base/index.ts';
import type { Message, ModelError } from '../model/index.ts';
import type { ActiveModel, AgentParts } from './parts.ts';

const NAMES_PICTURES =
  /\bimages?\b|image_url|\bpictures?\b|\bmedia\b|\bvision\b|multi-?modal|modalit|dimension|pixels/i;
const TAKES_NONE =
  /not (?:\w+ ){0,3}support|unsupported|no endpoints|text[ -]only|only text|mmproj|missing data|cannot (?:read|process|see)|not (?:a )?(?:vision|multi-?modal)/i;
const REFUSALS: readonly unknown[] = [400, 404, 413, 415, 422, 500];

/** What stands in the conversation in a refused picture's place. */
const IN_ITS_PLACE = '[a picture was here; it was left out, since the model’s server refused it]';

/**
 * Whether a request failed because of the pictures in it, and some of them are now left out of the conversation: all
 * where the model takes none, else all but those of the newest message that has some, so that a long session goes on.
 * Tells so. The request can be asked again, with another body.
 */
export function dropRefusedMedia(
  parts: Pick<AgentParts, 'log'>,
  model: ActiveModel,
  error: ModelError,
  tell: (diagnostic: Diagnostic) => void,
): boolean {
  const history = parts.log.state().history.filter(hasMedia);
  if (history.length === 0 || !isRefusal(error)) return false;
  const takesNone = TAKES_NONE.test(wordsOf(error));
  const older = history.slice(0, -1);
  const dropped = mediaOf(takesNone || older.length === 0 ? history : older);
  parts.log.append({ type: 'media-dropped', sha256: dropped, why: IN_ITS_PLACE });
  const { info } = model;
  // What was learnt of the model holds for this run: its tools show no more pictures.
  if (takesNone && info !== null) model.info = { ...info, modalities: ['text'] };
  const count = dropped.length === 1 ? 'one picture was' : `${dropped.length} pictures were`;
  const message = `${count} left out of the conversation: ${screenLine(error.message, 200)}`;
  tell({ severity: 'warning', code: 'media/dropped', message });
  return true;
}

function hasMedia(message: Message): boolean {
  return message.parts.some((part) => part.type === 'media');
}

function mediaOf(messages: readonly Message[]): string[] {
  const parts = messages.flatMap((message) => [...message.parts]);
  return [...new Set(parts.flatMap((part) => (part.type === 'media' ? [part.sha256] : [])))];
}

function isRefusal(error: ModelError): boolean {
  const { status } = error.data;
  // A body that is too large is so by its pictures.
  return REFUSALS.includes(status) && (status === 413 || NAMES_PICTURES.test(wordsOf(error)));
}

function wordsOf(error: ModelError): string {
  return `${error.message} ${typeof error.data.body === 'string' ? error.data.body.slice(0, 4000) : ''}`;
}
