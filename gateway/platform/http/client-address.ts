import { isIP } from 'node:net';
import type { RequestHeaders } from '../request-headers.ts';
import type { InNetworks } from './networks.ts';

/** More proxies than that stand before nobody; what else a client has written is not read. @unit addresses */
const MAX_HOPS = 16;

/**
 * The address that a request came from: the socket's, or, where that is a proxy of ours, what our proxies say of their clients.
 * Each writes the one that it was asked by at the end of `X-Forwarded-For`: the last that is no proxy of ours counts, and
 * whatever stands before it is the client's own word.
 *
 * @param isProxy whether an address is a proxy of ours; absent where there is none
 */
export function clientAddressOf(remoteAddress: string, headers: RequestHeaders, isProxy: InNetworks | undefined): string {
  if (isProxy === undefined) return remoteAddress;
  const forwarded = headers['x-forwarded-for'];
  if (typeof forwarded !== 'string') return remoteAddress;
  let client = remoteAddress;
  let end = forwarded.length;
  for (let hop = 0; hop < MAX_HOPS && end >= 0 && isProxy(client); hop += 1) {
    const comma = end === 0 ? -1 : forwarded.lastIndexOf(',', end - 1);
    const named = withoutPort(forwarded.slice(comma + 1, end).trim());
    if (isIP(named) === 0) break;
    client = named;
    end = comma;
  }
  return client;
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
