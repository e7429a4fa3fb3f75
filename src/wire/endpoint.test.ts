import { expect, test } from 'vitest';
import { endpointUrl, isLocalHost } from './endpoint.ts';

test('a path is added to the base URL, whose query stays', () => {
  expect(
    ['http://h/v1', 'http://h/v1/', 'http://h', 'https://h/a?b=1#c'].map((url) =>
      endpointUrl(url, '/chat/completions'),
    ),
  ).toEqual([
    'http://h/v1/chat/completions',
    'http://h/v1/chat/completions',
    'http://h/chat/completions',
    'https://h/a/chat/completions?b=1',
  ]);
});

const LOCAL = [
  'localhost',
  '127.8.0.1',
  '[::1]',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.0.1',
  '192.168.0.1',
  '169.254.1.1',
  '100.64.0.1',
  'gpu',
  'a.local',
  'a.internal',
  '[fd00::1]',
  '[fe80::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:192.168.1.1]',
];
const REMOTE = [
  'api.openai.com',
  '8.8.8.8',
  '172.32.0.1',
  '192.169.0.1',
  '100.128.0.1',
  '[2001:db8::1]',
  'local.example',
  '127.example.com',
  '[::ffff:8.8.8.8]',
];

test('local is what cannot be on the internet', () => {
  const local = [...LOCAL, ...REMOTE].filter((host) => isLocalHost(`http://${host}:8080/v1`));
  expect(local).toEqual(LOCAL);
});
