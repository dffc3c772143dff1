/** Parsed addresses of a Redis. */
export type RedisAddresses = RedisAccess &
  (
    | { readonly kind: 'node'; readonly url: string }
    | { readonly kind: 'cluster'; readonly urls: readonly string[] }
    | {
        readonly kind: 'sentinels';
        readonly sentinels: readonly { readonly host: string; readonly port: number }[];
        /** Name of the primary at the Sentinels. */
        readonly name: string;
      }
  );

/** Credentials and TLS setting for all nodes. */
export interface RedisAccess {
  readonly username?: string;
  readonly password?: string;
  readonly isTls: boolean;
}

/** Format of one address or a comma-separated list. */
export const REDIS_ADDRESSES = /^rediss?(?:\+sentinel)?:\/\/[^,\s]+(?:,\s*rediss?(?:\+sentinel)?:\/\/[^,\s]+)*$/;

const SENTINEL = /^rediss?\+sentinel:$/;
const SENTINEL_PORT = 26_379;
const DEFAULT_NAME = 'mymaster';

/**
 * Parses Redis addresses. `redis://` or `rediss://` is a single node, and a comma-separated list of them is a Cluster. `redis+sentinel://`
 * is a list of Sentinels with the name of the primary as the path:
 * `redis+sentinel://:password@one:26379/mymaster,redis+sentinel://two:26379`. The user name and password of the first address apply to all
 * data nodes.
 *
 * @throws TypeError for an invalid address
 */
export function readRedisAddresses(text: string): RedisAddresses {
  const urls = text.split(',').map((url) => url.trim());
  const parsed = urls.map((url) => new URL(url));
  const [first] = parsed;
  if (first === undefined) throw new TypeError('The Redis URL is empty.');
  const access = {
    ...(first.username === '' ? {} : { username: decodeURIComponent(first.username) }),
    ...(first.password === '' ? {} : { password: decodeURIComponent(first.password) }),
    isTls: first.protocol.startsWith('rediss'),
  };
  const areSentinels = parsed.filter(({ protocol }) => SENTINEL.test(protocol)).length;
  if (areSentinels > 0 && areSentinels < parsed.length)
    throw new TypeError('A list of Redis URLs must not contain both Sentinels and nodes.');
  if (areSentinels > 0) {
    const sentinels = parsed.map(({ hostname, port }) => ({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? SENTINEL_PORT : Number(port),
    }));
    return { kind: 'sentinels', sentinels, name: decodeURIComponent(first.pathname.slice(1)) || DEFAULT_NAME, ...access };
  }
  return urls.length === 1 ? { kind: 'node', url: urls[0] ?? '', ...access } : { kind: 'cluster', urls, ...access };
}
