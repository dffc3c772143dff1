import { z } from 'zod';

/** Part `health` of the section `server`. */
export const health = z.strictObject({
  requiredSubgraphs: z.array(z.string().min(1)).default([]).meta({
    description:
      'Names of subgraphs without which the gateway is not ready: while the circuit breaker of one of them is open, `/health` and `/health/ready` respond with 503. Without a name, the state of the subgraphs does not affect the readiness.',
  }),
});
