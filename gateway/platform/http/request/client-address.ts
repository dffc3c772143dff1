import { createHash } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import type { RequestHeaders } from '../../request-headers.ts';

/** Whether an address, as sockets and headers write it, is in one of several networks. */
export type InNetworks = (address: string) => boolean;

interface Network {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  /** @unit bits */
  readonly prefix: number;
}

/** Addresses and networks (RFC 4632; RFC 4291, section 2.3). Undefined where there are none, so that nobody asks. */
export function compileNetworks(networks: readonly string[]): InNetworks | undefined {
  if (networks.length === 0) return undefined;
  const list = new BlockList();
  for (const text of networks) {
    const network = parseNetwork(text);
    if (network === undefined) throw new TypeError(`"${text}" is no network.`);
    list.addSubnet(network.address, network.prefix, network.family);
  }
  return (address) => {
    const plain = withoutMapping(address);
    const version = isIP(plain);
    return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
  };
}

/** An address such as `192.0.2.7`, or a network such as `10.0.0.0/8` and `2001:db8::/32`; undefined for every other text. */
export function parseNetwork(text: string): Network | undefined {
  const [, address = '', bits] = /^([0-9A-Fa-f:.]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return undefined;
  const longest = version === 4 ? 32 : 128;
  const prefix = bits === undefined ? longest : Number(bits);
  return prefix <= longest ? { address, family: version === 4 ? 'ipv4' : 'ipv6', prefix } : undefined;
}

/** A listener on `::` writes IPv4 addresses as IPv6 ones (RFC 4291, section 2.5.5.2). */
function withoutMapping(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
}

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

/** Where a request came from. */
export interface RequestOrigin {
  readonly headers: RequestHeaders;
  /** Of the socket. @defaultValue unknown */
  readonly remoteAddress?: string | undefined;
}

/** What tells callers without credentials apart: the address, or the first 64 bits of an IPv6 address. Undefined where it is not known. */
export function anonymousClientOf({ headers, remoteAddress }: RequestOrigin, isProxy: InNetworks | undefined): string | undefined {
  return remoteAddress === undefined ? undefined : networkOf(clientAddressOf(remoteAddress, headers, isProxy));
}

/** The same as a subgraph is told it: it need not know the address. */
export function sessionOf(client: string): string {
  return createHash('sha256').update(`anonymous ${client}`).digest('base64url');
}
