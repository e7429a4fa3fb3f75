import { request } from 'node:http';
import { expect, test } from 'vitest';
import { reply, script } from './reply.ts';
import { serveRehearsal } from './serve-rehearsal.ts';

function post(url: string, body: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method: 'POST', headers: { 'content-type': 'application/json' } }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode));
    });
    call.on('error', reject).end(body);
  });
}

test('without a host of the test the script is served on this machine', async () => {
  const server = await serveRehearsal({ script: script([reply.text('Hello.')]), wire: 'chat' });
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'hi' },
  ];
  const status = await post(`${server.url}/chat/completions`, JSON.stringify({ model: 'm', messages, stream: true }));
  await server.close();
  expect({ status, failures: server.failures(), asked: server.requests().length }).toEqual({
    status: 200,
    failures: [],
    asked: 1,
  });
});
