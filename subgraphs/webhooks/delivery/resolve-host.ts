import { type LookupAddress, promises as dns } from 'node:dns';
import { lookup } from 'node:dns/promises';

/** Resolves all addresses of a host name. @throws Error when it has none, or the lookup fails */
export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Timeout of each of two DNS queries. @unit milliseconds */
const TIMEOUT_MS = 2_000;

/**
 * Resolves host names that users chose with the name servers. The system lookup would use one of four threads that the whole process
 * shares, for as long as a foreign name server takes.
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

/**
 * Resolves host names with the system, which also knows the names of this machine and its network. Used for hosts that the configuration
 * allows.
 */
export const resolveLocalHost: ResolveHost = (hostname) => lookup(hostname, { all: true });
