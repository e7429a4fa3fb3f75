/**
 * Whether an IP address is one of the public internet: not this machine, not a private, shared or link-local network,
 * not a multicast, documentation or reserved range (IANA's special-purpose registries). An IPv6 form that carries an
 * IPv4 address (mapped, translated, 6to4, Teredo) is judged by both. What is no address is not public.
 */
export function isPublicAddress(address: string): boolean {
  const four = parseIPv4(address);
  if (four !== null) return isPublicIPv4(four);
  const six = parseIPv6(address);
  return six !== null && isPublicIPv6(six);
}

type Range = readonly [base: number, bits: number];

const IPV4_SPECIAL: readonly Range[] = [
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
  // Multicast, reserved and broadcast.
  ['224.0.0.0', 3],
].map(([base, bits]) => [parseIPv4(String(base)) ?? 0, Number(bits)]);

function isPublicIPv4(address: number): boolean {
  return !IPV4_SPECIAL.some(([base, bits]) => address >>> (32 - bits) === base >>> (32 - bits));
}

function parseIPv4(text: string): number | null {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  if (match === null) return null;
  const bytes = match.slice(1).map(Number);
  return bytes.some((byte) => byte > 255) ? null : bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}

/** Eight groups of 16 bits; a zone (`%eth0`) is left out. */
function parseIPv6(text: string): number[] | null {
  const bare = text.replace(/%.*$/, '').toLowerCase();
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(bare);
  const four = dotted === null ? null : parseIPv4(dotted[2] ?? '');
  if (dotted !== null && four === null) return null;
  const hex = four === null ? bare : `${dotted?.[1]}${(four >>> 16).toString(16)}:${(four & 0xffff).toString(16)}`;
  const halves = hex.split('::');
  if (halves.length > 2) return null;
  const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null;
  const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...tail];
  return groups.every((group) => /^[0-9a-f]{1,4}$/.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : null;
}

function isPublicIPv6(groups: readonly number[]): boolean {
  const [first = 0, second = 0] = groups;
  const last = fourOf(groups, 6);
  // ::ffff:0:0/96 (mapped), ::/96 (compatible; also :: and ::1), 64:ff9b::/96 (translated).
  if (groups.slice(0, 5).every((group) => group === 0) && (groups[5] === 0xffff || groups[5] === 0)) {
    return groups[5] === 0xffff && isPublicIPv4(last);
  }
  if (first === 0x64 && second === 0xff9b) {
    return groups.slice(2, 6).every((group) => group === 0) && isPublicIPv4(last);
  }
  // Of all of IPv6 only 2000::/3 is handed out.
  if (first >> 13 !== 1) return false;
  if (first === 0x2002) return isPublicIPv4(fourOf(groups, 1));
  // Teredo: the server's address as it is, the client's inverted.
  if (first === 0x2001 && second === 0) return isPublicIPv4(fourOf(groups, 2)) && isPublicIPv4(~last >>> 0);
  // 2001::/23 is for protocols, 2001:db8::/32 and 3fff::/20 for documentation, 5f00::/16 lies outside already.
  if (first === 0x2001 && (second < 0x200 || second === 0xdb8)) return false;
  return !(first === 0x3fff && second >> 12 === 0);
}

function fourOf(groups: readonly number[], at: number): number {
  return (groups[at] ?? 0) * 0x10000 + (groups[at + 1] ?? 0);
}
