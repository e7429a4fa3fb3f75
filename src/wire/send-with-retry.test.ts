import { expect, test } from 'vitest';
import { HttpError } from '../host/index.ts';
import { createMemoryHost } from '../host/memory/index.ts';
import { DEFAULT_RETRY } from './retry-policy.ts';
import { sendWithRetry } from './send-with-retry.ts';

/** How often a server that refuses every connection is asked. */
async function attemptsAt(url: string, max = DEFAULT_RETRY.max): Promise<number> {
  let attempts = 0;
  const context = {
    host: createMemoryHost(),
    policy: { ...DEFAULT_RETRY, max },
    secrets: [],
    signal: new AbortController().signal,
  };
  const refuse = () => {
    attempts += 1;
    throw new HttpError('refused', 'connection refused', { url });
  };
  await expect(async () => {
    for await (const event of sendWithRetry(context, refuse)) expect(event.type).toBe('retry-wait');
  }).rejects.toMatchObject({ fault: 'network' });
  return attempts;
}

test('a server on this machine that does not listen is asked three times, one elsewhere as often as the policy says', async () => {
  const asked = [
    await attemptsAt('http://127.0.0.1:1/v1'),
    await attemptsAt('https://api.test/v1'),
    await attemptsAt('http://localhost:1/v1', 0),
  ];
  expect(asked).toEqual([3, 6, 1]);
});
