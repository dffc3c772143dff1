import { isIP } from 'node:net';
import { compileNetworks } from '../platform/http/request/client-address.ts';

/** Whether the address can be reached only from this machine. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '::1' || host === '[::1]') return true;
  return isIP(host) === 4 && host.startsWith('127.');
}

/** Networks that are not routed on the public Internet (RFC 1918, RFC 4193, RFC 3927, RFC 4291). */
const inPrivateNetwork = compileNetworks([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '::1',
  'fc00::/7',
  'fe80::/10',
]);

/** Host names that only a private network resolves: single labels, and names below a reserved suffix. */
const PRIVATE_NAME = /^[^.]+$|\.(?:internal|local|localhost|svc|home\.arpa)$/i;

/** Whether the host is this machine or is in a private network. */
export function isPrivate(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  return isIP(address) === 0 ? PRIVATE_NAME.test(host) : inPrivateNetwork?.(address) === true;
}
