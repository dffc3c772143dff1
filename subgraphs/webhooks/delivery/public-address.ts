import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What the Internet routes to anybody at all (RFC 4291, section 2.4): everything else of IPv6 is reserved, or means something inside a network. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

/**
 * Whether an address belongs to the open Internet. Addresses of IPv6 that carry one of IPv4 (mapped, NAT64, 6to4, Teredo) lead wherever
 * somebody translates them to, and are none.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_UNICAST);
}
