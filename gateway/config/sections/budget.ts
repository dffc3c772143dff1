import { z } from 'zod';

const points = (fallback: number, min: number, description: string) =>
  z.int().min(min).max(1_000_000_000_000).default(fallback).meta({ description, unit: 'points' });

const bucket = (whose: string, capacity: number, refillPerSecond: number) =>
  z
    .strictObject({
      capacity: points(capacity, 1, `What ${whose} can spend at once.`),
      refillPerSecond: z
        .int()
        .min(1)
        .max(1_000_000_000)
        .default(refillPerSecond)
        .meta({ description: `What comes back to ${whose} each second, up to the capacity.`, unit: 'points' }),
    })
    .prefault({});

const factor = (of: string) =>
  z
    .int()
    .min(0)
    .max(1_000)
    .default(1)
    .meta({ description: `What the cost of a ${of} is multiplied by; 0 makes it free.`, unit: 'points per unit of cost' });

/** What callers may spend. */
export const budget = z.strictObject({
  mode: z.enum(['enforce', 'measure', 'off']).optional().meta({
    description:
      'Whether a caller whose budget is used up is refused, or served and reported in the log once. Default: `measure` in the dev profile, `enforce` in production.',
  }),
  headers: z.boolean().optional().meta({
    description: 'Tell callers by `RateLimit` and `RateLimit-Policy` what is left to them. Default: on where `mode` is `enforce`.',
  }),
  key: z.enum(['principal', 'address']).default('principal').meta({
    description:
      'Whose budget it is: of the principal, or of the address from which the request comes. Anonymous callers have that of their address.',
  }),
  claim: z.string().min(1).optional().meta({
    description:
      'Claim of the token by which callers share one budget, such as that of a tenant or of a client. Default: each subject has its own.',
  }),
  signedIn: bucket('a caller who is signed in', 20_000, 400),
  anonymous: bucket('an address without credentials', 5_000, 50),
  weights: z
    .strictObject({
      query: factor('query'),
      mutation: factor('mutation'),
      refusal: points(10, 0, 'Cost of a document that is refused: parsing, validation, limits, cost.'),
      failedLogin: points(10, 0, 'Cost of credentials that are not good, from the budget of the address.'),
    })
    .prefault({}),
  body: z
    .strictObject({
      freeBytes: z.int().min(0).max(1_073_741_824).default(65_536).meta({
        description: 'Part of each request body that is free.',
        unit: 'bytes',
      }),
      bytesPerPoint: z.int().min(1).max(1_073_741_824).default(1_024).meta({
        description: 'Bytes of a request body beyond the free part that cost a point, paid before the body is parsed.',
        unit: 'bytes per point',
      }),
    })
    .prefault({}),
  maxCallers: z.int().min(1).max(10_000_000).default(100_000).meta({
    description: 'Budgets kept in memory, for those who asked last.',
    unit: 'entries',
  }),
  instances: z.int().min(1).max(10_000).default(1).meta({
    description: 'Gateways that share the Redis: while it is away, each grants its part of every budget.',
    unit: 'gateways',
  }),
});

/** The section in full: nothing is left to the profile. */
export interface BudgetConfig extends Readonly<z.output<typeof budget>> {
  readonly mode: 'enforce' | 'measure' | 'off';
  readonly headers: boolean;
}
