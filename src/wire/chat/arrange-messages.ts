import {
  isCall,
  isText,
  type Message,
  type ModelInfo,
  type Part,
  type Quirks,
  type TextPart,
  takesImages,
  type WireShape,
} from '../../model/index.ts';
import { PICTURES_FOLLOW, RESULTS_READ } from './stand-ins.ts';

/**
 * Arranges a conversation as its server wants it: pictures of results in a user message after them, an answer between
 * results and a user message, neighbouring user messages as one. What it makes of the same messages is the same object
 * each time, so that whoever writes it may remember that by identity.
 */
export class MessageArranger {
  readonly #quirks: Quirks;
  readonly #picturesApart: boolean;
  readonly #pictures = new MadeOf();
  readonly #answers = new MadeOf();
  readonly #merged = new MadeOf();
  readonly #answered = new MadeOf();

  constructor(info: ModelInfo, quirks: Quirks) {
    this.#quirks = quirks;
    this.#picturesApart = quirks.tool_images === 'after-results' && takesImages(info);
  }

  arrange(messages: readonly Message[], shape: WireShape): readonly Message[] {
    const answered = shape.unanswered === 'drop' ? this.#dropUnanswered(messages) : messages;
    const whole = this.#completeResults(answered, this.#picturesApart && shape.results !== 'parts');
    return this.#quirks.merge_user_messages ? this.#mergeUsers(whole) : whole;
  }

  /** Calls that never had a result, with the words that stand in its place: a result is named by an event of its own. */
  #dropUnanswered(messages: readonly Message[]): readonly Message[] {
    const arranged: Message[] = [];
    let from = 0;
    for (const [index, message] of messages.entries()) {
      if (message.role !== 'assistant' || !message.parts.some(isCall)) continue;
      const end = endOfResults(messages, index);
      const run = messages.slice(index, end);
      if (!run.some(isStandIn)) continue;
      const left = this.#answered.get(run, withoutUnanswered);
      arranged.push(...messages.slice(from, index), left, ...run.slice(1).filter((each) => !isStandIn(each)));
      from = end;
    }
    return from === 0 ? messages : [...arranged, ...messages.slice(from)];
  }

  #completeResults(messages: readonly Message[], picturesApart: boolean): readonly Message[] {
    const arranged: Message[] = [];
    let run: Message[] = [];
    for (const [index, message] of messages.entries()) {
      arranged.push(message);
      if (message.role !== 'tool') continue;
      run.push(message);
      const next = messages[index + 1];
      if (next?.role === 'tool') continue;
      const pictures = picturesApart && run.some(hasMedia) ? this.#pictures.get(run, picturesOf) : null;
      if (this.#quirks.answer_after_results && (pictures !== null || next?.role === 'user')) {
        arranged.push(this.#answers.get(run, answerTo));
      }
      if (pictures !== null) arranged.push(pictures);
      run = [];
    }
    return arranged;
  }

  #mergeUsers(messages: readonly Message[]): readonly Message[] {
    const arranged: Message[] = [];
    let run: Message[] = [];
    for (const [index, message] of messages.entries()) {
      if (message.role !== 'user') {
        arranged.push(message);
        continue;
      }
      run.push(message);
      if (messages[index + 1]?.role === 'user') continue;
      arranged.push(run.length === 1 ? message : this.#merged.get(run, mergeAll));
      run = [];
    }
    return arranged;
  }
}

/** What was made of a run of messages, by their identity: one of them may be replaced by another of the same event. */
class MadeOf {
  readonly #known = new WeakMap<Message, { run: readonly Message[]; made: Message }>();

  get(run: readonly Message[], make: (run: readonly Message[]) => Message): Message {
    const [first] = run;
    const known = first === undefined ? undefined : this.#known.get(first);
    const same = known?.run.length === run.length && known.run.every((message, index) => message === run[index]);
    if (known !== undefined && same) return known.made;
    const made = make(run);
    if (first !== undefined) this.#known.set(first, { run: [...run], made });
    return made;
  }
}

function endOfResults(messages: readonly Message[], answer: number): number {
  let end = answer + 1;
  while (messages[end]?.role === 'tool') end += 1;
  return end;
}

/** What the fold of the history put in the place of a result that never came. */
function isStandIn(message: Message): boolean {
  return message.role === 'tool' && message.event === message.call.assistant;
}

function withoutUnanswered(run: readonly Message[]): Message {
  const [answer] = run;
  if (answer?.role !== 'assistant') return answer as Message;
  const gone = run.flatMap((message) => (message.role === 'tool' && isStandIn(message) ? [message.call.id] : []));
  return { ...answer, parts: answer.parts.filter((part) => !isCall(part) || !gone.includes(part.id)) };
}

function hasMedia({ parts }: Message): boolean {
  return parts.some((part) => part.type === 'media');
}

function userMessage(run: readonly Message[], parts: readonly Part[]): Message {
  return { role: 'user', event: run.at(-1)?.event ?? '', from: 'reminder', parts, alone: false };
}

function picturesOf(run: readonly Message[]): Message {
  const pictures = run.flatMap(({ parts }) => parts.filter((part) => part.type === 'media'));
  return userMessage(run, [{ type: 'text', text: PICTURES_FOLLOW }, ...pictures]);
}

function answerTo(run: readonly Message[]): Message {
  const event = run.at(-1)?.event ?? '';
  return {
    role: 'assistant',
    event,
    parts: [{ type: 'text', text: RESULTS_READ }],
    source: { provider: '', model: '' },
  };
}

/** Texts that meet are one, with a blank line between: templates without lists of parts take it too. */
function mergeAll(run: readonly Message[]): Message {
  const parts: Part[] = [];
  for (const message of run) {
    for (const [index, part] of message.parts.entries()) {
      const last = parts.at(-1);
      if (isText(part) && last !== undefined && isText(last)) parts[parts.length - 1] = joined(last, part, index === 0);
      else parts.push(part);
    }
  }
  return userMessage(run, parts);
}

function joined(left: TextPart, right: TextPart, between: boolean): TextPart {
  return { type: 'text', text: `${left.text}${between ? '\n\n' : ''}${right.text}` };
}
