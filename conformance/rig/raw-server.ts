import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request's body; `messages` as every chat server gets them. */
export type RawRequest = { messages: Record<string, unknown>[]; [field: string]: unknown };

export type RawServer = { url: string; requests: readonly RawRequest[] };

/** Answers one request, as badly as the test wants. */
export type RawAnswer = (response: ServerResponse) => void;

/** A chat server that follows no script but the answers given, in order; the last one again and again. */
export async function rawServer(answers: readonly RawAnswer[]): Promise<RawServer> {
  const requests: RawRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests.push(JSON.parse(Buffer.concat(chunks).toString()) as RawRequest);
      (answers[requests.length - 1] ?? answers.at(-1))?.(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests };
}

/** A stream of these deltas, each in a chunk of its own, ended by a reason (or none) and the end mark. */
export function stream(deltas: readonly unknown[], reason: string | null): RawAnswer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunks = deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] }));
    const last = { choices: [{ index: 0, delta: {}, finish_reason: reason }] };
    for (const chunk of [...chunks, last]) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    response.end('data: [DONE]\n\n');
  };
}

export function say(text: string): RawAnswer {
  return stream([{ content: text }], 'stop');
}
