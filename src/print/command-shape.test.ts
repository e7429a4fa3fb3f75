import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCommand } from './command-shape.ts';

const accepted = [
  { type: 'prompt', text: 'hi' },
  {
    type: 'prompt',
    text: '',
    parts: [
      { type: 'text', text: 'a' },
      { type: 'media', sha256: 'f00', mime: 'image/png' },
      { type: 'media', base64: 'AA==' },
      { type: 'media', path: 'shot.png' },
    ],
  },
  { type: 'prompt', text: '', parts: [{ type: 'media', sha256: 'f00', mime: 'image/png' }] },
  { type: 'steer', text: 'no, the other one', tag: 't1' },
  { type: 'abort' },
  { type: 'answer', id: 'q1', value: { any: ['thing'] }, feedback: 'because' },
  { type: 'answer', id: 'q1', value: null },
  { type: 'facet', to: 'plan' },
  { type: 'model', to: 'p/m' },
  { type: 'effort', to: 'low' },
  { type: 'permission-mode', to: 'yolo' },
  { type: 'harness', to: 'other', new: true },
  { type: 'tools', allow: ['read'], deny: [] },
  { type: 'compact' },
  { type: 'compact', guidance: 'keep the plan' },
  { type: 'clear' },
  { type: 'reload' },
  { type: 'rewind', to: 'e1' },
  { type: 'fork', at: 'e1' },
  { type: 'title', text: 'a title' },
  { type: 'end', tag: '' },
];

test.each(accepted)('$type is taken as it stands: %j', (command) => {
  expect(readCommand(JSON.stringify(command))).toEqual({ ok: true, command });
});

const refused: readonly [line: string, code: string, message: string][] = [
  ['not json', 'command/not-json', 'the line is not a JSON object'],
  ['[]', 'command/not-json', 'the line is not a JSON object'],
  ['"prompt"', 'command/not-json', 'the line is not a JSON object'],
  ['{"type":"promt","text":"x"}', 'command/unknown', 'unknown command "promt": did you mean "prompt"?'],
  ['{"type":"prompt"}', 'command/invalid', 'prompt: "text" is missing: a string'],
  ['{"type":"prompt","text":5}', 'command/invalid', 'prompt: "text" must be a string'],
  ['{"type":"prompt","text":""}', 'command/invalid', 'prompt: there is nothing in it: "text" is blank'],
  [
    '{"type":"prompt","text":" \\n","parts":[{"type":"text","text":" "}]}',
    'command/invalid',
    'prompt: there is nothing in it: "text" is blank',
  ],
  ['{"type":"steer","text":"\\t"}', 'command/invalid', 'steer: there is nothing in it: "text" is blank'],
  ['{"type":"prompt","text":"x","part":[]}', 'command/invalid', 'prompt: unknown field "part": did you mean "parts"?'],
  ['{"type":"prompt","text":"x","__proto__":{}}', 'command/invalid', 'prompt: unknown field "__proto__"'],
  ['{"type":"answer","id":"q"}', 'command/invalid', 'answer: "value" is missing: a value of at most 64 levels'],
  ['{"type":"harness","to":"x","new":1}', 'command/invalid', 'harness: "new" must be true or false'],
  ['{"type":"tools","allow":"read"}', 'command/invalid', 'tools: "allow" must be a list of strings'],
  ['{"type":"model","to":""}', 'command/invalid', 'model: "to" must be a string that is not empty'],
  ['{"type":"end","tag":7}', 'command/invalid', 'end: "tag" must be a string'],
];

test.each(refused)('%s is refused', (line, code, message) => {
  expect(readCommand(line)).toEqual({ ok: false, code, message });
});

test('a refused command gives its tag back', () => {
  expect(readCommand('{"type":"title","tag":"t9"}')).toEqual({
    ok: false,
    tag: 't9',
    code: 'command/invalid',
    message: 'title: "text" is missing: a string',
  });
});

test('an unknown command without a near one lists them all', () => {
  expect(readCommand('{"type":"constructor"}')).toEqual({
    ok: false,
    code: 'command/unknown',
    message:
      'unknown command "constructor": one of prompt, steer, abort, answer, facet, model, effort, permission-mode, harness, tools, compact, clear, pushd, popd, reload, rewind, fork, title, jobs, subagents, tasks, stop, end',
  });
});

test('a part that only a model may write is refused', () => {
  const line = JSON.stringify({
    type: 'prompt',
    text: 'x',
    parts: [{ type: 'call', id: '1', name: 'x', arguments: '' }],
  });
  expect(readCommand(line)).toMatchObject({ ok: false, code: 'command/invalid' });
});

test('an answer nested without end is refused', () => {
  const line = `{"type":"answer","id":"q","value":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
  expect(readCommand(line)).toMatchObject({ ok: false });
});

test('whatever the line, the answer is a command or a refusal of one line', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
      const answer = readCommand(line);
      expect(answer.ok || !answer.message.includes('\n')).toBe(true);
    }),
  );
});
