import { isRecord } from '../../base/index.ts';
import { ModelError, type ModelEvent } from '../../model/index.ts';
import { stateOfJson } from './state-of-json.ts';

type OpenCall = {
  index: number | null;
  givenId: string;
  id: string;
  name: string;
  arguments: string;
  extra: Record<string, unknown> | null;
};

type Fragment = Omit<OpenCall, 'givenId'>;

/** More than any answer holds; a server that sends more is broken. */
const MOST_CALLS = 512;

/**
 * Puts tool calls together from their fragments. Normally `index` says which call a fragment belongs to; servers that
 * use one index for all, or none, are understood by a new id, or by a new name after complete arguments.
 */
export class CallAssembler {
  readonly #calls: OpenCall[] = [];
  readonly #provider: string;
  readonly #makeId: () => string;

  /** `makeId`: another id at each call, for calls to which the server gave none or one that is taken. */
  constructor(provider: string, makeId: () => string) {
    this.#provider = provider;
    this.#makeId = makeId;
  }

  get calls(): readonly { id: string; name: string; arguments: string }[] {
    return this.#calls;
  }

  add(value: unknown): ModelEvent[] {
    const fragment = readFragment(value);
    if (fragment === undefined) return [];
    const events: ModelEvent[] = [];
    let call = this.#continued(fragment);
    if (call === undefined) {
      call = this.#open(fragment);
      events.push({ type: 'tool-input-start', id: call.id, name: call.name });
    }
    call.extra = fragment.extra ?? call.extra;
    if (fragment.arguments !== '') {
      call.arguments += fragment.arguments;
      events.push({ type: 'tool-input-delta', id: call.id, text: fragment.arguments });
    }
    return events;
  }

  /** The ends of all calls, in the order of their starts: parallel calls may arrive interleaved. */
  end(): ModelEvent[] {
    return this.#calls.map((call) => ({
      type: 'tool-input-end',
      id: call.id,
      name: call.name,
      arguments: call.arguments,
      ...(call.extra === null ? {} : { opaque: { provider: this.#provider, data: call.extra } }),
    }));
  }

  #continued(fragment: Fragment): OpenCall | undefined {
    const candidates =
      fragment.index === null ? this.#calls : this.#calls.filter((call) => call.index === fragment.index);
    const last = candidates.at(-1);
    if (last === undefined) return undefined;
    if (fragment.id !== '') {
      const same = candidates.findLast((call) => call.givenId === fragment.id);
      if (same !== undefined) return same;
      if (last.givenId !== '') return undefined;
    }
    if (fragment.name === '') return last;
    const state = stateOfJson(last.arguments);
    // Some servers repeat id and name in every fragment: the same name goes on until the arguments are whole, and adds
    // nothing after that.
    const sameName = fragment.name === last.name;
    if (sameName && (state === 'blank' || state === 'cut' || fragment.arguments.trim() === '')) return last;
    return undefined;
  }

  #open(fragment: Fragment): OpenCall {
    if (fragment.name === '') {
      throw new ModelError('malformed', 'the server sent a tool call without a name', { id: fragment.id });
    }
    if (this.#calls.length >= MOST_CALLS) {
      throw new ModelError('malformed', `the server sent more than ${MOST_CALLS} tool calls in one answer`, {});
    }
    let id = fragment.id;
    while (id === '' || this.#calls.some((call) => call.id === id)) id = this.#makeId();
    const call: OpenCall = {
      index: fragment.index,
      givenId: fragment.id,
      id,
      name: fragment.name,
      arguments: '',
      extra: null,
    };
    this.#calls.push(call);
    return call;
  }
}

function readFragment(value: unknown): Fragment | undefined {
  if (!isRecord(value)) return undefined;
  const called = isRecord(value.function) ? value.function : {};
  const given = called.arguments;
  return {
    index: typeof value.index === 'number' ? value.index : null,
    id: typeof value.id === 'string' ? value.id : '',
    name: typeof called.name === 'string' ? called.name : '',
    arguments: typeof given === 'string' ? given : given === undefined || given === null ? '' : JSON.stringify(given),
    // Google's thought signatures: without them it refuses the call's result.
    extra: isRecord(value.extra_content) ? value.extra_content : null,
  };
}
