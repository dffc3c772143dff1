import type { ConnectionOptions } from 'node:tls';
import { Cluster, Redis, type RedisCommander, type RedisOptions } from 'ioredis';
import { type RedisAccess, type RedisAddresses, readRedisAddresses } from '../platform/redis-addresses.ts';
import type { RedisCredentials } from './redis-credentials.ts';

/** Connection that is re-established whenever it is lost, until it is closed. */
export interface RedisConnection {
  readonly commands: RedisCommander;
  close(): void;
}

/** Timeout for opening a connection. @unit milliseconds */
const CONNECT_TIMEOUT_MS = 2_000;
/** Maximum delay before the next connection attempt. @unit milliseconds */
const MAX_RECONNECT_DELAY_MS = 500;
/** Interval at which the slot map of a Cluster is refreshed, which also detects recovered nodes. @unit milliseconds */
const TOPOLOGY_INTERVAL_MS = 1_000;
/** Time without data from a node with pending commands after which its connection is considered dead. @unit milliseconds */
const SILENCE_TIMEOUT_MS = 10_000;

/**
 * Connects in the background. Commands do not wait for a connection and are not retried; they fail immediately.
 *
 * @param urls addresses in the format of `readRedisAddresses`
 * @param credentials what the addresses do not contain
 * @param onError called with every connection failure
 */
export function connectRedis(urls: string, credentials: RedisCredentials, onError: (error: Error) => void): RedisConnection {
  const client = open(readRedisAddresses(urls), credentials);
  client.on('error', onError);
  return { commands: client, close: () => client.disconnect() };
}

function open(addresses: RedisAddresses, credentials: RedisCredentials): Redis | Cluster {
  const access = accessOf(addresses, credentials);
  switch (addresses.kind) {
    case 'node':
      return new Redis(addresses.url, { ...OPTIONS, ...RECONNECT, ...access });
    case 'sentinels':
      return connectBySentinels(addresses.sentinels, addresses.name, { access, credentials });
    case 'cluster':
    default:
      return connectCluster(addresses.urls, access);
  }
}

/** Access options of ioredis. */
interface Access {
  readonly username?: string;
  readonly password?: string;
  readonly tls?: ConnectionOptions;
}

function accessOf(addresses: RedisAccess, { tls = {}, ...given }: RedisCredentials): Access {
  const [username, password] = [addresses.username ?? given.username, addresses.password ?? given.password];
  return {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(addresses.isTls ? { tls } : {}),
  };
}

const OPTIONS = {
  connectTimeout: CONNECT_TIMEOUT_MS,
  socketTimeout: SILENCE_TIMEOUT_MS,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  // After a failover, the old primary rejects writes. The same host name may resolve to the new primary now, so the client reconnects.
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
} satisfies RedisOptions;

const RECONNECT = { enableOfflineQueue: false, retryStrategy: reconnectDelay } satisfies RedisOptions;

/** Connects through Sentinels. They are queried again whenever the connection is lost, or when a demoted primary rejects writes. */
function connectBySentinels(
  sentinels: readonly { readonly host: string; readonly port: number }[],
  name: string,
  { access, credentials: { sentinelUsername, sentinelPassword } }: { readonly access: Access; readonly credentials: RedisCredentials },
): Redis {
  return new Redis({
    ...OPTIONS,
    ...RECONNECT,
    ...access,
    sentinels: [...sentinels],
    name,
    sentinelRetryStrategy: reconnectDelay,
    ...(sentinelUsername === undefined ? {} : { sentinelUsername }),
    ...(sentinelPassword === undefined ? {} : { sentinelPassword }),
    ...(access.tls === undefined ? {} : { enableTLSForSentinelMode: true, sentinelTLS: access.tls }),
  });
}

/** Connects to a Cluster. Nodes that the Cluster announces are reached with the credentials and TLS settings of the first address. */
function connectCluster(urls: readonly string[], access: Access): Cluster {
  return new Cluster([...urls], {
    enableOfflineQueue: false,
    clusterRetryStrategy: reconnectDelay,
    slotsRefreshInterval: TOPOLOGY_INTERVAL_MS,
    // A command that waits until the Cluster has settled would exceed the timeout of its caller.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    redisOptions: { ...OPTIONS, ...access },
  });
}

/**
 * Computes an exponential delay with an upper bound and up to 50 % random reduction, so that gateways do not reconnect at the same time.
 *
 * @unit milliseconds
 */
function reconnectDelay(attempt: number): number {
  const longest = Math.min(MAX_RECONNECT_DELAY_MS, 2 ** Math.min(attempt, 10) * 10);
  return longest * (1 - Math.random() / 2);
}
