import { z } from 'zod';

/** Header name (RFC 9110, section 5.6.2). */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;

/** Section `cache`: caching of responses and entities in the gateway, and cache headers for clients. */
export const cache = z.strictObject({
  responses: z.boolean().default(true).meta({
    description:
      'Cache responses to GET requests whose operation has a cache policy, which comes from `@cacheControl` hints in the schema. If off, `Cache-Control` is still sent to clients.',
  }),
  maxEntries: z
    .int()
    .min(1)
    .max(10_000_000)
    .default(10_000)
    .meta({ description: 'Maximum number of cached responses in this process.', unit: 'entries' }),
  maxBytes: z
    .int()
    .min(1)
    .max(1_099_511_627_776)
    .default(67_108_864)
    .meta({ description: 'Maximum memory for cached responses, including their compressed representations.', unit: 'bytes' }),
  entities: z.boolean().default(false).meta({
    description:
      'Cache each entity from subgraph responses, if `@cacheControl` on its type and on the selected fields allows it. Only entities that are not cached are fetched from subgraphs.',
  }),
  maxEntities: z
    .int()
    .min(1)
    .max(10_000_000)
    .default(50_000)
    .meta({ description: 'Maximum number of cached entities in this process.', unit: 'entries' }),
  maxEntityBytes: z
    .int()
    .min(1)
    .max(1_099_511_627_776)
    .default(67_108_864)
    .meta({ description: 'Maximum memory for cached entities.', unit: 'bytes' }),
  maxSharedEntries: z.int().min(1).max(1_000_000_000).default(100_000).meta({
    description:
      'Maximum number of responses and entities that are cached in Redis, if `redis.url` is set. Entries that expire first are evicted first.',
    unit: 'entries',
  }),
  maxSharedBytes: z
    .int()
    .min(1)
    .max(1_099_511_627_776)
    .default(268_435_456)
    .meta({ description: 'Maximum size of all responses and entities that are cached in Redis.', unit: 'bytes' }),
  maxSharedEntryBytes: z.int().min(0).max(536_870_912).default(1_048_576).meta({
    description: 'Maximum size of a response or entity that is cached in Redis. With 0, Redis is not used for caching.',
    unit: 'bytes',
  }),
  sharedIntervalMs: z.int().min(10).max(60_000).default(1_000).meta({
    description: 'Interval at which Redis is polled for invalidations by other gateways. Invalidated data may be served for this time.',
    unit: 'milliseconds',
  }),
  staleWhileRevalidateSeconds: z.int().min(0).max(31_536_000).default(0).meta({
    description:
      'How long a stale response may be served while it is being refreshed, by the gateway and by HTTP caches (`stale-while-revalidate`).',
    unit: 'seconds',
  }),
  maxWriters: z.int().min(1).max(10_000_000).default(10_000).meta({
    description:
      'Maximum number of callers whose last writes are tracked by type, so that their reads do not receive older cached data. For further callers, only the time of the last write is tracked, and cached data of all types is bypassed.',
    unit: 'callers',
  }),
  varyBy: z.array(z.string().regex(NAME, 'expected a valid header name').toLowerCase()).default([]).meta({
    description:
      'Additional request headers that responses depend on. Headers that header rules forward to subgraphs are included automatically.',
  }),
  invalidationKey: z.string().min(32).optional().meta({
    description: 'Bearer token for `POST /cache/invalidate` on the internal listener. If it is not set, the endpoint is disabled.',
    secret: true,
  }),
});

export type CacheConfig = Readonly<z.infer<typeof cache>>;
