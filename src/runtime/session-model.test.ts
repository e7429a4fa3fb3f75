import { expect, test } from 'vitest';
import { UsageError } from '../base/index.ts';
import { sessionModel } from './session-model.ts';

const URL = 'http://localhost/v1';
const NOWHERE = { base_url: null, providers: {} };

test('a model of a known provider is asked for by its whole name', () => {
  expect(sessionModel('openai/gpt-5.1', NOWHERE, true)).toEqual({ name: 'openai/gpt-5.1', baseUrl: null });
  const own = { base_url: null, providers: { custom: { base_url: URL } } };
  expect(sessionModel('custom/m', own, true)).toEqual({ name: 'custom/m', baseUrl: null });
});

test('at a base URL the name is the one the server knows, with every slash of its own', () => {
  const there = { base_url: URL, providers: {} };
  expect(sessionModel('custom/maker/m', there, true)).toEqual({ name: 'maker/m', baseUrl: URL });
});

test('without the base URL a run says what is missing, and a preview goes on', () => {
  expect(sessionModel('custom/m', NOWHERE, false)).toEqual({ name: 'm', baseUrl: 'http://127.0.0.1' });
  let refused: unknown;
  try {
    sessionModel('custom/m', NOWHERE, true);
  } catch (error) {
    refused = error;
  }
  expect(refused).toEqual(
    new UsageError(
      'model/no-base-url',
      `the session's model "m" was at a --base-url, which is not kept: give it again, or choose another with --model PROVIDER/MODEL`,
      { data: { model: 'm' } },
    ),
  );
});
