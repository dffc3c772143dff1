import { z } from 'zod';

const points = (fallback: number, min: number, description: string) =>
  z.int().min(min).max(1_000_000_000_000).default(fallback).meta({ description, unit: 'points' });

const pointsWithoutDefault = (min: number, description: string) =>
  z.int().min(min).max(1_000_000_000_000).optional().meta({ description, unit: 'points' });

const bucket = (whose: string, capacity: number, refillPerSecond: number) =>
  z
    .strictObject({
      capacity: points(capacity, 1, `Maximum number of points that ${whose} can spend in a burst.`),
      refillPerSecond: z
        .int()
        .min(1)
        .max(1_000_000_000)
        .default(refillPerSecond)
        .meta({ description: `Points that are returned to ${whose} each second, up to \`capacity\`.`, unit: 'points' }),
    })
    .prefault({});

const factor = (of: string) =>
  z
    .int()
    .min(0)
    .max(1_000)
    .default(1)
    .meta({ description: `Factor by which the cost of a ${of} is multiplied. With 0, a ${of} is free.`, unit: 'points per unit of cost' });

const budgetRule = z
  .strictObject({
    name: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'expected a name of lower-case letters, digits and -'),
    role: z.string().min(1).optional(),
    apiKey: z.string().min(1).optional(),
    claim: z.string().min(1).optional(),
    value: z.union([z.string(), z.number(), z.boolean()]).optional(),
    client: z.string().min(1).optional(),
    capacity: z.int().min(1).max(1_000_000_000_000),
    refillPerSecond: z.int().min(1).max(1_000_000_000),
  })
  .superRefine(({ name, role, apiKey, claim, value, client }, context) => {
    const conditions = [role, apiKey, claim, client].filter((condition) => condition !== undefined);
    if (conditions.length !== 1) {
      context.addIssue({ code: 'custom', message: `the rule "${name}" needs exactly one of role, apiKey, claim and client` });
    }
    if ((claim === undefined) !== (value === undefined)) {
      context.addIssue({ code: 'custom', message: `the rule "${name}" needs both claim and value, or neither` });
    }
  });

/** A rule for the budgets of some callers. */
export type BudgetRule = z.output<typeof budgetRule>;

/** Section `budget`: rate limits by operation cost. */
export const budget = z.strictObject({
  mode: z.enum(['enforce', 'measure', 'off']).optional().meta({
    description:
      'How callers are handled whose budget is used up. `enforce` rejects their requests. `measure` serves them and logs the first case. `off` disables budgets, also for failed logins. Default: `measure` in the dev profile, `enforce` in production.',
  }),
  headers: z.boolean().optional().meta({
    description:
      'Send the remaining budget in the response headers `RateLimit` and `RateLimit-Policy`. Default: on if `mode` is `enforce`.',
  }),
  key: z.enum(['principal', 'address']).default('principal').meta({
    description: 'Whether budgets belong to principals or to client addresses. Anonymous callers always use the budget of their address.',
  }),
  claim: z.string().min(1).optional().meta({
    description:
      'Token claim whose value identifies a shared budget, such as a tenant or client id. Default: each subject has a separate budget.',
  }),
  signedIn: bucket('an authenticated caller', 20_000, 400),
  rules: z.array(budgetRule).default([]).meta({
    description:
      'Budgets of authenticated callers by role, API key, claim or client. Each rule has a `name`, exactly one of `role`, `apiKey` (the id of the key), `claim` with its `value`, and `client` (the name that the client sends), and `capacity` and `refillPerSecond`. A caller has a separate budget for each `client` rule. The first rule that matches a caller applies, and `budget.signedIn` if none does.',
  }),
  anonymous: z
    .strictObject({
      mode: z.enum(['enforce', 'measure', 'rejections']).optional().meta({
        description:
          'How anonymous callers are charged. `enforce` and `measure` charge every request, like `budget.mode`. `rejections` charges an address only for failed logins and rejected documents. Default: `rejections`, until `budget.mode`, another key of `budget.anonymous`, `budget.key: address` or `server.trustedProxies` is set; then `budget.mode`.',
      }),
      capacity: pointsWithoutDefault(
        1,
        'Maximum number of points that an address without credentials can spend in a burst. Default: 5000.',
      ),
      refillPerSecond: z.int().min(1).max(1_000_000_000).optional().meta({
        description: 'Points that are returned to an address without credentials each second, up to `capacity`. Default: 50.',
        unit: 'points',
      }),
    })
    .prefault({}),
  weights: z
    .strictObject({
      query: factor('query'),
      mutation: factor('mutation'),
      rejection: points(10, 0, 'Cost of a document that is rejected because of a syntax error, a validation error or a limit.'),
      failedLogin: points(10, 0, 'Cost of a request with invalid credentials, charged to the budget of the client address.'),
    })
    .prefault({}),
  body: z
    .strictObject({
      freeBytes: z.int().min(0).max(1_073_741_824).default(65_536).meta({
        description: 'Number of bytes of each request body that are free.',
        unit: 'bytes',
      }),
      bytesPerPoint: z.int().min(1).max(1_073_741_824).default(1_024).meta({
        description: 'Number of bytes beyond `freeBytes` that cost one point. Charged before the body is parsed.',
        unit: 'bytes per point',
      }),
    })
    .prefault({}),
  maxCallers: z.int().min(1).max(10_000_000).default(100_000).meta({
    description: 'Maximum number of budgets in memory. The least recently used budgets are evicted first.',
    unit: 'entries',
  }),
  instances: z.int().min(1).max(10_000).default(1).meta({
    description: 'Number of gateways that share the Redis. While Redis is unavailable, each gateway grants its share of every budget.',
    unit: 'gateways',
  }),
});

/** Section with all defaults resolved, including those that depend on the profile. */
export interface BudgetConfig extends Readonly<z.output<typeof budget>> {
  readonly mode: 'enforce' | 'measure' | 'off';
  readonly headers: boolean;
  readonly anonymous: {
    readonly mode: 'enforce' | 'measure' | 'rejections';
    /** @unit points */
    readonly capacity: number;
    /** @unit points per second */
    readonly refillPerSecond: number;
  };
}
