import { Cluster, Redis } from 'ioredis';
import { readRedisAddresses } from '../../../gateway/platform/redis-addresses.ts';

/** Between two tries to connect. @unit milliseconds */
export const RETRY_MS = 200;

/**
 * A connection to a Redis, however many nodes it has. Commands fail at once while there is none.
 *
 * @param urls as `readRedisAddresses` takes them
 * @param commandTimeoutMs until a command must have been answered: a Redis that stands still breaks no connection
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
