import { z } from 'zod';

const milliseconds = (fallback: number, description: string) =>
  z.int().min(1).max(2_592_000_000).default(fallback).meta({ description, unit: 'milliseconds' });

/** Section `idempotency`: stored results of requests with an `Idempotency-Key`. */
export const idempotency = z.strictObject({
  timeToLiveMs: milliseconds(
    86_400_000,
    'How long a key is stored after its request has ended. A repeated request within this time receives the stored response. After it, the key can be used for a new request.',
  ),
  leaseMarginMs: milliseconds(
    10_000,
    'Time in addition to `graphql.operationTimeoutMs` for which a running request locks its key. After a crash, the key stays locked until this time has passed.',
  ),
  maxKeys: z.int().min(1).max(10_000_000).default(10_000).meta({
    description: 'Maximum number of keys that are stored for one caller. Requests with further keys are rejected with `RATE_LIMITED`.',
    unit: 'keys',
  }),
  maxResponseBytes: z.int().min(1).max(16_777_216).default(262_144).meta({
    description: 'Maximum size of a response that is stored completely. For larger responses, only status and headers are stored.',
    unit: 'bytes',
  }),
  noStore: z
    .array(z.string().regex(/^Mutation\.[_A-Za-z]\w*$/, 'expected root fields such as "Mutation.createWebhook"'))
    .default([])
    .meta({
      description:
        'Mutations whose responses are not stored because they contain a secret, such as `Mutation.createWebhook`. Repeated requests are sent to the subgraph again.',
    }),
  maxEntries: z.int().min(1).max(10_000_000).default(100_000).meta({
    description:
      'Maximum number of keys of all callers that are stored in this process when Redis is not configured. The least recently used keys are evicted first.',
    unit: 'keys',
  }),
  maxBytes: z.int().min(1).max(1_099_511_627_776).default(67_108_864).meta({
    description: 'Maximum memory for the stored responses when Redis is not configured.',
    unit: 'bytes',
  }),
});

/** Parsed section. */
export type IdempotencySection = Readonly<z.output<typeof idempotency>>;
