import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryHost } from '../host/memory/index.ts';
import { reportSettings } from './settings-report.ts';
import { shownValue, withoutCredentials } from './shown-value.ts';

const USER = '/home/user/.config/rein/settings.json';
const PROJECT = '/home/user/project/.rein/settings.json';
const FILES = {
  '/home/user/project/.git': { directory: true },
  [USER]: '{\n  "model": "mine/m",\n  "effort": "low",\n  "shell": { "timeout_ms": 1000 }\n}',
  [PROJECT]: '{\n  "effort": "high",\n\n  "model": "theirs/m"\n}',
} as const;

test('each value has the place it comes from, in the order of precedence', async () => {
  const host = createMemoryHost({ files: FILES, env: { REIN_WIRE: 'chat' } });
  const report = await reportSettings({ config: ['shell.timeout_ms=5'], harness: 'rein' }, host);
  const shown = report.values.filter(({ key }) => /^(model|wire|harness|effort|max_turns|shell.timeout_ms)$/.test(key));
  expect(shown).toEqual([
    { key: 'model', value: 'mine/m', from: 'user', path: USER, line: 2 },
    { key: 'wire', value: 'chat', from: 'environment', variable: 'REIN_WIRE' },
    { key: 'harness', value: 'rein', from: 'flag' },
    { key: 'effort', value: 'high', from: 'project', path: PROJECT, line: 2 },
    { key: 'max_turns', value: null, from: 'default' },
    { key: 'shell.timeout_ms', value: 5, from: '-c' },
  ]);
  expect(report.files).toEqual([
    { scope: 'user', path: USER, exists: true },
    { scope: 'project', path: PROJECT, exists: true },
  ]);
  expect(report.diagnostics.map(({ code }) => code)).toEqual(['config/untrusted']);
});

test('no secret is shown: not a provider’s key, a header, a credential of a URL, or what is named like one', async () => {
  const settings = {
    base_url: 'https://ada:hunter22@host/v1?api-key=hunter22&x=1',
    providers: { p: { api_key_env: 'P_KEY', headers: { 'x-org': 'hunter22', 'x-env': { env: 'P_HEADER' } } } },
    harnesses: { rein: { access_token: 'hunter22', note: 'has sk-key-of-openai inside', max_file_bytes: 7 } },
  };
  const host = createMemoryHost({
    files: { [USER]: JSON.stringify(settings) },
    env: { OPENAI_API_KEY: 'sk-key-of-openai' },
  });
  const report = await reportSettings({}, host);
  expect(JSON.stringify(report)).not.toMatch(/hunter22|sk-key-of-openai/);
  const { base_url: url, providers, harnesses } = report.settings;
  expect({ url, providers, harnesses }).toEqual({
    url: 'https://[masked]@host/v1?api-key=[masked]&x=[masked]',
    providers: {
      p: { api_key_env: 'P_KEY', headers: { 'x-org': '[masked]', 'x-env': { env: 'P_HEADER' } } },
    },
    harnesses: { rein: { access_token: '[masked]', note: 'has [masked] inside', max_file_bytes: 7 } },
  });
});

test('whatever the user and password of a URL are, neither is shown', () => {
  const secret = fc.stringMatching(/^[a-z0-9%:!$ ]{4,20}$/).map((text) => `QZ${text}ZQ`);
  fc.assert(
    fc.property(secret, secret, fc.constantFrom('http', 'HTTPS', ' https'), (user, password, scheme) => {
      const shown = withoutCredentials(`${scheme}://${user}:${password}@host/v1`);
      expect(/QZ|ZQ/i.test(shown)).toBe(false);
    }),
  );
});

test('what is no URL and no secret stays as it is', () => {
  const plain = fc.string().filter((text) => !/https?:/i.test(text));
  fc.assert(
    fc.property(plain, (text) => {
      expect(shownValue(['model'], [text, { a: text }], (same) => same)).toEqual([text, { a: text }]);
    }),
  );
});
