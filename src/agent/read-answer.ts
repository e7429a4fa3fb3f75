import { messageOf } from '../base/index.ts';
import {
  ModelError,
  type ModelEvent,
  NO_USAGE,
  type Part,
  type ProviderState,
  type StopReason,
  type TransientEvent,
  type Usage,
} from '../model/index.ts';

/** More than any answer of a model; a server that never stops is cut off here. Characters. */
const MAX_ANSWER = 64 * 1024 * 1024;

export type Answer = {
  parts: Part[];
  stop: StopReason;
  usage: Usage;
  opaque?: ProviderState;
  /** Why the stream did not come to its end; what came before is in `parts` and must not be executed. */
  error?: ModelError;
  /** Something of the answer was streamed. */
  begun: boolean;
  /** Names of calls that had begun and did not end. */
  openCalls: readonly string[];
};

class Collector {
  parts: Part[] = [];
  begun = false;
  readonly open = new Map<string, string>();
  #text = '';
  #reasoning = '';
  #length = 0;

  add(event: ModelEvent): void {
    this.begun = true;
    switch (event.type) {
      case 'tool-input-start':
        this.open.set(event.id, event.name);
        return;
      case 'text-delta':
        this.#text += this.#bounded(event.text);
        return;
      case 'reasoning-delta':
        this.#reasoning += this.#bounded(event.text);
        return;
      case 'text-end':
        this.#closeText();
        return;
      case 'reasoning-end':
        this.#closeReasoning(event.opaque);
        return;
      case 'tool-input-delta':
        this.#bounded(event.text);
        return;
      case 'tool-input-end':
        this.open.delete(event.id);
        this.parts.push({
          type: 'call',
          id: event.id,
          name: event.name,
          arguments: event.arguments,
          ...(event.opaque === undefined ? {} : { opaque: event.opaque }),
        });
        return;
      default:
        return;
    }
  }

  close(): Part[] {
    this.#closeReasoning();
    this.#closeText();
    return this.parts;
  }

  #bounded(text: string): string {
    this.#length += text.length;
    if (this.#length > MAX_ANSWER) {
      throw new ModelError('malformed', `the model's answer does not end: over ${MAX_ANSWER} characters`);
    }
    return text;
  }

  #closeText(): void {
    if (this.#text !== '') this.parts.push({ type: 'text', text: this.#text });
    this.#text = '';
  }

  #closeReasoning(opaque?: ProviderState): void {
    if (this.#reasoning !== '' || opaque !== undefined) {
      this.parts.push({ type: 'reasoning', text: this.#reasoning, ...(opaque === undefined ? {} : { opaque }) });
    }
    this.#reasoning = '';
  }
}

function show(event: ModelEvent): TransientEvent | null {
  switch (event.type) {
    case 'finish':
      return null;
    case 'tool-input-end':
      return { type: 'tool-input-end', id: event.id, name: event.name };
    case 'reasoning-end':
      return { type: 'reasoning-end' };
    default:
      return event;
  }
}

/** Reads one answer to its end, or to where it broke off. Never throws. */
export async function readAnswer(
  events: AsyncIterable<ModelEvent>,
  emit: (event: TransientEvent) => void,
  signal: AbortSignal,
): Promise<Answer> {
  let collector = new Collector();
  try {
    for await (const event of events) {
      const shown = show(event);
      if (shown !== null) emit(shown);
      if (event.type === 'retry-wait') {
        collector = new Collector();
        continue;
      }
      if (event.type === 'finish') {
        const { stop, usage, opaque } = event;
        const answer = { parts: collector.close(), stop, usage, begun: true, openCalls: [] };
        return { ...answer, ...(opaque === undefined ? {} : { opaque }) };
      }
      collector.add(event);
    }
    throw new ModelError('truncated', 'the answer ended without saying that it ended');
  } catch (error) {
    return {
      parts: collector.close(),
      stop: signal.aborted ? 'aborted' : 'error',
      usage: NO_USAGE,
      error: asModelError(error),
      begun: collector.begun,
      openCalls: [...collector.open.values()],
    };
  }
}

function asModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  return new ModelError('internal', messageOf(error), {}, error);
}
