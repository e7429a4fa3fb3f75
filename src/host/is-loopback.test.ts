import { expect, test } from 'vitest';
import { isLoopback } from './is-loopback.ts';

test('loopback is this machine alone, whatever another host is called', () => {
  const urls = [
    'http://localhost:8080/v1',
    'http://LOCALHOST./',
    'http://model.localhost/',
    'http://127.0.0.1/',
    'http://127.8.1/',
    'http://2130706433/',
    'https://[::1]:1/',
    'http://127.example.com/',
    'http://127.0.0.1.example.com/',
    'http://localhost.example.com/',
    'http://mylocalhost/',
    'http://128.0.0.1/',
    'http://[::2]/',
  ];
  expect(urls.filter((url) => isLoopback(new URL(url).hostname))).toEqual(urls.slice(0, 7));
});
