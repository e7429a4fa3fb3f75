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
  usage?: Partial<Usage>;
  /** Default: calls where there are some, else end. */
  stop?: Extract<StopReason, 'end' | 'calls' | 'length' | 'filter'>;
  expect?: RehearsalExpectation;
  fault?: RehearsalFault;
  /** May be played any number of times. */
  repeat?: boolean;
};

export type RehearsalScript = {
  /** Names the script in messages. */
  path: string;
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
  /** What of the wire's rules, or of the reply's expectation, does not hold. */
  failures: readonly string[];
};
