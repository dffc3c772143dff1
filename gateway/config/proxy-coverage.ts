import ipaddr from 'ipaddr.js';
import { compileNetworks, parseNetwork } from '../platform/http/request/client-address.ts';

/** Minimum prefix length of a public network of proxies. Operators do not have larger networks of proxies. @unit bits of the prefix */
const MIN_PREFIX = { 4: 8, 6: 16 } as const;

/** Divisor of the share of public addresses that may be proxies (1/16), regardless of how the networks are split. */
const MAX_SHARE = 16n;

const BITS = { 4: 32n, 6: 128n } as const;

/** Private address ranges, which may be trusted completely (RFC 1918, RFC 6598, RFC 4193, RFC 4291). */
const PRIVATE = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  'fc00::/7',
  'fe80::/10',
  '::1',
];
const isPrivate = compileNetworks(PRIVATE);

interface Range {
  readonly text: string;
  readonly version: 4 | 6;
  readonly prefix: number;
  readonly from: bigint;
  readonly size: bigint;
}

/**
 * Finds trusted networks that cover too large a part of the Internet.
 *
 * @returns description of the excessive network, for use as the subject of an error message; undefined if all networks are acceptable
 */
export function excessiveProxies(networks: readonly string[]): string | undefined {
  const ranges = networks.flatMap((text) => toRange(text) ?? []);
  const single = ranges.find(({ version, prefix }) => prefix < MIN_PREFIX[version]);
  if (single !== undefined) return single.text;
  for (const version of [4, 6] as const) {
    const covered = unionOf(ranges.filter((range) => range.version === version));
    const space = version === 4 ? 1n << BITS[4] : 1n << (BITS[6] - 3n); // IPv6 addresses of the Internet are in 2000::/3.
    if (covered * MAX_SHARE > space) return `the union of the IPv${version} networks`;
  }
  return undefined;
}

/**
 * Parses a network into a range. Returns undefined for private networks. IPv4-mapped IPv6 addresses count as IPv4 addresses (RFC 4291,
 * section 2.5.5.2).
 */
function toRange(text: string): Range | undefined {
  const network = parseNetwork(text);
  if (network === undefined) return undefined;
  const bytes = ipaddr.parse(network.address).toByteArray();
  const value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const isMapped = network.family === 'ipv6' && value >> 32n === 0xffffn;
  const version = network.family === 'ipv4' || (isMapped && network.prefix >= 96) ? 4 : 6;
  const prefix = version === 4 && network.family === 'ipv6' ? network.prefix - 96 : network.prefix;
  const hostBits = BITS[version] - BigInt(prefix);
  const start = version === 4 ? value & 0xffff_ffffn : value;
  const from = (start >> hostBits) << hostBits;
  // A network that contains all IPv4-mapped addresses covers every IPv4 address.
  if (version === 6 && prefix < 96 && from <= 0xffff_0000_0000n && from + (1n << hostBits) > 0xffff_0000_0000n) {
    return { text, version: 4, prefix: 0, from: 0n, size: 1n << 32n };
  }
  if (isPrivate?.(network.address) === true && isWhollyPrivate(version, prefix, network.address)) return undefined;
  return { text, version, prefix, from, size: 1n << hostBits };
}

/** Whether a network that begins at a private address is completely inside the same private network. */
function isWhollyPrivate(version: 4 | 6, prefix: number, address: string): boolean {
  return PRIVATE.some((text) => {
    const around = parseNetwork(text);
    if (around === undefined || (around.family === 'ipv4') !== (version === 4)) return false;
    return prefix >= around.prefix && compileNetworks([text])?.(address) === true;
  });
}

/** Counts the addresses that are in at least one of the ranges. */
function unionOf(ranges: readonly Range[]): bigint {
  let end = 0n;
  let covered = 0n;
  for (const { from, size } of ranges.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    const begin = from > end ? from : end;
    const until = from + size;
    if (until > begin) covered += until - begin;
    if (until > end) end = until;
  }
  return covered;
}
