import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpError, type HttpServer, type ServedRequest, type ServedResponse } from '../index.ts';

// A request to the rehearsal server is a model request; far beyond what any model takes.
const MAX_BODY_BYTES = 256 * 1024 * 1024;

type Handler = (request: ServedRequest, response: ServedResponse) => Promise<void>;

/** Serves on 127.0.0.1 only. A handler that throws cuts its connection. Throws HttpError where the port is taken. */
export async function listenOnLoopback(port: number, handler: Handler): Promise<HttpServer> {
  const server = createServer({ keepAliveTimeout: 5000 }, (incoming, outgoing) => {
    serve(incoming, outgoing, handler).catch(() => incoming.socket.destroy());
  });
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const data = { url: `http://127.0.0.1:${port}`, phase: 'listen', systemCode: error.code ?? null };
      const why = error.code === 'EADDRINUSE' ? 'something else does already: choose another port' : error.code;
      reject(new HttpError('failed', `cannot listen on 127.0.0.1:${port}: ${why}`, data, error));
    });
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(incoming: IncomingMessage, outgoing: ServerResponse, handler: Handler): Promise<void> {
  const body = await readWhole(incoming);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  const request = { method: incoming.method ?? '', target: incoming.url ?? '', headers, body };
  await handler(request, respondOver(outgoing));
}

async function readWhole(incoming: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) {
      throw new HttpError('failed', `a request over ${MAX_BODY_BYTES} bytes`, { phase: 'body', systemCode: null });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function respondOver(outgoing: ServerResponse): ServedResponse {
  const closed = new AbortController();
  outgoing.once('close', () => closed.abort());
  outgoing.on('error', () => closed.abort());
  return {
    start(status, headers) {
      outgoing.writeHead(status, { ...headers });
      outgoing.flushHeaders();
    },
    async write(chunk) {
      if (closed.signal.aborted) return false;
      if (outgoing.write(chunk)) return true;
      return new Promise((resolve) => {
        const settle = (): void => {
          outgoing.off('drain', settle);
          closed.signal.removeEventListener('abort', settle);
          resolve(!closed.signal.aborted);
        };
        outgoing.once('drain', settle);
        closed.signal.addEventListener('abort', settle, { once: true });
      });
    },
    end: () => void outgoing.end(),
    reset: () => void outgoing.socket?.resetAndDestroy(),
    closed: closed.signal,
  };
}
