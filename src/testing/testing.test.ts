import { expect, test } from 'vitest';
import { createMemoryHost } from '../host/memory/index.ts';
import type { ModelRequest } from '../model/index.ts';
import { capturedMessages, capturedSystem, capturedTools, createRehearsalModel, reply, script } from './index.ts';

const REQUEST: ModelRequest = {
  sessionId: 's',
  purpose: 'turn',
  system: 'Be brief.',
  messages: [{ role: 'user', event: 'u', from: 'user', parts: [{ type: 'text', text: 'Go' }], alone: false }],
  tools: [{ name: 'read', description: 'Reads.', schema: { type: 'object' } }],
  shape: { fields: [], toolsWhenEmpty: 'omit', trimUserNewlines: false },
  media: () => undefined,
};

test('replies written in code are the ones of a script', () => {
  expect(
    script([
      reply.text('Hi', { when: { text: /go/i } }),
      reply.calls([
        { name: 'read', arguments: { path: 'a' } },
        { id: 'x', name: 'list' },
        { name: 'odd', arguments: '{' },
      ]),
    ]),
  ).toEqual({
    path: 'script',
    replies: [
      { when: { text: /go/i }, text: 'Hi' },
      {
        calls: [
          { name: 'read', arguments: '{"path":"a"}' },
          { id: 'x', name: 'list', arguments: '{}' },
          { name: 'odd', arguments: '{' },
        ],
      },
    ],
  });
});

test('what the model was sent can be read from the captured request', async () => {
  const model = createRehearsalModel(script([reply.text('Hi')]), createMemoryHost());
  for await (const _event of model.prepare(REQUEST).send(new AbortController().signal));
  const [request] = model.requests();
  expect(
    request && { system: capturedSystem(request), messages: capturedMessages(request), tools: capturedTools(request) },
  ).toEqual({
    system: 'Be brief.',
    messages: [{ role: 'user', content: 'Go' }],
    tools: [{ name: 'read', description: 'Reads.', schema: { type: 'object' } }],
  });
});

test('an unmet expectation of a reply without a line is named by its place', async () => {
  const model = createRehearsalModel(
    script([reply.text('Hi', { expect: { messages: 9 } })], 'mine'),
    createMemoryHost(),
  );
  await expect(async () => {
    for await (const _event of model.prepare(REQUEST).send(new AbortController().signal));
  }).rejects.toMatchObject({
    message: 'mine, reply 1: request 1 does not meet expect: messages 9: there are 1 (user)',
  });
});
