import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Globally routed IPv6 addresses (RFC 4291, section 2.4). All others are reserved or local to a network. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

/**
 * Whether an address is public. IPv6 addresses that contain an IPv4 address (mapped, NAT64, 6to4, Teredo) are not, because their
 * destination depends on a translator.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_UNICAST);
}
