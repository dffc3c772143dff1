import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';
import { type ResolveHost, resolveLocalHost, resolvePublicHost } from './resolve-host.ts';

/** Policy for the addresses of webhooks. */
export interface TargetPolicy {
  /**
   * Hosts in a private network that are allowed on any port and without TLS: names or addresses as in a URL.
   *
   * @defaultValue none
   */
  readonly allowedPrivateHosts?: readonly string[];
  /** Resolves all other host names. @defaultValue DNS lookup */
  readonly resolve?: ResolveHost;
}

/** Loopback hosts for receivers in development, as in a URL. */
export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

const NOT_PUBLIC = 'The host of the URL must resolve by public DNS, and only to public addresses.';

/** Thrown for an address that is not allowed. The message is for the user who registered it. */
export class TargetForbidden extends Error {
  override readonly name = 'TargetForbidden';
}

const MAX_URL_LENGTH = 2_048;
const PORTS: ReadonlySet<string> = new Set(['', '8443']); // `URL` omits the default port

/**
 * Validates the parts of a URL that need no DNS lookup. `URL` normalizes the host first, as the client does: `2130706433` and `0x7f.1`
 * become 127.0.0.1. IP addresses are rejected, because no lookup precedes a connection to them.
 *
 * @throws TargetForbidden
 */
export function readTarget(text: string, { allowedPrivateHosts = [] }: TargetPolicy): URL {
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) throw new TargetForbidden('The value is not a valid URL.');
  const url = new URL(text);
  const { protocol, hostname, port, username, password, hash } = url;
  if (username !== '' || password !== '') throw new TargetForbidden('The URL must not contain a user name or a password.');
  if (hash !== '') throw new TargetForbidden('The URL must not have a fragment.');
  if ((protocol === 'http:' || protocol === 'https:') && allowedPrivateHosts.includes(hostname)) return url;
  if (protocol !== 'https:') throw new TargetForbidden('The URL must start with https://.');
  if (!PORTS.has(port)) throw new TargetForbidden('The port of the URL must be 443 or 8443.');
  if (hostname.startsWith('[') || isIP(hostname) !== 0)
    throw new TargetForbidden('The URL must have a host name; an IP address is not accepted.');
  if (hostname.endsWith('.') || !hostname.includes('.'))
    throw new TargetForbidden('The host of the URL must be a fully qualified domain name.');
  return url;
}

/**
 * Returns the addresses to which a connection may be made: all addresses of the host name or none. A single address that is not public
 * makes the name invalid. A name with both kinds could be resolved repeatedly until it returns the private one.
 *
 * @throws TargetForbidden, and the errors of the lookup
 */
export async function resolveTarget(hostname: string, policy: TargetPolicy): Promise<readonly LookupAddress[]> {
  if (policy.allowedPrivateHosts?.includes(hostname) === true) return resolveLocalHost(hostname);
  const addresses = await (policy.resolve ?? resolvePublicHost)(hostname);
  if (addresses.length > 0 && addresses.every(({ address }) => isPublicAddress(address))) return addresses;
  throw new TargetForbidden(NOT_PUBLIC);
}

/**
 * Checks the URL of a webhook at its registration. It is checked again at each attempt, with the DNS lookup of the connection.
 *
 * @throws TargetForbidden also when the name cannot be resolved at the moment
 */
export async function checkTarget(text: string, policy: TargetPolicy): Promise<URL> {
  const url = readTarget(text, policy);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return url; // the configuration allows this address
  try {
    await resolveTarget(url.hostname, policy);
  } catch (error) {
    if (error instanceof TargetForbidden) throw error;
    // The error is the same as for a name with a private address, so that callers cannot find out the names of a private network.
    throw new TargetForbidden(NOT_PUBLIC, { cause: error });
  }
  return url;
}
