import { expect, test } from 'vitest';
import { chooseProxy } from './choose-proxy.ts';

function proxyOf(address: string, variables: Record<string, string>): string | null {
  return chooseProxy(new URL(address), (name) => variables[name])?.href ?? null;
}

test('the proxy depends on the scheme of the address, lower-case variables first', () => {
  const variables = { http_proxy: 'http://a:1', HTTP_PROXY: 'http://b:1', HTTPS_PROXY: 'c:2' };
  expect([proxyOf('http://x.test/', variables), proxyOf('https://x.test/', variables)]).toEqual([
    'http://a:1/',
    'http://c:2/',
  ]);
  expect(proxyOf('https://x.test/', { ALL_PROXY: 'http://d:3' })).toBe('http://d:3/');
  expect(proxyOf('https://x.test/', { HTTP_PROXY: 'http://b:1', https_proxy: '' })).toBe(null);
});

test('loopback is never asked for through a proxy', () => {
  const variables = { all_proxy: 'http://p:1' };
  const addresses = ['http://localhost:1/', 'http://127.0.0.2/', 'http://[::1]:80/', 'http://a.localhost/'];
  expect(addresses.map((address) => proxyOf(address, variables))).toEqual([null, null, null, null]);
  expect(proxyOf('http://127.evil.test/', variables)).toBe('http://p:1/');
});

test('no_proxy excepts hosts, their subdomains, single ports, or all', () => {
  const except = (list: string, address: string): boolean =>
    proxyOf(address, { all_proxy: 'http://p:1', no_proxy: list }) === null;
  expect({
    host: except('a.test,b.test', 'https://b.test/'),
    subdomain: except('b.test', 'https://x.b.test/'),
    dotted: except('.b.test', 'https://x.b.test/'),
    starred: except('*.b.test', 'https://x.b.test/'),
    suffixOfName: except('b.test', 'https://ab.test/'),
    port: except('b.test:443', 'https://b.test/'),
    otherPort: except('b.test:8443', 'https://b.test/'),
    all: except('*', 'https://b.test/'),
    empty: except(' , ', 'https://b.test/'),
  }).toEqual({
    host: true,
    subdomain: true,
    dotted: true,
    starred: true,
    suffixOfName: false,
    port: true,
    otherPort: false,
    all: true,
    empty: false,
  });
});
