import { createServer } from 'node:http';

const END = { id: 'x', object: 'chat.completion.chunk', created: 0, model: 'm' };

function sse(deltas, reason) {
  const chunks = [
    ...deltas.map((delta) => ({ ...END, choices: [{ index: 0, delta, finish_reason: null }] })),
    { ...END, choices: [{ index: 0, delta: {}, finish_reason: reason }] },
    { ...END, choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } },
  ];
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`;
}

export const TEXT = sse([{ role: 'assistant', content: 'ok' }], 'stop');

export function callOf(name, parameters) {
  const call = { index: 0, id: 'c1', type: 'function', function: { name, arguments: JSON.stringify(parameters) } };
  return sse([{ role: 'assistant', tool_calls: [call] }], 'tool_calls');
}

/** Answers at once with what `answer(number)` gives, and notes when each request arrived and what it held. */
export async function startModel(answer = () => TEXT) {
  const arrivals = [];
  const server = createServer((request, response) => {
    const arrival = { at: performance.now(), body: '' };
    arrivals.push(arrival);
    const number = arrivals.length;
    request.setEncoding('utf8').on('data', (chunk) => {
      arrival.body += chunk;
    });
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(answer(number));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/v1`, arrivals, close: () => server.close() };
}
