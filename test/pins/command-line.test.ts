import { expect, test } from 'vitest';
import { COMMANDS, COMMANDS_NOT_BUILT, OPTIONS } from '../../src/cli/table.ts';
import { EXIT } from '../../src/print/exit-code.ts';

// Scripts rely on these. Each change here needs a line in CHANGELOG.md.

test('the exit codes are the documented ones', () => {
  expect(EXIT).toEqual({
    ended: 0,
    failed: 1,
    usage: 2,
    permission: 3,
    hungUp: 129,
    interrupted: 130,
    terminated: 143,
  });
});

test('the options are the documented ones, with their short forms', () => {
  expect(OPTIONS.map(({ name, short }) => (short === undefined ? name : `${short} ${name}`))).toEqual([
    'p print',
    'harness',
    'model',
    'base-url',
    'wire',
    'effort',
    'facet',
    'handoff',
    'C cwd',
    'c config',
    'continue',
    'resume',
    'fork',
    'no-session',
    'output',
    'input',
    'permission-mode',
    'trust',
    'tools',
    'system-prompt',
    'system-prompt-file',
    'append-system-prompt',
    'append-system-prompt-file',
    'max-turns',
    'json',
    'body',
    'prompt',
    'session',
    'request',
    'diff',
    'all',
    'format',
    'out',
    'online',
    'port',
    'user',
    'keep',
    'h help',
    'V version',
  ]);
});

test('the commands are the documented ones', () => {
  expect(COMMANDS.map(({ name }) => name)).toEqual([
    '',
    'context',
    'sessions',
    'config',
    'doctor',
    'models',
    'harnesses',
    'trust',
    'validate',
    'init',
    'vfs',
    'rehearsal',
    'demo',
    'completion',
  ]);
  expect(COMMANDS_NOT_BUILT).toEqual(['lint', 'auth', 'acp', 'inspect']);
});
