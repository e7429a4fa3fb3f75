import { expect, test } from 'vitest';
import { errorText, type KimiResult, outputText, resultParts } from './tool-result.ts';

const texts = (result: KimiResult): string[] =>
  resultParts(result).map((part) => (part.type === 'text' ? part.text : part.type));

test('a message is tagged, a failure is an error, and the output is a part of its own', () => {
  expect([
    texts({ message: 'Done.', output: 'x\n' }),
    texts({ message: 'No.', failed: true, output: 'x\n' }),
    texts({ output: 'x' }),
    texts({ message: 'Done.', output: '' }),
    texts({}),
  ]).toEqual([
    ['<system>Done.</system>', 'x\n'],
    ['<system>ERROR: No.</system>', 'x\n'],
    ['x'],
    ['<system>Done.</system>'],
    ['<system>Tool output is empty.</system>'],
  ]);
});

test('what is shown comes last, in its order', () => {
  const media = [
    { type: 'text', text: '<image>' },
    { type: 'media', sha256: 'x', mime: 'image/png' },
    { type: 'text', text: '</image>' },
  ] as const;
  expect(texts({ message: 'Loaded.', media })).toEqual(['<system>Loaded.</system>', '<image>', 'media', '</image>']);
});

test('output is named where it is blank or no text, and otherwise stays as it is', () => {
  const outputs = ['', ' \n\t', 'a\0b', 'form\ffeed', '<system>ERROR: \0', '<system>Tool output is empty.</system>'];
  expect(outputs.map(outputText)).toEqual([
    '<system>Tool output is empty.</system>',
    '<system>Tool output is empty.</system>',
    '<system>Tool returned non-text content.</system>',
    'form\ffeed',
    '<system>ERROR: \0',
    '<system>Tool output is empty.</system>',
  ]);
});

test('a failure is wrapped once, whatever is in it', () => {
  const wrapped = ['', '\0', '<system>note', '<system>ERROR: x</system>', '<system>Tool output is empty.</system>'];
  expect(wrapped.map(errorText)).toEqual([
    '<system>ERROR: </system>',
    '<system>ERROR: \0</system>',
    '<system>ERROR: <system>note</system>',
    '<system>ERROR: x</system>',
    '<system>Tool output is empty.</system>',
  ]);
});
