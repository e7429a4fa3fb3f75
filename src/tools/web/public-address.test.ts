import { BlockList, isIPv4 } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPublicAddress } from './public-address.ts';

test('addresses of the internet are public', () => {
  const addresses = [
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '128.0.0.1',
    '172.15.0.1',
  ];
  const more = ['172.32.0.1', '192.0.1.1', '192.167.1.1', '198.17.0.1', '198.20.0.1', '223.255.255.255'];
  const six = ['2606:4700::1111', '2a00:1450:4001:80b::200e', '::ffff:8.8.8.8', '64:ff9b::808:808', '2002:808:808::1'];
  expect([...addresses, ...more, ...six].filter((address) => !isPublicAddress(address))).toEqual([]);
});

test('this machine, private, shared, link-local, multicast and reserved networks are not', () => {
  const four = [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
  ];
  const more = [
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
  ];
  const last = ['198.51.100.7', '203.0.113.7', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255'];
  const six = ['::', '::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd12:3456::1', 'ff02::1', 'fec0::1', '100::1'];
  const docs = ['2001:db8::1', '3fff::1', '3fff:fff::1', '2001:2::1', '2001:10::1', '4000::1'];
  const carried = [
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '::ffff:a00:1',
    '64:ff9b::a00:1',
    '64:ff9b:1::808:808',
    '2002:7f00:1::1',
    '2002:c0a8:101::1',
    '2001:0:7f00:1::f7f7:f7f7',
    '2001:0:808:808::80ff:fffe',
  ];
  const all = [...four, ...more, ...last, ...six, ...docs, ...carried];
  expect(all.filter(isPublicAddress)).toEqual([]);
});

test('what is no address is not public', () => {
  const texts = [
    '',
    'localhost',
    '256.1.1.1',
    '1.1.1',
    '1.1.1.1.1',
    '1::2::3',
    '1:2:3',
    '12345::',
    'g::',
    '::1.2.3',
    ' 1.1.1.1',
  ];
  expect(texts.filter(isPublicAddress)).toEqual([]);
});

test('every IPv4 address is judged as its mapped form is, and as the ranges say', () => {
  const special = new BlockList();
  for (const [base, bits] of [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ] as const) {
    special.addSubnet(base, bits);
  }
  const near = fc.constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 203, 223, 224, 240, 255, 8);
  fc.assert(
    fc.property(fc.oneof(near, fc.nat(255)), fc.oneof(near, fc.nat(255)), fc.nat(255), fc.nat(255), (a, b, c, d) => {
      const address = `${a}.${b}.${c}.${d}`;
      expect(isIPv4(address)).toBe(true);
      expect(isPublicAddress(address)).toBe(!special.check(address));
      expect(isPublicAddress(`::ffff:${address}`)).toBe(isPublicAddress(address));
    }),
    { numRuns: 1000 },
  );
});
