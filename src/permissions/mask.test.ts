import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMasker, maskPatterns } from './index.ts';
import { MASK } from './mask.ts';

describe('our own keys', () => {
  test('are hidden wherever they occur, as JSON and URLs write them too', () => {
    const mask = createMasker(['sk "quoted" key', ' padded-key-1\n']);
    expect(mask('a sk "quoted" key b padded-key-1c')).toBe(`a ${MASK} b ${MASK}c`);
    expect(mask(JSON.stringify({ key: 'sk "quoted" key' }))).toBe(`{"key":"${MASK}"}`);
    expect(mask('?k=sk%20%22quoted%22%20key')).toBe(`?k=${MASK}`);
  });

  test('are hidden whole where one is the beginning of another', () => {
    expect(createMasker(['abcdefgh', 'abcdefgh-long'])('abcdefgh-long abcdefgh')).toBe(`${MASK} ${MASK}`);
  });

  test('under 8 characters are not taken for words', () => {
    expect(createMasker(['', 'short', '1234567'])('short 1234567')).toBe('short 1234567');
  });

  test('never stay in any text', () => {
    const key = fc.string({ minLength: 8, maxLength: 30, unit: 'grapheme' }).filter((text) => text.trim().length >= 8);
    fc.assert(
      fc.property(key, fc.string(), fc.string(), (secret, before, after) => {
        fc.pre(!MASK.includes(secret.trim()));
        const masked = createMasker([secret])(`${before}${secret.trim()}${after}`);
        expect(masked.includes(MASK)).toBe(true);
        expect(masked.length).toBeLessThanOrEqual(before.length + after.length + Math.max(MASK.length, secret.length));
      }),
    );
  });
});

describe('what looks like a secret', () => {
  const x36 = 'x'.repeat(36);

  test('is hidden in the forms of well-known services (C115)', () => {
    const tokens = [
      `ghp_${x36}`,
      `github_pat_${x36}`,
      `glpat-${x36}`,
      `npm_${x36}`,
      `xoxb-${x36}`,
      `sk-ant-api03-${x36}`,
      `AIza${'y'.repeat(35)}`,
      'AKIAABCDEFGHIJKLMNOP',
      `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${x36}`,
    ];
    expect(tokens.map((token) => maskPatterns(`a ${token} b`))).toEqual(tokens.map(() => `a ${MASK} b`));
  });

  test('is hidden in headers, whose names stay', () => {
    expect(maskPatterns('Authorization: Bearer abc.def-123')).toBe(`Authorization: Bearer ${MASK}`);
    expect(maskPatterns(`curl -H 'authorization: basic dXNlcjpwYXNz' x`)).toBe(
      `curl -H 'authorization: basic ${MASK}' x`,
    );
    expect(maskPatterns('{"Authorization": "Bearer abcd"}')).toBe(`{"Authorization": "Bearer ${MASK}"}`);
    expect(maskPatterns('x-api-key: 0123456789')).toBe(`x-api-key: ${MASK}`);
    expect(maskPatterns('sent bearer 0123456789abcdef')).toBe(`sent bearer ${MASK}`);
  });

  test('is hidden in private-key blocks, whole or cut, in lines or in JSON', () => {
    const begin = '-----BEGIN RSA PRIVATE KEY-----';
    const end = '-----END RSA PRIVATE KEY-----';
    const body = Array.from({ length: 3 }, () => 'MIIEpAIBAAKCAQEA'.repeat(4)).join('\n');
    expect(maskPatterns(`a\n${begin}\n${body}\n${end}\nb`)).toBe(`a\n${begin}${MASK}${end}\nb`);
    expect(maskPatterns(`${begin}\\nMIIE\\n${end}`)).toBe(`${begin}${MASK}${end}`);
    expect(maskPatterns(`${begin}\n${body}\n\n[the rest was left out]`)).toBe(
      `${begin}${MASK}\n\n[the rest was left out]`,
    );
    expect(maskPatterns(`cut\n${body}\n${end}\nb`)).toBe(`cut\n${MASK}${end}\nb`);
  });

  test('is not what a program says of itself', () => {
    const text = [
      'the bearer of news; Authorization: none; ghp_short; task-force sk-only',
      'commit 0123456789abcdef0123456789abcdef01234567',
      '-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----',
      'export const authorization = (token: string) => token;',
    ].join('\n');
    expect(maskPatterns(text)).toBe(text);
  });

  test('stays hidden when it is looked at again, in any text', () => {
    const piece = fc.constantFrom(
      `ghp_${x36}`,
      'Authorization: ',
      'Bearer ',
      'abcdefghijklmnop',
      '-----BEGIN PRIVATE KEY-----',
      '-----END PRIVATE KEY-----',
      '\n',
      ' ',
      MASK,
      '"',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const once = maskPatterns(pieces.join(''));
        expect(maskPatterns(once)).toBe(once);
      }),
    );
  });

  test('is searched for in time that grows with the text only', () => {
    const hostile = [
      '-----BEGIN PRIVATE KEY-----\n'.repeat(5000),
      'Bearer '.repeat(20_000),
      `${'A'.repeat(100)}\n`.repeat(2000),
      'eyJ'.repeat(50_000),
      'authorization:'.repeat(10_000),
    ].join('');
    const started = performance.now();
    maskPatterns(hostile);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
