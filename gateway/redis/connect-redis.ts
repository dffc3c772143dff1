import { Cluster, Redis, type RedisCommander, type RedisOptions } from 'ioredis';
import { type RedisAccess, type RedisAddresses, readRedisAddresses } from '../platform/redis-addresses.ts';

/** The commands of Redis, sent to one node or to the node of a Cluster that has the key. */
export type RedisCommands = RedisCommander;

/** A connection that stands, or is made again for as long as the process lives. */
export interface RedisConnection {
  readonly commands: RedisCommands;
  close(): void;
}

/** Until a connection must stand. @unit milliseconds */
const CONNECT_TIMEOUT_MS = 2_000;
/** Longest wait before the next attempt to connect. @unit milliseconds */
const MAX_RECONNECT_DELAY_MS = 500;
/** How often a Cluster is asked which node has what; nodes that came back are found by it. @unit milliseconds */
const TOPOLOGY_INTERVAL_MS = 1_000;
/** Silence of a node that owes answers, after which its connection counts as dead. @unit milliseconds */
const SILENCE_TIMEOUT_MS = 10_000;

/**
 * Connects in the background. No command waits for a connection or is sent a second time: it fails at once.
 *
 * @param urls as `readRedisAddresses` takes them
 * @param onError hears of every failure to connect
 */
export function connectRedis(urls: string, onError: (error: Error) => void): RedisConnection {
  const client = open(readRedisAddresses(urls));
  client.on('error', onError);
  return { commands: client, close: () => client.disconnect() };
}

function open(addresses: RedisAddresses): Redis | Cluster {
  switch (addresses.kind) {
    case 'node':
      return new Redis(addresses.url, { ...OPTIONS, ...RECONNECT });
    case 'sentinels':
      return connectBySentinels(addresses.sentinels, addresses.name, accessOf(addresses));
    case 'cluster':
    default:
      return connectCluster(addresses.urls, accessOf(addresses));
  }
}

/** What ioredis calls it. */
interface Access {
  readonly username?: string;
  readonly password?: string;
  readonly tls?: object;
}

function accessOf({ username, password, isTls }: RedisAccess): Access {
  return {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(isTls ? { tls: {} } : {}),
  };
}

const OPTIONS = {
  connectTimeout: CONNECT_TIMEOUT_MS,
  socketTimeout: SILENCE_TIMEOUT_MS,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  // What was the primary before a failover refuses to write: behind the same name there may be another one now.
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
} satisfies RedisOptions;

const RECONNECT = { enableOfflineQueue: false, retryStrategy: reconnectDelay } satisfies RedisOptions;

/** Sentinels are asked again whenever the connection is lost, or a node that is the primary no more refuses to write. */
function connectBySentinels(sentinels: readonly { readonly host: string; readonly port: number }[], name: string, access: Access): Redis {
  return new Redis({
    ...OPTIONS,
    ...RECONNECT,
    ...access,
    sentinels: [...sentinels],
    name,
    sentinelRetryStrategy: reconnectDelay,
    enableTLSForSentinelMode: access.tls !== undefined,
  });
}

/** Nodes that the Cluster names itself are reached with the credentials and the TLS of the first address. */
function connectCluster(urls: readonly string[], access: Access): Cluster {
  return new Cluster([...urls], {
    enableOfflineQueue: false,
    clusterRetryStrategy: reconnectDelay,
    slotsRefreshInterval: TOPOLOGY_INTERVAL_MS,
    // A command that waits for the Cluster to come to rest would outlive its caller.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    redisOptions: { ...OPTIONS, ...access },
  });
}

/** Doubles up to its bound, less up to a half at random, so that gateways do not come all at once. @unit milliseconds */
function reconnectDelay(attempt: number): number {
  const longest = Math.min(MAX_RECONNECT_DELAY_MS, 2 ** Math.min(attempt, 10) * 10);
  return longest * (1 - Math.random() / 2);
}
