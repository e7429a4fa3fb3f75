import type { ClockPort, HttpPort, ServedRequest, ServedResponse } from '../../host/index.ts';
import type { Wire } from '../../model/index.ts';
import { Rehearsal, type StagedAnswer } from './rehearsal.ts';
import type { CapturedRequest, RehearsalScript } from './script.ts';

export type RehearsalServerOptions = {
  host: { http: HttpPort; clock: ClockPort };
  script: RehearsalScript;
  /** The only one that is answered; this version plays `chat`. */
  wire: Wire;
  /** Default 0: a free one. */
  port?: number;
};

export type RehearsalServer = {
  /** To be given as base URL: `http://127.0.0.1:PORT/v1`. */
  readonly url: string;
  requests(): readonly CapturedRequest[];
  /** Every broken rule and unmet expectation so far. */
  failures(): readonly string[];
  close(): Promise<void>;
};

const PATHS: Readonly<Record<Wire, string>> = {
  chat: '/chat/completions',
  responses: '/responses',
  messages: '/messages',
};

/**
 * Plays the script on 127.0.0.1. A request that breaks the wire's rules or the script's expectation is answered with
 * 400 and the reason. Throws HttpError where the port is taken.
 */
export async function serveRehearsal(options: RehearsalServerOptions): Promise<RehearsalServer> {
  const { host, script, wire, port = 0 } = options;
  const rehearsal = new Rehearsal(script);
  const server = await host.http.listen(port, (request, response) =>
    answer(request, response, { rehearsal, wire, clock: host.clock }),
  );
  return {
    url: `${server.url}/v1`,
    requests: () => rehearsal.requests,
    failures: () => rehearsal.failures,
    close: () => server.close(),
  };
}

const UNTIL_READ_MS = 25;

type Stage = { rehearsal: Rehearsal; wire: Wire; clock: ClockPort };

async function answer(request: ServedRequest, response: ServedResponse, stage: Stage): Promise<void> {
  const path = request.target.replace(/\?.*$/s, '');
  if (request.method === 'GET' && path.endsWith('/models')) {
    return sendJson(response, 200, {
      object: 'list',
      data: [{ id: 'rehearsal', object: 'model', owned_by: 'rehearsal' }],
    });
  }
  const asked = (Object.keys(PATHS) as Wire[]).find((wire) => path.endsWith(PATHS[wire]));
  if (asked === undefined) return sendError(response, 404, `a rehearsal has nothing at ${path}`);
  if (request.method !== 'POST') return sendError(response, 405, `${path} takes POST`);
  if (asked !== stage.wire) {
    return sendError(response, 404, `this rehearsal speaks the ${stage.wire} wire: POST …${PATHS[stage.wire]}`);
  }
  if (asked !== 'chat') return sendError(response, 501, `this version plays no rehearsal over the ${asked} wire yet`);
  const body = new TextDecoder().decode(request.body);
  const played = stage.rehearsal.play({ body, headers: request.headers });
  if ('failure' in played) return sendError(response, 400, played.failure);
  return perform(played.staged, response, stage.clock);
}

async function perform(staged: StagedAnswer, response: ServedResponse, clock: ClockPort): Promise<void> {
  const { stall } = staged;
  if (stall?.before === 'headers') await clock.sleep(stall.ms, response.closed);
  if (response.closed.aborted) return;
  response.start(staged.status, staged.headers);
  for (const [place, chunk] of staged.chunks.entries()) {
    if (stall?.before === place) await clock.sleep(stall.ms, response.closed);
    if (!(await response.write(chunk))) return;
  }
  if (staged.ending === 'end') return response.end();
  // A reset discards what the client has not read yet, and what was sent before is part of the fault.
  await clock.sleep(UNTIL_READ_MS, response.closed);
  response.reset();
}

async function sendError(response: ServedResponse, status: number, message: string): Promise<void> {
  await sendJson(response, status, { error: { message, type: 'rehearsal', code: null } });
}

async function sendJson(response: ServedResponse, status: number, value: unknown): Promise<void> {
  response.start(status, { 'content-type': 'application/json' });
  await response.write(JSON.stringify(value));
  response.end();
}
