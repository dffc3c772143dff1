import { createHash } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import type { RequestHeaders } from '../../request-headers.ts';

/** Returns whether an address, in the notation of sockets and headers, is in one of several networks. */
export type InNetworks = (address: string) => boolean;

interface Network {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  /** Length of the network prefix. @unit bits */
  readonly prefix: number;
}

/**
 * Compiles addresses and networks (RFC 4632; RFC 4291, section 2.3). Undefined if the list is empty, so that callers can skip the check.
 */
export function compileNetworks(networks: readonly string[]): InNetworks | undefined {
  if (networks.length === 0) return undefined;
  const list = new BlockList();
  for (const text of networks) {
    const network = parseNetwork(text);
    if (network === undefined) throw new TypeError(`"${text}" is not a valid address or network.`);
    list.addSubnet(network.address, network.prefix, network.family);
  }
  return (address) => {
    const plain = withoutMapping(address);
    const version = isIP(plain);
    return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
  };
}

/** Parses an address such as `192.0.2.7`, or a network such as `10.0.0.0/8` and `2001:db8::/32`; undefined for any other text. */
export function parseNetwork(text: string): Network | undefined {
  const [, address = '', bits] = /^([0-9A-Fa-f:.]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return undefined;
  const longest = version === 4 ? 32 : 128;
  const prefix = bits === undefined ? longest : Number(bits);
  return prefix <= longest ? { address, family: version === 4 ? 'ipv4' : 'ipv6', prefix } : undefined;
}

/** Removes the IPv6 prefix of IPv4 addresses, which a listener on `::` reports as IPv6 (RFC 4291, section 2.5.5.2). */
function withoutMapping(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
}

/** Maximum number of proxies in a chain. Further entries, which clients can forge, are ignored. @unit addresses */
const MAX_HOPS = 16;

/**
 * Returns the client address of a request: the address of the socket or, if that is a trusted proxy, the address that trusted proxies
 * report. Each proxy appends the address of its peer to `X-Forwarded-For`. The last address that is not a trusted proxy is used, because
 * clients can forge all entries before it.
 *
 * @param isProxy returns whether an address is a trusted proxy; absent without trusted proxies
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
/** Size of the IPv6 network that one household or server usually has. It can change the remaining bits freely (RFC 6177). */
const NETWORK_GROUPS = 4;

/** Returns the part of an address that one client can hardly change: an IPv4 address, or the first 64 bits of an IPv6 address. */
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

/** Origin of a request. */
export interface RequestOrigin {
  readonly headers: RequestHeaders;
  /** Address of the socket. @defaultValue unknown */
  readonly remoteAddress?: string | undefined;
}

/**
 * Returns the key that distinguishes callers without credentials: the address, or the first 64 bits of an IPv6 address. Undefined if the
 * address is unknown.
 */
export function anonymousClientOf({ headers, remoteAddress }: RequestOrigin, isProxy: InNetworks | undefined): string | undefined {
  return remoteAddress === undefined ? undefined : networkOf(clientAddressOf(remoteAddress, headers, isProxy));
}

/** Returns the hashed key for subgraphs, which do not need to know the address. */
export function sessionOf(client: string): string {
  return createHash('sha256').update(`anonymous ${client}`).digest('base64url');
}
