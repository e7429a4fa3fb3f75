import { expect, test } from 'vitest';
import { checkChatRequest } from './check-chat-request.ts';

const SYSTEM = { role: 'system', content: 'S' };
const USER = { role: 'user', content: 'Hi' };

function calling(...ids: string[]): object {
  const calls = ids.map((id) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } }));
  return { role: 'assistant', content: null, tool_calls: calls };
}

function result(id: string): object {
  return { role: 'tool', tool_call_id: id, content: 'ok' };
}

function tool(name: string): object {
  return { type: 'function', function: { name, description: '', parameters: {} } };
}

function check(messages: unknown, extra: object = {}): string[] {
  return checkChatRequest({ model: 'm', messages, ...extra });
}

test('a conversation that keeps the rules has no failure', () => {
  const messages = [SYSTEM, USER, calling('a', 'b'), result('b'), result('a'), calling('a'), result('a'), USER, USER];
  expect(check(messages, { tools: [tool('read'), tool('write')] })).toEqual([]);
});

test.each<[string, unknown, string[]]>([
  ['no messages', [], ['"messages" is no list, or empty']],
  ['no system message', [USER], ['the first message is not the system message']],
  ['a second system message', [SYSTEM, USER, SYSTEM, USER], ['messages[2]: a second system message']],
  ['an empty user message', [SYSTEM, { role: 'user', content: '' }], ['messages[1]: an empty user message']],
  [
    'an empty text part',
    [SYSTEM, { role: 'user', content: [{ type: 'text', text: '' }] }],
    ['messages[1]: an empty user message'],
  ],
  [
    'an unknown role',
    [SYSTEM, { role: 'developer', content: 'x' }, USER],
    ['messages[1] has the unknown role "developer"'],
  ],
  [
    'an empty answer',
    [SYSTEM, USER, { role: 'assistant', content: '' }, USER],
    ['messages[2]: an assistant message without text and calls'],
  ],
  [
    'an answer at the end',
    [SYSTEM, USER, { role: 'assistant', content: 'x' }],
    ["the last message is the assistant's own"],
  ],
  ['a call without its result', [SYSTEM, USER, calling('a', 'b'), result('a')], ['call b has no result']],
  [
    'a message between call and result',
    [SYSTEM, USER, calling('a'), USER, result('a')],
    ['messages[3]: call a has no result before this user message', 'messages[4]: a result for a, which waits for none'],
  ],
  [
    'a second result',
    [SYSTEM, USER, calling('a'), result('a'), result('a')],
    ['messages[4]: a result for a, which waits for none'],
  ],
  ['two calls with one id', [SYSTEM, USER, calling('a', 'a'), result('a')], ['messages[2]: two calls with the id a']],
])('%s is named', (_title, messages, failures) => {
  expect(check(messages)).toEqual(failures);
});

test.each(['', 'null', '[]', '{"a'])('arguments like %j are named', (text) => {
  const call = { id: 'a', type: 'function', function: { name: 'read', arguments: text } };
  expect(check([SYSTEM, USER, { role: 'assistant', content: null, tool_calls: [call] }, result('a')])).toEqual([
    'messages[2]: the arguments of call a are no JSON object',
  ]);
});

test('two tools of one name and a tool without a usable name are named', () => {
  expect(check([SYSTEM, USER], { tools: [tool('a'), tool('a'), tool('b c')] })).toEqual([
    'tools[1]: the name "a" is taken by an earlier tool',
    'tools[2] has no usable name: "b c"',
  ]);
});

test.each([undefined, null, 'x', []])('a body like %j is no request', (body) => {
  expect(checkChatRequest(body)).toEqual(['the body is not a JSON object']);
});
