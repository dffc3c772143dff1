import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';
import { type ResolveHost, resolveLocalHost, resolvePublicHost } from './resolve-host.ts';

/** Where messages may go. */
export interface TargetPolicy {
  /**
   * Hosts that may stand in a private network, on any port and in plain HTTP: names or addresses, as a URL spells them.
   *
   * @defaultValue none
   */
  readonly allowedPrivateHosts?: readonly string[];
  /** Addresses of all other names. @defaultValue what the name servers say */
  readonly resolve?: ResolveHost;
}

const NOT_PUBLIC = 'Its host must be known to public name servers, and have public addresses only.';

/** Messages must not go there. The message says why, in words for whoever registered it. */
export class TargetForbidden extends Error {
  override readonly name = 'TargetForbidden';
}

const MAX_URL_LENGTH = 2_048;
const PORTS: ReadonlySet<string> = new Set(['', '8443']); // the default one is not spelt

/**
 * Checks what of a target can be told by its spelling. `URL` reads it first, as whoever connects will: `2130706433` and `0x7f.1` are
 * 127.0.0.1 after that. Addresses in place of names are refused, because no look-up stands before a connection to them.
 *
 * @throws TargetForbidden
 */
export function readTarget(text: string, { allowedPrivateHosts = [] }: TargetPolicy): URL {
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) throw new TargetForbidden('It is no URL.');
  const url = new URL(text);
  const { protocol, hostname, port, username, password, hash } = url;
  if (username !== '' || password !== '') throw new TargetForbidden('It must have no user name and no password in it.');
  if (hash !== '') throw new TargetForbidden('It must have no fragment.');
  if ((protocol === 'http:' || protocol === 'https:') && allowedPrivateHosts.includes(hostname)) return url;
  if (protocol !== 'https:') throw new TargetForbidden('It must begin with https://.');
  if (!PORTS.has(port)) throw new TargetForbidden('Its port must be 443 or 8443.');
  if (hostname.startsWith('[') || isIP(hostname) !== 0) throw new TargetForbidden('It must name its host; an address is not accepted.');
  if (hostname.endsWith('.') || !hostname.includes('.')) throw new TargetForbidden('Its host must be a full name of the Internet.');
  return url;
}

/**
 * The addresses to which a connection may be made: all that the name has, or none. One that is not public spoils them all, because a name
 * that has both kinds is there to be tried until it gives the right one.
 *
 * @throws TargetForbidden, and whatever the look-up throws
 */
export async function resolveTarget(hostname: string, policy: TargetPolicy): Promise<readonly LookupAddress[]> {
  if (policy.allowedPrivateHosts?.includes(hostname) === true) return resolveLocalHost(hostname);
  const addresses = await (policy.resolve ?? resolvePublicHost)(hostname);
  if (addresses.length > 0 && addresses.every(({ address }) => isPublicAddress(address))) return addresses;
  throw new TargetForbidden(NOT_PUBLIC);
}

/**
 * Checks a target as it is registered. At each attempt it is checked again, by the very look-up that the connection is made with.
 *
 * @throws TargetForbidden also where the name is not known at the moment
 */
export async function checkTarget(text: string, policy: TargetPolicy): Promise<URL> {
  const url = readTarget(text, policy);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return url; // allowed by its spelling
  try {
    await resolveTarget(url.hostname, policy);
  } catch (error) {
    if (error instanceof TargetForbidden) throw error;
    // The same as for a name with a private address: callers must not learn which names a private network knows.
    throw new TargetForbidden(NOT_PUBLIC, { cause: error });
  }
  return url;
}
