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
  staleWhileRevalidateSeconds: z.int().min(0).max(31_536_000).default(0).meta({
    description: 'How much longer an answer is served while it is made anew, here and by caches on the way.',
    unit: 'seconds',
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
