export type HttpTimeouts = {
  /** Until the connection stands, milliseconds. Null: no limit. */
  connectMs: number | null;
  /** From the sent request to the first byte of the answer. */
  headersMs: number | null;
  /** Between two chunks of the answer's body. */
  idleMs: number | null;
};

export type HttpRequest = {
  url: string;
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  signal: AbortSignal;
  timeouts: HttpTimeouts;
  /**
   * Asked of every IP address that the host's name stands for, also where the host is one; any no is an HttpError
   * `http/forbidden`, and nothing was sent. Only an address that was asked of is connected to. A proxy connects by
   * itself: there it is asked of what the name stands for on this machine, and a name unknown here is refused.
   */
  allowAddress?(address: string): boolean;
};

export type HttpResponse = {
  status: number;
  /** Names in lower case; several values joined by ', '. */
  headers: Readonly<Record<string, string>>;
  /** May be read once. Throws HttpError when the connection is lost before the body's end. */
  body: AsyncIterable<Uint8Array>;
};

export type ServedRequest = {
  method: string;
  /** Path and query. */
  target: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
};

/** What a handler does with the connection: used by the rehearsal server, which must also misbehave on purpose. */
export interface ServedResponse {
  start(status: number, headers: Readonly<Record<string, string>>): void;
  /** Resolves when the chunk was taken; false when the client is gone. */
  write(chunk: string | Uint8Array): Promise<boolean>;
  end(): void;
  /** Cuts the connection without an end. */
  reset(): void;
  readonly closed: AbortSignal;
}

export interface HttpServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  close(): Promise<void>;
}

export interface HttpPort {
  /** Resolves at the answer's headers, whatever the status. Throws HttpError; aborting throws it with `http/aborted`. */
  request(request: HttpRequest): Promise<HttpResponse>;
  /** Listens on 127.0.0.1; port 0 takes a free one. */
  listen(
    port: number,
    handler: (request: ServedRequest, response: ServedResponse) => Promise<void>,
  ): Promise<HttpServer>;
}
