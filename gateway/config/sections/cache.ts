import { z } from 'zod';

/** A header's name (RFC 9110, section 5.6.2). */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;

/** What is kept of answers, here and by those who ask. */
export const cache = z.strictObject({
  responses: z.boolean().default(true).meta({
    description:
      'Keep answers to GET whose operation has a cache policy by `@cacheControl`. A schema without hints has none. Switched off, clients are still told how long to keep an answer.',
  }),
  maxEntries: z.int().min(1).max(10_000_000).default(10_000).meta({ description: 'Answers kept.', unit: 'entries' }),
  maxBytes: z
    .int()
    .min(1)
    .max(1_099_511_627_776)
    .default(67_108_864)
    .meta({ description: 'What the answers kept hold, with their compressed forms.', unit: 'bytes' }),
  entities: z.boolean().default(false).meta({
    description:
      'Keep the entities that subgraphs answer with, each by itself, where `@cacheControl` of their type and of the selected fields allows it. Subgraphs are asked for those that are missing.',
  }),
  maxEntities: z.int().min(1).max(10_000_000).default(50_000).meta({ description: 'Entities kept.', unit: 'entries' }),
  maxEntityBytes: z
    .int()
    .min(1)
    .max(1_099_511_627_776)
    .default(67_108_864)
    .meta({ description: 'What the entities kept hold.', unit: 'bytes' }),
  maxSharedEntries: z.int().min(1).max(1_000_000_000).default(100_000).meta({
    description: 'Answers and entities kept in Redis, where `redis.url` names one; what ends first goes first.',
    unit: 'entries',
  }),
  maxSharedBytes: z
    .int()
    .min(1)
    .max(1_099_511_627_776)
    .default(268_435_456)
    .meta({ description: 'What answers and entities in Redis hold.', unit: 'bytes' }),
  maxSharedEntryBytes: z
    .int()
    .min(0)
    .max(536_870_912)
    .default(1_048_576)
    .meta({ description: 'A larger answer or entity is not stored in Redis; with 0 none is.', unit: 'bytes' }),
  sharedIntervalMs: z.int().min(10).max(60_000).default(1_000).meta({
    description: 'How often Redis is asked what other gateways have invalidated: so long it may still be served here.',
    unit: 'milliseconds',
  }),
  staleWhileRevalidateSeconds: z.int().min(0).max(31_536_000).default(0).meta({
    description: 'How much longer an answer is served while it is made anew, here and by caches on the way.',
    unit: 'seconds',
  }),
  maxWriters: z.int().min(1).max(10_000_000).default(10_000).meta({
    description:
      'Callers whose last writes are remembered by type, so that their reads are not answered with older stored data. Of others only the time of the last write is, and stored data of all types is passed over.',
    unit: 'callers',
  }),
  varyBy: z
    .array(z.string().regex(NAME, 'a header has no such name').toLowerCase())
    .default([])
    .meta({ description: 'Further headers of clients by which answers differ. Those that rules pass on to subgraphs are known.' }),
  invalidationKey: z.string().min(32).optional().meta({
    description: 'Bearer token of `POST /cache/invalidate` on the internal listener. Without one nobody can invalidate.',
    secret: true,
  }),
});

export type CacheConfig = Readonly<z.infer<typeof cache>>;
