import { expect, test } from 'vitest';
import { faultOf, readComplaint } from './provider-failure.ts';

test.each([
  [{ error: { message: 'a', type: 't', code: 'c' } }, { message: 'a', code: 'c t' }],
  [
    [{ error: { message: 'a', status: 'RESOURCE_EXHAUSTED', code: 429 } }],
    { message: 'a', code: '429 RESOURCE_EXHAUSTED' },
  ],
  [{ error: 'a' }, { message: 'a', code: '' }],
  [{ message: 'a' }, { message: 'a', code: '' }],
  [{ detail: [{ loc: 'body' }] }, { message: '[{"loc":"body"}]', code: '' }],
  [{ error: {} }, { message: '{}', code: '' }],
  ['a', undefined],
  [{ other: 1 }, undefined],
])('the complaint in %j is read', (value, complaint) => {
  expect(readComplaint(value)).toEqual(complaint);
});

test.each<[string, number, string, string, number | undefined]>([
  [
    'a quota that waiting does not cure',
    429,
    'You exceeded your current quota, please check your plan and billing',
    'quota',
    undefined,
  ],
  [
    'the same words with a time to come back',
    429,
    'You exceeded your current quota. Please retry in 34.1s',
    'rate-limit',
    undefined,
  ],
  ['the same words with Retry-After', 429, 'You exceeded your current quota, check billing', 'rate-limit', 34_000],
  ['a limit of tokens a minute', 429, 'Request too large: tokens per minute limit', 'rate-limit', undefined],
  [
    'a local server out of context',
    500,
    'the request exceeds the available context size, try increasing it',
    'overflow',
    undefined,
  ],
  ['a token limit', 400, 'Invalid request: Your request exceeded model token limit: 131072', 'overflow', undefined],
  ['an unknown field', 422, 'extra fields not permitted', 'bad-request', undefined],
  ['a server without eyes', 500, 'image input is not supported - hint: provide the mmproj', 'bad-request', undefined],
  ['a busy server', 529, 'overloaded', 'server', undefined],
  ['a request that timed out there', 408, '', 'server', undefined],
  ['a forbidden model', 403, 'no access', 'auth', undefined],
])('%s (%i) is told from its words', (_title, status, message, fault, retryAfter) => {
  expect(faultOf(status, { message, code: '' }, retryAfter)).toBe(fault);
});
