import { type LookupAddress, promises as dns } from 'node:dns';
import { lookup } from 'node:dns/promises';

/** All addresses of a name. @throws Error when it has none, or nobody can tell */
export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Until a name server must have answered, twice. @unit milliseconds */
const TIMEOUT_MS = 2_000;

/**
 * Asks the name servers, for names that strangers chose: the system's own look-up takes one of four threads that the whole process shares,
 * for as long as somebody's name server likes.
 */
export const resolvePublicHost: ResolveHost = async (hostname) => {
  const resolver = new dns.Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = [
    ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
    ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (addresses.length === 0 && v4.status === 'rejected') throw v4.reason;
  if (addresses.length === 0) throw new Error(`${hostname} has no address.`);
  return addresses;
};

/** Asks the system, which knows the names of this machine and its network as well. For names that the configuration allows. */
export const resolveLocalHost: ResolveHost = (hostname) => lookup(hostname, { all: true });
