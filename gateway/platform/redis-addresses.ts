/** How a Redis is reached that one setting names. */
export type RedisAddresses = RedisAccess &
  (
    | { readonly kind: 'node'; readonly url: string }
    | { readonly kind: 'cluster'; readonly urls: readonly string[] }
    | {
        readonly kind: 'sentinels';
        readonly sentinels: readonly { readonly host: string; readonly port: number }[];
        /** By which the sentinels know the primary. */
        readonly name: string;
      }
  );

/** With what each node is spoken to. */
export interface RedisAccess {
  readonly username?: string;
  readonly password?: string;
  readonly isTls: boolean;
}

/** What an address looks like; several have commas between them. */
export const REDIS_ADDRESSES = /^rediss?(?:\+sentinel)?:\/\/[^,\s]+(?:,\s*rediss?(?:\+sentinel)?:\/\/[^,\s]+)*$/;

const SENTINEL = /^rediss?\+sentinel:$/;
const SENTINEL_PORT = 26_379;
const DEFAULT_NAME = 'mymaster';

/**
 * `redis://` or `rediss://` is one node, a comma list of them a Cluster, and `redis+sentinel://` a list of Sentinels with the name of the
 * primary as path: `redis+sentinel://:password@one:26379/mymaster,redis+sentinel://two:26379`. Name and password or user are those of the
 * first address, and of all data nodes.
 *
 * @throws TypeError for what is no address
 */
export function readRedisAddresses(text: string): RedisAddresses {
  const urls = text.split(',').map((url) => url.trim());
  const parsed = urls.map((url) => new URL(url));
  const [first] = parsed;
  if (first === undefined) throw new TypeError('There is no address.');
  const access = {
    ...(first.username === '' ? {} : { username: decodeURIComponent(first.username) }),
    ...(first.password === '' ? {} : { password: decodeURIComponent(first.password) }),
    isTls: first.protocol.startsWith('rediss'),
  };
  const areSentinels = parsed.filter(({ protocol }) => SENTINEL.test(protocol)).length;
  if (areSentinels > 0 && areSentinels < parsed.length) throw new TypeError('Sentinels and nodes stand in one list.');
  if (areSentinels > 0) {
    const sentinels = parsed.map(({ hostname, port }) => ({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? SENTINEL_PORT : Number(port),
    }));
    return { kind: 'sentinels', sentinels, name: decodeURIComponent(first.pathname.slice(1)) || DEFAULT_NAME, ...access };
  }
  return urls.length === 1 ? { kind: 'node', url: urls[0] ?? '', ...access } : { kind: 'cluster', urls, ...access };
}
