import type { ModelRequest, StopReason, Usage } from '../../model/index.ts';

/** A substring, or a pattern that matches somewhere. */
export type TextMatch = string | RegExp;

/** Which request a reply is for; everything that is given must hold. */
export type RehearsalWhen = {
  purpose?: ModelRequest['purpose'];
  /** `root`, or a subagent's name. */
  agent?: string;
  /** In the last run of user messages. */
  text?: TextMatch;
  system?: TextMatch;
  /** The number of the request in this rehearsal, 1-based. */
  request?: number;
};

/** What must hold of the request when the reply is played; otherwise the run fails and says what was found. */
export type RehearsalExpectation = {
  systemContains?: readonly TextMatch[];
  systemLacks?: readonly TextMatch[];
  /** Number of messages after the system message. */
  messages?: number;
  /** Names of all offered tools, in any order. */
  tools?: readonly string[];
  /** In the last run of user messages. */
  lastUser?: readonly TextMatch[];
  /** Each in one of the results that end the conversation. */
  toolResult?: readonly TextMatch[];
};

/**
 * How the server misbehaves. `times`: that often, then the reply is played without the fault. By default once, and the
 * reply follows only a `status` that has one (some text or calls); any other faulty reply is used up by its fault.
 */
export type RehearsalFault = { times?: number } & (
  | { kind: 'split-bytes' }
  /** A pause of `ms` (2000) before the headers, or after half of the answer (the default). */
  | { kind: 'stall'; ms?: number; at?: 'headers' | 'middle' }
  /** The connection is cut after half of the answer. */
  | { kind: 'reset' }
  /** By default 503, with an error object that says it is on purpose. */
  | { kind: 'status'; status?: number; headers?: Readonly<Record<string, string>>; body?: string }
  /** A chunk that is no JSON after half of the answer. */
  | { kind: 'malformed' }
  /** The answer ends in its middle as if it were complete: no reason, no end mark. */
  | { kind: 'truncated' }
);

export type RehearsalCall = {
  /** Default: made from the reply's place in the script. */
  id?: string;
  name: string;
  /** As the model would write them: JSON text, or what is to be taken for it. */
  arguments: string;
};

export type RehearsalReply = {
  /** In the script's file, 1-based. */
  line?: number;
  when?: RehearsalWhen;
  reasoning?: string;
  text?: string;
  calls?: readonly RehearsalCall[];
  /** What stands for the whole conversation, as the answer to a request for that; it must come back unchanged. */
  state?: string;
  usage?: Partial<Usage>;
  /** Default: calls where there are some, else end. */
  stop?: Extract<StopReason, 'end' | 'calls' | 'length' | 'filter'>;
  expect?: RehearsalExpectation;
  fault?: RehearsalFault;
  /** May be played any number of times. */
  repeat?: boolean;
};

/**
 * How the server differs from a lenient one. What it refuses is answered with 400, as a real one does it, and counts as
 * no failure of the rehearsal: a client may do better at its next attempt.
 */
export type ServerRules = {
  /** Of messages with calls: `echoed`: what this server sent with them must come back; `required`: some must. */
  reasoning?: 'echoed' | 'required';
  /** Fields of the body, or of a message, that it does not know; `image`: pictures. */
  refuses?: readonly string[];
  /** Most pictures in one request. */
  mostImages?: number;
  /** `word`: at most 40 of letters, digits, `_` and `-`; `nine`: nine letters or digits. */
  callIds?: 'word' | 'nine';
  /** How its calls are numbered. Default: from 0; `zero`: all of them 0; `none`: not at all. */
  callIndex?: 'zero' | 'none';
  /** The reason that ends each of its answers; default: the one that fits. */
  finishReason?: string;
  /** It makes conversations shorter itself: see `state` of a reply. */
  nativeCompaction?: boolean;
};

export type RehearsalScript = {
  /** Names the script in messages. */
  path: string;
  server?: ServerRules;
  replies: readonly RehearsalReply[];
};

/** A request as it arrived, in order; an attempt after a failure is a request of its own. */
export type CapturedRequest = {
  /** 1-based. */
  number: number;
  purpose: ModelRequest['purpose'];
  agent: string;
  /** The exact HTTP body. */
  body: string;
  /** The body's value; undefined where it is not JSON. */
  json: unknown;
  /** Names in lower case; credentials are replaced by `[hidden]`. */
  headers: Readonly<Record<string, string>>;
  /** Which reply answered, 0-based place in the script; null: none did. */
  reply: number | null;
  /** Why the server's own rules refused it; null: they did not. */
  refused: string | null;
  /** What of the wire's rules, or of the reply's expectation, does not hold. */
  failures: readonly string[];
};
