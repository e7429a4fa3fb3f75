import { isRecord, parseJson } from '../../base/index.ts';
import type { ModelRequest } from '../../model/index.ts';
import { checkChatRequest } from './check-chat-request.ts';
import { checkExpectation } from './check-expectation.ts';
import { callIds, composeAnswer } from './compose-answer.ts';
import { type RequestView, viewRequest } from './request-view.ts';
import type { CapturedRequest, RehearsalFault, RehearsalReply, RehearsalScript } from './script.ts';
import { refusalOf } from './server-rules.ts';
import { matchesText } from './text-match.ts';

/** What goes over the connection. */
export type StagedAnswer = {
  status: number;
  headers: Readonly<Record<string, string>>;
  chunks: readonly (string | Uint8Array)[];
  /** A pause before the headers, or before the chunk of this place; milliseconds. */
  stall: { before: 'headers' | number; ms: number } | null;
  ending: 'end' | 'reset';
};

export type Played = { staged: StagedAnswer } | { failure: string };

export type Arrival = { body: string; headers: Readonly<Record<string, string>> };

type Turn = { plays: number; faults: number };

const STREAM = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };
const JSON_TYPE = { 'content-type': 'application/json' };
const ON_PURPOSE = '{"error":{"message":"the rehearsal fails here on purpose","type":"rehearsal"}}';
const STALL_MS = 2000;
const SECRET_HEADERS: readonly string[] = ['authorization', 'x-api-key', 'proxy-authorization', 'cookie'];

/** A script in play: which replies are used, what arrived, what was wrong with it. */
export class Rehearsal {
  readonly requests: CapturedRequest[] = [];
  readonly #script: RehearsalScript;
  readonly #turns: Turn[];
  readonly #sentReasoning = new Map<string, string>();
  /** Of the script: a run that begins in the middle of a session knows its own. */
  readonly #states: ReadonlySet<string>;

  constructor(script: RehearsalScript) {
    this.#script = script;
    this.#states = new Set(script.replies.flatMap(({ state }) => state ?? []));
    this.#turns = script.replies.map(() => ({ plays: 0, faults: 0 }));
  }

  get failures(): string[] {
    return this.requests.flatMap((request) => request.failures);
  }

  /** Checks a request, finds its reply and says what is to be sent. A request with a failure uses no reply up. */
  play(arrival: Arrival): Played {
    const json = parseJson(arrival.body);
    const view = viewRequest(json);
    const request = {
      number: this.requests.length + 1,
      purpose: purposeOf(arrival.headers),
      agent: agentOf(arrival.headers),
    };
    const captured = { ...request, body: arrival.body, json, headers: hideSecrets(arrival.headers) };
    const refused = refusalOf(this.#script.server ?? {}, json, this.#sentReasoning, this.#states);
    if (refused !== null) {
      this.requests.push({ ...captured, reply: null, refused, failures: [] });
      return { staged: refusal(refused) };
    }
    const broken = checkChatRequest(json);
    const place = broken.length > 0 ? -1 : this.#find(request, view);
    const reply = this.#script.replies[place];
    const failures = this.#failuresOf({ broken, reply, place, view, number: request.number });
    this.requests.push({ ...captured, reply: reply === undefined ? null : place, refused: null, failures });
    if (reply === undefined || failures.length > 0) return { failure: failures.join('; ') };
    const model = isRecord(json) && typeof json.model === 'string' ? json.model : '';
    return { staged: this.#perform(reply, place, model) };
  }

  #failuresOf(found: {
    broken: readonly string[];
    reply: RehearsalReply | undefined;
    place: number;
    view: RequestView;
    number: number;
  }): string[] {
    const request = `request ${found.number}`;
    if (found.broken.length > 0) return found.broken.map((what) => `${request}: ${what}`);
    if (found.reply === undefined) return [`${request}: ${this.#noReply(found.view)}`];
    const unmet = found.reply.expect === undefined ? [] : checkExpectation(found.reply.expect, found.view);
    return unmet.map((what) => `${this.#name(found.reply, found.place)}: ${request} does not meet expect: ${what}`);
  }

  #find(request: Pick<CapturedRequest, 'number' | 'purpose' | 'agent'>, view: RequestView): number {
    return this.#script.replies.findIndex((reply, place) => {
      const used = (this.#turns[place]?.plays ?? 0) > 0;
      return (reply.repeat === true || !used) && matchesRequest(reply, request, view);
    });
  }

  #noReply(view: RequestView): string {
    const { replies, path } = this.#script;
    const used = this.#turns.filter((turn) => turn.plays > 0).length;
    const end = JSON.stringify(view.lastUser.slice(-120));
    if (used === replies.length)
      return `no reply is left: all ${used} of ${path} were played (the last user text: ${end})`;
    return `no reply matches: ${used} of ${replies.length} of ${path} were played (the last user text: ${end})`;
  }

  #name(reply: RehearsalReply | undefined, place: number): string {
    return reply?.line === undefined
      ? `${this.#script.path}, reply ${place + 1}`
      : `${this.#script.path}:${reply.line}`;
  }

  #perform(reply: RehearsalReply, place: number, model: string): StagedAnswer {
    // A script may grow while it is played.
    this.#turns[place] ??= { plays: 0, faults: 0 };
    const turn = this.#turns[place];
    const { fault } = reply;
    const use = turn.plays;
    const rules = this.#script.server ?? {};
    if (fault === undefined || turn.faults >= (fault.times ?? 1)) {
      turn.plays += 1;
      for (const id of callIds(reply, place, use)) this.#sentReasoning.set(id, reply.reasoning ?? '');
      return whole(composeAnswer(reply, { place, use, model, rules }));
    }
    turn.faults += 1;
    const follows = fault.times !== undefined || (fault.kind === 'status' && hasContent(reply));
    if (!follows) turn.plays += 1;
    return misbehave(fault, composeAnswer(reply, { place, use, model, rules }));
  }
}

function matchesRequest(
  { when = {} }: RehearsalReply,
  request: Pick<CapturedRequest, 'number' | 'purpose' | 'agent'>,
  view: RequestView,
): boolean {
  return (
    (when.purpose === undefined || when.purpose === request.purpose) &&
    (when.agent === undefined || when.agent === request.agent) &&
    (when.request === undefined || when.request === request.number) &&
    (when.text === undefined || matchesText(when.text, view.lastUser)) &&
    (when.system === undefined || matchesText(when.system, view.system))
  );
}

function hasContent(reply: RehearsalReply): boolean {
  return (
    reply.text !== undefined ||
    reply.state !== undefined ||
    reply.reasoning !== undefined ||
    (reply.calls ?? []).length > 0
  );
}

function whole(chunks: readonly (string | Uint8Array)[]): StagedAnswer {
  return { status: 200, headers: STREAM, chunks, stall: null, ending: 'end' };
}

function refusal(message: string): StagedAnswer {
  const body = JSON.stringify({ error: { message, type: 'invalid_request_error', code: null } });
  return { status: 400, headers: JSON_TYPE, chunks: [body], stall: null, ending: 'end' };
}

/** `chunks`: the sound answer, one event each, the finish and the end mark last. */
function misbehave(fault: RehearsalFault, chunks: readonly string[]): StagedAnswer {
  // Half of what carries content, so that something was delivered before the fault.
  const half = Math.max(1, Math.ceil((chunks.length - 1) / 2));
  switch (fault.kind) {
    case 'split-bytes':
      return whole(Array.from(Buffer.from(chunks.join(''), 'utf8'), (byte) => Uint8Array.of(byte)));
    case 'stall':
      return {
        ...whole(chunks),
        stall: { before: fault.at === 'headers' ? 'headers' : half, ms: fault.ms ?? STALL_MS },
      };
    case 'reset':
      return { ...whole(chunks.slice(0, half)), ending: 'reset' };
    case 'status':
      return {
        status: fault.status ?? 503,
        headers: { ...JSON_TYPE, ...lowerNames(fault.headers ?? {}) },
        chunks: [fault.body ?? ON_PURPOSE],
        stall: null,
        ending: 'end',
      };
    case 'malformed':
      return whole([...chunks.slice(0, half), 'data: {"choices":[{"delta":{"content":"\n\n']);
    case 'truncated':
      return whole(chunks.slice(0, half));
  }
}

function purposeOf(headers: Readonly<Record<string, string>>): ModelRequest['purpose'] {
  const told = headers['x-rein-purpose'];
  return told === 'compaction' || told === 'other' ? told : 'turn';
}

function agentOf(headers: Readonly<Record<string, string>>): string {
  const told = headers['x-rein-agent'] ?? 'root';
  try {
    return decodeURIComponent(told);
  } catch {
    return told;
  }
}

function hideSecrets(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(lowerNames(headers));
  return Object.fromEntries(entries.map(([name, value]) => [name, SECRET_HEADERS.includes(name) ? '[hidden]' : value]));
}

function lowerNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
