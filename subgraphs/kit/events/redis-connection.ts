import { Cluster, Redis } from 'ioredis';
import { readRedisAddresses } from '../../../gateway/platform/redis-addresses.ts';

/** Interval between two connection attempts. @unit milliseconds */
export const RETRY_MS = 200;

/**
 * Connects to Redis: a single node, Sentinel or Cluster. Commands fail immediately while there is no connection.
 *
 * @param urls addresses in the format of `readRedisAddresses`
 * @param commandTimeoutMs timeout of a command, because an unresponsive Redis does not close its connections. @unit milliseconds
 */
export function connectRedis(urls: string, commandTimeoutMs: number): Redis | Cluster {
  const addresses = readRedisAddresses(urls);
  const { username, password, isTls } = addresses;
  const access = {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(isTls ? { tls: {} } : {}),
  };
  const settings = { maxRetriesPerRequest: 0, connectTimeout: 2_000, commandTimeout: commandTimeoutMs };
  const retryStrategy = (): number => RETRY_MS;
  switch (addresses.kind) {
    case 'node':
      return new Redis(addresses.url, { ...settings, retryStrategy });
    case 'sentinels': {
      const { sentinels, name } = addresses;
      const bySentinels = { sentinels: [...sentinels], name, sentinelRetryStrategy: retryStrategy, enableTLSForSentinelMode: isTls };
      return new Redis({ ...settings, ...access, ...bySentinels, retryStrategy });
    }
    case 'cluster':
    default:
      return new Cluster([...addresses.urls], { clusterRetryStrategy: retryStrategy, redisOptions: { ...settings, ...access } });
  }
}
