import { z } from 'zod';

const milliseconds = (fallback: number, description: string) =>
  z.int().min(1).max(2_592_000_000).default(fallback).meta({ description, unit: 'milliseconds' });

/** What is kept of requests that carry an `Idempotency-Key`. */
export const idempotency = z.strictObject({
  timeToLiveMs: milliseconds(
    86_400_000,
    'How long a key is known after its request was answered. Until then a repetition gets the same answer; after it, the key is new.',
  ),
  leaseMarginMs: milliseconds(
    10_000,
    'Time beyond `graphql.operationTimeoutMs` for which a request that has not ended keeps its key: after a crash, so long nobody else may try it.',
  ),
  maxKeys: z.int().min(1).max(10_000_000).default(10_000).meta({
    description: 'Keys of one caller that are known at a time. Beyond it a new one is refused with `RATE_LIMITED`.',
    unit: 'keys',
  }),
  maxReplyBytes: z.int().min(1).max(16_777_216).default(262_144).meta({
    description: 'Largest answer that is kept in full. Of a larger one its status and headers are kept.',
    unit: 'bytes',
  }),
  neverKept: z
    .array(z.string().regex(/^Mutation\.[_A-Za-z]\w*$/, 'expected root fields such as "Mutation.createWebhook"'))
    .default([])
    .meta({
      description:
        'Mutations whose answers are not kept, because they show a secret: `Mutation.createWebhook`. Whoever repeats one is answered by the subgraph.',
    }),
  maxEntries: z.int().min(1).max(10_000_000).default(100_000).meta({
    description: 'Keys of all callers that are known, where there is no Redis; those that were asked for longest ago are forgotten first.',
    unit: 'keys',
  }),
  maxBytes: z.int().min(1).max(1_099_511_627_776).default(67_108_864).meta({
    description: 'What their answers may take, where there is no Redis.',
    unit: 'bytes',
  }),
});

/** The section as it was read. */
export type IdempotencySection = Readonly<z.output<typeof idempotency>>;
