import { isIP } from 'node:net';
import type { RequestHeaders } from '../platform/request-headers.ts';

/**
 * The address that a request came from: the socket's, or what a trusted proxy says of its own client. Only the last entry of
 * `X-Forwarded-For` is the proxy's word; all before it is the client's.
 */
export function clientAddressOf(remoteAddress: string, headers: RequestHeaders, isBehindProxy: boolean): string {
  const forwarded = isBehindProxy ? headers['x-forwarded-for'] : undefined;
  if (typeof forwarded !== 'string') return remoteAddress;
  const last = withoutPort(forwarded.slice(forwarded.lastIndexOf(',') + 1).trim());
  return isIP(last) === 0 ? remoteAddress : last;
}

function withoutPort(address: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(address);
  if (bracketed !== null) return bracketed[1] ?? '';
  return /^[\d.]+:\d+$/.test(address) ? address.slice(0, address.indexOf(':')) : address;
}

const IPV4_IN_IPV6 = '::ffff:';
const GROUPS = 8;
/** One household or server is given that much of IPv6, and changes the rest at will (RFC 6177). */
const NETWORK_GROUPS = 4;

/** What one client can hardly change: an IPv4 address, or the first 64 bits of an IPv6 address. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  if (address.startsWith(IPV4_IN_IPV6) && address.includes('.')) return address.slice(IPV4_IN_IPV6.length);
  const [left = '', right] = address.split('::');
  const first = left === '' ? [] : left.split(':');
  const last = right === undefined || right === '' ? [] : right.split(':');
  const zeros = Array.from({ length: Math.max(0, GROUPS - first.length - last.length) }, () => '0');
  const network = [...first, ...zeros, ...last].slice(0, NETWORK_GROUPS);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
