import { expect, test } from 'vitest';
import { createMemoryHost } from '../host/memory/index.ts';
import { ownSecrets } from './own-secrets.ts';

test('secrets are what the settings name, secret headers, and passwords in addresses', () => {
  const { env } = createMemoryHost({
    env: {
      WORK_KEY: 'from-variable',
      TEAM: 'from-header',
      REIN_BASE_URL: 'http://u:p%40ss-word@h/v1',
      OTHER: 'http://u:kept@h',
      SEARCH: 'from-search',
    },
  });
  const providers = {
    work: {
      api_key_env: 'WORK_KEY',
      base_url: 'https://u:of-settings@h',
      headers: {
        'X-Team': { env: 'TEAM' },
        'X-Api-Key': 'literal-key',
        Authorization: 'Bearer abc',
        Accept: 'text/plain',
      },
    },
  };
  expect(
    ownSecrets(
      {
        settings: {
          base_url: null,
          providers,
          web: { search_key_env: 'SEARCH', search_url: 'https://u:of-search@s' },
        } as never,
      },
      env,
    ),
  ).toEqual({
    names: ['WORK_KEY', 'TEAM', 'SEARCH'],
    values: [
      'from-variable',
      'from-header',
      'from-search',
      'literal-key',
      'literal-key',
      'Bearer abc',
      'abc',
      'of-settings',
      'of-settings',
      'of-search',
      'of-search',
      'p%40ss-word',
      'p@ss-word',
    ],
  });
});
