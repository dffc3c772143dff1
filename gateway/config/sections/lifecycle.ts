import { z } from 'zod';

/** Part `shutdown` of the section `server`. */
export const shutdown = z.strictObject({
  lameDuckMs: z.int().min(0).max(600_000).optional().meta({
    description:
      'How long the gateway still accepts requests after the signal to stop, so that load balancers notice that it is not ready. During this time, responses have `Connection: close`. Default: 2000 in production, 0 in the dev profile.',
    unit: 'milliseconds',
  }),
});

const milliseconds = (fallback: number, min: number, max: number, description: string) =>
  z.int().min(min).max(max).default(fallback).meta({ description, unit: 'milliseconds' });

/** Part `overload` of the section `server`. */
export const overload = z.strictObject({
  enabled: z.boolean().default(true).meta({
    description:
      'Reject requests with 503 `OVERLOADED` before any work while the event loop cannot keep up. Health checks and the internal listener are exempt.',
  }),
  activationDelayMs: milliseconds(
    100,
    1,
    10_000,
    'Delay of the event loop from which the gateway limits the requests in progress. Below, all requests are started at once.',
  ),
  targetDelayMs: milliseconds(
    3,
    1,
    10_000,
    'Delay of the event loop up to which the gateway starts further requests while it limits the requests in progress. Other requests wait.',
  ),
  maxQueueMs: milliseconds(
    1_000,
    1,
    60_000,
    'Time that requests may have to wait, at the measured rate, before the gateway is overloaded and rejects further requests.',
  ),
  overloadQueueMs: milliseconds(
    50,
    1,
    60_000,
    'Time that requests may have to wait during overload, from the first rejection until there was none for one second.',
  ),
  warmUpMs: milliseconds(
    10_000,
    0,
    600_000,
    'Time after the start, and after a new supergraph, in which no overload begins, because code and plans are compiled.',
  ),
  retryAfterSeconds: z.int().min(1).max(3_600).default(1).meta({
    description: 'Value of the `Retry-After` header of rejected requests.',
    unit: 'seconds',
  }),
});

/** Part `health` of the section `server`. */
export const health = z.strictObject({
  requiredSubgraphs: z.array(z.string().min(1)).default([]).meta({
    description:
      'Names of subgraphs without which the gateway is not ready: while the circuit breaker of one of them is open, `/health` and `/health/ready` respond with 503. Without a name, the state of the subgraphs does not affect the readiness.',
  }),
});
