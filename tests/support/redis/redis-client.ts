import { Cluster, Redis } from 'ioredis';
import type { RedisClient } from '../../../gateway/redis/redis.ts';
import { eventually } from '../time/eventually.ts';

/** Connects to one Redis server, or to a Cluster for several URLs, separated by commas. */
export function openRedisClient(urls: string): Redis | Cluster {
  const [first = '', ...others] = urls.split(',');
  return others.length === 0 ? new Redis(first) : new Cluster([first, ...others]);
}

/** Waits until the node of each key responds. A client connects to a node of a Cluster on the first command for it. */
export async function untilRedisResponds(redis: RedisClient, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await eventually(async () => (await redis.run((commands) => commands.exists(key))) !== undefined, { what: 'Redis answers' });
  }
}
