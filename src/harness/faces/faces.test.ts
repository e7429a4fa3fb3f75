import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ToolFace, ToolOutcome } from '../../tools/contract/index.ts';
import { turn } from '../test-scenario.ts';
import { editFace } from './edit-face.ts';
import { readFace } from './read-face.ts';
import { shellFace } from './shell-face.ts';
import { writeFace } from './write-face.ts';

const READ = readFace({ name: 'read', description: 'Reads.\n' });
const EDIT = editFace({ name: 'edit', description: 'Edits.' });
const WRITE = writeFace({ name: 'write', description: 'Writes.' });
const SHELL = shellFace({ name: 'bash', description: 'Runs.' });

/** The call's arguments, or the failure's message. */
function args(face: ToolFace, text: string): unknown {
  const parsed = face.toCall('call-1', text);
  return 'error' in parsed ? parsed.error.message : parsed.call.args;
}

function shown(face: ToolFace, outcome: Partial<ToolOutcome<unknown>>): string {
  const parts = face.toParts({ observed: [], ...outcome } as ToolOutcome<unknown>, turn());
  expect(parts.length).toBe(1);
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join();
}

describe('a face', () => {
  test('names the engine’s tool behind its own name', () => {
    expect(SHELL.toCall('c', '{"command":"ls"}')).toEqual({
      call: { id: 'c', name: 'bash', executor: 'shell', args: { command: 'ls' } },
    });
  });

  test('its description is one shipped piece without the file’s last newline', () => {
    expect(READ.description).toEqual([
      {
        piece: {
          id: 'tool/read',
          kind: 'tool-description',
          origin: { type: 'shipped' },
          placement: 'tools',
          rule: 'Tells the model what the tool does, with the tool list of every request.',
          text: 'Reads.',
          sha256: '56392b8c02d3ca1ed2842e11d1135cff600d01af20178931cbd07c51aacb6dcf',
        },
        trigger: 'every-request',
      },
    ]);
  });

  test('its schema names each parameter, what is required, and nothing else', () => {
    expect(SHELL.schema).toEqual({
      type: 'object',
      properties: {
        command: { type: 'string', description: 'The command line.' },
        timeout: {
          type: 'integer',
          minimum: 1,
          description: 'Seconds until it is stopped, at most 600. Default: 120.',
        },
      },
      required: ['command'],
      additionalProperties: false,
    });
    expect(Object.keys(EDIT.schema.properties as object)).toEqual(['path', 'old', 'new', 'all', 'edits']);
    expect([READ, EDIT, WRITE].map((face) => face.schema.required)).toEqual([['path'], ['path'], ['path', 'content']]);
  });

  test('a failure is shown with its message', () => {
    expect(shown(EDIT, { error: { code: 'edit/not-unique', message: 'old occurs 3 times' } })).toBe(
      'Error: old occurs 3 times',
    );
  });
});

describe('arguments', () => {
  test('nothing at all means no argument', () => {
    expect(['', ' \n', 'null', '{}'].map((text) => args(READ, text))).toEqual(Array(4).fill('path is missing'));
  });

  test('what is not JSON, or no object, is refused', () => {
    expect(['{"path":', '[]', '"x"', '7'].map((text) => args(READ, text))).toEqual([
      'the arguments are not valid JSON; send the call again',
      'the arguments must be an object, not array',
      'the arguments must be an object, not string',
      'the arguments must be an object, not number',
    ]);
  });

  test('an unknown, missing or wrong field is named', () => {
    expect(
      [
        '{"path":"a","strat":1}',
        '{"path":"a","zzzzzzzz":1}',
        '{"path":null}',
        '{"path":7}',
        '{"path":"a","start":0}',
        '{"path":"a","start":1.5}',
        '{"path":"a","start":"1"}',
        '{"path":"a","numbers":"true"}',
        '{"path":"a","start":9,"end":8}',
        '{"path":"a","__proto__":{}}',
      ].map((text) => args(READ, text)),
    ).toEqual([
      'unknown argument strat (did you mean start?)',
      'unknown argument zzzzzzzz (known: path, start, end, numbers)',
      'path must be a string, not null',
      'path must be a string, not number',
      'start must be an integer of at least 1, not 0',
      'start must be an integer of at least 1, not 1.5',
      'start must be an integer of at least 1, not string',
      'numbers must be a boolean, not string',
      'end (8) lies before start (9)',
      'unknown argument __proto__ (known: path, start, end, numbers)',
    ]);
  });

  test('the failing field is in the failure’s data', () => {
    expect(WRITE.toCall('c', '{"path":"a"}')).toEqual({
      error: { code: 'arguments/invalid', message: 'content is missing', data: { field: 'content' } },
    });
  });

  test('an optional field that is null counts as not given', () => {
    expect(args(READ, '{"path":"a","start":null,"numbers":null}')).toEqual({ path: 'a' });
  });

  test('lines of a read become a first line and a count', () => {
    expect(args(READ, '{"path":"a","start":5,"end":5,"numbers":true}')).toEqual({
      path: 'a',
      firstLine: 5,
      lineCount: 1,
      numbers: true,
    });
    expect(args(READ, '{"path":"a","end":7,"numbers":false}')).toEqual({ path: 'a', lineCount: 7 });
  });

  test('seconds of a timeout become milliseconds', () => {
    expect(args(SHELL, '{"command":"x","timeout":2}')).toEqual({ command: 'x', timeoutMs: 2000 });
  });

  test('an edit is one replacement or several, never both and never neither', () => {
    expect(
      [
        '{"path":"a","old":"x","new":""}',
        '{"path":"a","old":"x","new":"y","all":true}',
        '{"path":"a","edits":[{"old":"x","new":"y"},{"old":"z","new":"","all":true}]}',
        '{"path":"a","edits":[{"old":"x","new":"y","all":null}]}',
        '{"path":"a"}',
        '{"path":"a","old":"x"}',
        '{"path":"a","old":"x","edits":[{"old":"x","new":"y"}]}',
        '{"path":"a","edits":[]}',
        '{"path":"a","edits":{"old":"x","new":"y"}}',
        '{"path":"a","edits":["x"]}',
        '{"path":"a","edits":[{"old":"x","new":"y"},{"old":"x"}]}',
        '{"path":"a","edits":[{"old":"x","new":"y","al":true}]}',
      ].map((text) => args(EDIT, text)),
    ).toEqual([
      { path: 'a', edits: [{ old: 'x', new: '' }] },
      { path: 'a', edits: [{ old: 'x', new: 'y', all: true }] },
      {
        path: 'a',
        edits: [
          { old: 'x', new: 'y' },
          { old: 'z', new: '', all: true },
        ],
      },
      { path: 'a', edits: [{ old: 'x', new: 'y' }] },
      'old is missing',
      'new is missing',
      'give either edits or old and new, not edits and old',
      'edits must not be empty',
      'edits must be an array, not object',
      'edits[0] must be an object, not string',
      'edits[1].new is missing',
      'unknown argument edits[0].al (did you mean all?)',
    ]);
  });

  test('whatever is sent, the answer is a call or a failure that says what is wrong', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), fc.constantFrom(READ, EDIT, WRITE, SHELL), (text, face) => {
        const parsed = face.toCall('c', text);
        if ('error' in parsed) expect(parsed.error.message).not.toBe('');
        else expect(parsed.call).toMatchObject({ id: 'c', name: face.name });
      }),
    );
  });
});

describe('what a read shows', () => {
  const text = {
    kind: 'text',
    path: '/a',
    text: 'one\ntwo\n',
    firstLine: 1,
    lastLine: 2,
    totalLines: 2,
    complete: true,
    shortenedLines: 0,
    encoding: 'utf-8',
  };

  test('a whole file is its text and nothing else', () => {
    expect(shown(READ, { value: text })).toBe('one\ntwo\n');
    expect(shown(READ, { value: { ...text, text: 'one\ntwo' } })).toBe('one\ntwo');
  });

  test('a part is followed by a line that says which, and how to go on', () => {
    expect(shown(READ, { value: { ...text, totalLines: 1500, complete: false } })).toBe(
      'one\ntwo\n[lines 1 to 2 of 1,500; go on with start 3]',
    );
    expect(shown(READ, { value: { ...text, text: 'x', firstLine: 9, lastLine: 9, totalLines: 9 } })).toBe(
      'x\n[lines 9 to 9 of 9]',
    );
  });

  test('shortened lines are told', () => {
    expect(shown(READ, { value: { ...text, shortenedLines: 1 } })).toBe('one\ntwo\n[1 long line is shortened]');
    expect(shown(READ, { value: { ...text, shortenedLines: 2, lastLine: 2, totalLines: 3 } })).toBe(
      'one\ntwo\n[lines 1 to 2 of 3; go on with start 3]\n[2 long lines are shortened]',
    );
  });

  test('line numbers stand before the lines, counted from the first', () => {
    expect(shown(READ, { value: { ...text, text: 'one\n\n', numbers: true } })).toBe('   1→one\n   2→\n');
    expect(
      shown(READ, {
        value: { ...text, text: 'x', firstLine: 12_345, lastLine: 12_345, totalLines: 12_345, numbers: true },
      }),
    ).toBe('12345→x\n[lines 12345 to 12345 of 12,345]');
  });

  test('a picture is a line about it, and the picture', () => {
    const value = {
      kind: 'image',
      path: '/a',
      size: 9,
      mime: 'image/png',
      sha256: 'f00',
      width: 640,
      height: 480,
      was: null,
    };
    const smaller = { ...value, was: { width: 6400, height: 4800 } };
    const media = { type: 'media', sha256: 'f00', mime: 'image/png' };
    const outcomes = [value, smaller].map((one) => ({ value: one, observed: [] }));
    expect(outcomes.map((outcome) => READ.toParts(outcome, {} as never))).toEqual([
      [{ type: 'text', text: '[picture, image/png, 640×480 pixels]' }, media],
      [{ type: 'text', text: '[picture, image/png, 640×480 pixels, made smaller from 6400×4800]' }, media],
    ]);
  });

  test('empty files, binary files and directories are described', () => {
    const values = [
      { ...text, text: '', firstLine: 1, lastLine: 0, totalLines: 0 },
      { kind: 'binary', path: '/a', size: 12_345, mime: 'image/png' },
      { kind: 'binary', path: '/a', size: 1, mime: null },
      { kind: 'binary', path: '/a', size: 2, mime: 'image/gif', why: 'over the limit' },
      {
        kind: 'directory',
        path: '/a',
        entries: [
          { name: 'src', directory: true },
          { name: 'a.ts', directory: false },
        ],
        total: 2,
      },
      { kind: 'directory', path: '/a', entries: [{ name: 'src', directory: true }], total: 1200 },
      { kind: 'directory', path: '/a', entries: [], total: 0 },
    ];
    expect(values.map((value) => shown(READ, { value }))).toEqual([
      '[the file is empty]',
      '[binary file, 12,345 bytes, image/png; not shown]',
      '[binary file, 1 bytes; not shown]',
      '[binary file, 2 bytes, image/gif; not shown: over the limit]',
      'src/\na.ts\n',
      'src/\n[1,199 more entries]',
      '[the directory is empty]',
    ]);
  });
});

describe('what a change shows', () => {
  test('an edit says how often and where, a write whether the file is new', () => {
    const edited = { path: '/a', replacements: 1, firstLine: 3, lastLine: 3, sizeBefore: 1, sizeAfter: 2 };
    expect(shown(EDIT, { value: edited })).toBe('Edited /a: 1 replacement, line 3.');
    expect(shown(EDIT, { value: { ...edited, replacements: 1200, lastLine: 9 } })).toBe(
      'Edited /a: 1,200 replacements, lines 3 to 9.',
    );
    expect(shown(WRITE, { value: { path: '/a', created: true, size: 1024 } })).toBe('Created /a (1,024 bytes).');
    expect(shown(WRITE, { value: { path: '/a', created: false, size: 0 } })).toBe('Overwrote /a (0 bytes).');
  });
});

describe('what a command shows', () => {
  const ok = {
    exitCode: 0,
    signal: null,
    timedOut: false,
    aborted: false,
    durationMs: 1234,
    head: 'out\n',
    tail: '',
    droppedBytes: 0,
    leftRunning: false,
    left: [],
  };

  test('a command that succeeded shows its output, or that there was none', () => {
    expect(shown(SHELL, { value: ok })).toBe('out\n');
    expect(shown(SHELL, { value: { ...ok, head: 'a', tail: 'b' } })).toBe('ab');
    expect(shown(SHELL, { value: { ...ok, head: '' } })).toBe('[no output]');
  });

  test('every other end has a line of its own', () => {
    const ends = [
      { exitCode: 2 },
      { exitCode: 2, head: 'x' },
      { exitCode: null, signal: 'SIGSEGV' },
      { timedOut: true, exitCode: null, signal: 'SIGKILL' },
      { aborted: true, exitCode: null },
      { leftRunning: true, head: '' },
      {
        leftRunning: true,
        left: [
          { pid: 12, name: 'node' },
          { pid: 34, name: 'sleep' },
        ],
      },
      { leftRunning: true, head: '', left: Array.from({ length: 12 }, (_, pid) => ({ pid, name: 'a' })) },
    ];
    expect(ends.map((end) => shown(SHELL, { value: { ...ok, ...end } }))).toEqual([
      'out\n[exit code 2]',
      'x\n[exit code 2]',
      'out\n[ended by SIGSEGV]',
      'out\n[timed out after 1.2 s and was stopped]',
      'out\n[stopped by the user]',
      '[still running: processes that it started]',
      'out\n[still running: node (12), sleep (34)]',
      `[still running: ${Array.from({ length: 10 }, (_, pid) => `a (${pid})`).join(', ')} and 2 more]`,
    ]);
  });

  test('what was left out is counted between head and tail, and where it is kept is said', () => {
    const long = { ...ok, head: 'head', tail: 'tail\n', droppedBytes: 1_000_000, exitCode: 1 };
    expect(shown(SHELL, { value: long, spill: '/s/1' })).toBe(
      'head\n[1,000,000 bytes left out; the whole output is in /s/1]\ntail\n[exit code 1]',
    );
    expect(shown(SHELL, { value: long })).toBe('head\n[1,000,000 bytes left out]\ntail\n[exit code 1]');
  });
});
