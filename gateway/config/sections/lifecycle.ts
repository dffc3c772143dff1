import { z } from 'zod';

/** Part `shutdown` of the section `server`. */
export const shutdown = z.strictObject({
  lameDuckMs: z.int().min(0).max(600_000).optional().meta({
    description:
      'How long the gateway still accepts requests after the signal to stop, so that load balancers notice that it is not ready. During this time, responses have `Connection: close`. Default: 2000 in production, 0 in the dev profile.',
    unit: 'milliseconds',
  }),
});

/** Part `health` of the section `server`. */
export const health = z.strictObject({
  requiredSubgraphs: z.array(z.string().min(1)).default([]).meta({
    description:
      'Names of subgraphs without which the gateway is not ready: while the circuit breaker of one of them is open, `/health` and `/health/ready` respond with 503. Without a name, the state of the subgraphs does not affect the readiness.',
  }),
});
