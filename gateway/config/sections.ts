import { z } from 'zod';
import { auth } from './sections/auth.ts';
import { budget } from './sections/budget.ts';
import { cache } from './sections/cache.ts';
import { connectors } from './sections/connectors.ts';
import { hooks } from './sections/hooks.ts';
import { idempotency } from './sections/idempotency.ts';
import { identity } from './sections/identity.ts';
import { maintenance } from './sections/maintenance.ts';
import { persisted } from './sections/persisted.ts';
import { redis } from './sections/redis.ts';
import { reload } from './sections/reload.ts';
import { responses } from './sections/responses.ts';
import { server } from './sections/server.ts';
import { subgraphs } from './sections/subgraphs.ts';
import { subscriptions } from './sections/subscriptions.ts';
import { supergraph } from './sections/supergraph.ts';
import { telemetry } from './sections/telemetry.ts';

const milliseconds = (fallback: number, max: number, description: string) =>
  z.int().min(1).max(max).default(fallback).meta({ description, unit: 'milliseconds' });

const bytes = (fallback: number, max: number, description: string) =>
  z.int().min(1).max(max).default(fallback).meta({ description, unit: 'bytes' });

const graphql = z.strictObject({
  introspection: z
    .boolean()
    .optional()
    .meta({ description: 'Allow introspection queries. Default: on in the dev profile, off in production.' }),
  graphiql: z.boolean().optional().meta({ description: 'Serve GraphiQL to browsers. Default: on in the dev profile, off in production.' }),
  maxTokens: z.int().min(1).max(1_000_000).default(4_000).meta({ description: 'Maximum number of tokens in a document.', unit: 'tokens' }),
  maxVariableDepth: z
    .int()
    .min(1)
    .max(200)
    .default(20)
    .meta({ description: 'Maximum nesting depth of the value of a variable.', unit: 'levels' }),
  maxErrors: z
    .int()
    .min(1)
    .max(1_000)
    .default(10)
    .meta({ description: 'Maximum number of errors that are reported for one document.', unit: 'errors' }),
  maxBatchedOperations: z.int().min(0).max(100).default(0).meta({
    description:
      'Maximum number of operations in one batched `POST /graphql`, whose body is a JSON array such as `BatchHttpLink` sends. Limits and budgets apply to each operation separately. With 0, batched requests are rejected.',
    unit: 'operations',
  }),
  operationTimeoutMs: milliseconds(10_000, 600_000, 'Timeout for executing an operation.'),
  maxCachedOperations: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(1_000)
    .meta({ description: 'Maximum number of cached documents, and of cached operations.', unit: 'entries' }),
  maxCachedOperationBytes: bytes(
    100_663_296,
    4_294_967_296,
    'Maximum memory for cached documents and operations, including their compiled plans. The default is sufficient for about 300 operations with 120 fields, or 1,000 with 30 fields, of a graph with 50 subgraphs.',
  ),
  dedupe: z.boolean().default(false).meta({
    description:
      'Execute identical concurrent queries of one caller only once. Queries are identical if their variables and the headers that reach subgraphs are equal. Mutations are always executed separately.',
  }),
});

const atMost = (fallback: number, max: number, unit: string, description: string) =>
  z.int().min(1).max(max).default(fallback).meta({ description, unit });

const modeOf = (what: string) =>
  z
    .enum(['enforce', 'measure'])
    .optional()
    .meta({ description: `Mode for ${what}. Default: \`limits.mode\`.` });

const limits = z.strictObject({
  mode: z.enum(['enforce', 'measure']).optional().meta({
    description:
      'How operations that exceed a limit of this section are handled. `enforce` rejects them. `measure` executes them and logs the first case. Default: `enforce`, except for `maxCost` (`modes.cost`).',
  }),
  modes: z
    .strictObject({
      tokens: modeOf('`graphql.maxTokens`'),
      depth: modeOf('`maxDepth` and `maxIntrospectionDepth`'),
      aliases: modeOf('`maxAliases`'),
      rootFields: modeOf('`maxRootFields`'),
      selections: modeOf('`maxSelections`'),
      directives: modeOf('`maxDirectives` and `maxDirectivesPerLocation`'),
      operations: modeOf('`maxOperations`'),
      singleUse: modeOf('`singleUse`'),
      pageSize: modeOf('`maxPageSize`'),
      cost: z.enum(['enforce', 'measure', 'auto']).optional().meta({
        description:
          'Mode for `maxCost`. `auto` enforces it if the supergraph uses `@listSize` or `@cost`, and measures it otherwise. Default: `limits.mode` if it is set, else `enforce` if `limits.maxCost` is set, else `auto`.',
      }),
    })
    .prefault({}),
  maxDepth: atMost(12, 1_000, 'levels', 'Maximum depth of selections, with fragments expanded. Root fields are at level 1.'),
  maxIntrospectionDepth: atMost(20, 1_000, 'levels', 'Maximum depth of introspection selections, which do not count toward `maxDepth`.'),
  maxAliases: atMost(
    30,
    1_000_000,
    'aliases',
    'Maximum number of aliases in an operation, with fragments expanded. Introspection is counted separately.',
  ),
  maxRootFields: atMost(
    20,
    1_000_000,
    'fields',
    'Maximum number of root fields in an operation, with fragments expanded. `__schema` and `__type` are not counted.',
  ),
  maxSelections: atMost(
    2_000,
    10_000_000,
    'selections',
    'Maximum number of fields and fragments in an operation, with fragments expanded. Introspection is counted separately.',
  ),
  maxDirectives: atMost(50, 1_000_000, 'directives', 'Maximum number of directives in a document.'),
  maxDirectivesPerLocation: atMost(4, 1_000, 'directives', 'Maximum number of directives at one location.'),
  maxOperations: atMost(10, 1_000, 'operations', 'Maximum number of operations in a document.'),
  singleUse: z
    .array(z.string().regex(/^(?:Query|Mutation)\.[_A-Za-z]\w*$/, 'expected root fields such as "Mutation.createPayment"'))
    .default([])
    .meta({
      description: 'Root fields that may appear at most once in an operation, with fragments expanded, such as `Mutation.createPayment`.',
    }),
  maxCost: z.int().min(1).max(1_000_000_000).optional().meta({
    description:
      'Maximum estimated cost of an operation. Default: 5000, which is enforced only if the supergraph uses `@listSize` or `@cost` (see `modes.cost`).',
    unit: 'points',
  }),
  exposeCost: z.boolean().default(false).meta({
    description: 'Return the estimated and actual cost in `extensions.cost` if the request has a `gatefold-cost` header.',
  }),
  assumedListSize: atMost(
    10,
    1_000_000,
    'items',
    'Assumed length of a list for the cost estimate, if neither an argument nor `@listSize` defines it.',
  ),
  maxPageSize: atMost(
    100,
    1_000_000,
    'items',
    'Maximum value of a slicing argument, of `@listSize` or of `slicingArguments`. Larger values are rejected, also while the cost is only measured.',
  ),
  slicingArguments: z
    .array(z.string().regex(/^[_A-Za-z]\w*$/, 'expected names of arguments, such as "first"'))
    .default(['first', 'last', 'limit', 'size', 'pageSize'])
    .meta({
      description:
        'Names of `Int` arguments that define the number of items of a field without `@listSize`, if the field returns a list, or an object with a list in `nodes`, `edges` or `items`. Values above `maxPageSize` are rejected. 0 and negative values count as the assumed size, because a subgraph may read them as "no limit". Remove the name of an argument that is not a page size. If empty, only `@listSize` defines slicing arguments.',
    }),
});

const logging = z.strictObject({
  level: z
    .enum(['silent', 'error', 'warn', 'info', 'debug'])
    .default('info')
    .meta({ description: 'Minimum level of log entries that are written.' }),
  format: z.enum(['json', 'pretty']).optional().meta({
    description:
      'Format of log entries on standard error, and of the message of `gatefold serve` that it is ready: `json` writes one JSON object per line, `pretty` lines for readers. Default: `pretty` in the dev profile, `json` in production.',
  }),
});

/** Sections of the gateway. Other components of the product add their sections to these. */
export const gatewaySections = {
  profile: z
    .enum(['dev', 'production'])
    .default('production')
    .meta({ description: 'Profile that selects defaults and rejects unsafe settings.' }),
  server: server.prefault({}),
  supergraph: supergraph.prefault({}),
  subgraphs: subgraphs.prefault({}),
  connectors: connectors.prefault({}),
  graphql: graphql.prefault({}),
  limits: limits.prefault({}),
  persisted: persisted.prefault({}),
  budget: budget.prefault({}),
  cache: cache.prefault({}),
  idempotency: idempotency.prefault({}),
  redis: redis.prefault({}),
  auth: auth.prefault({}),
  identity: identity.prefault({}),
  subscriptions: subscriptions.prefault({}),
  maintenance: maintenance.prefault({}),
  responses: responses.prefault({}),
  hooks: hooks.prefault({}),
  reload: reload.prefault({}),
  logging: logging.prefault({}),
  telemetry: telemetry.prefault({}),
};

/** Schema of the gateway configuration, as an embedding application writes it. */
export const gatewayConfig = z.strictObject(gatewaySections);

/** Checked gateway configuration with defaults, as `createGateway` uses it. */
export type GatewayConfig = Readonly<z.infer<typeof gatewayConfig>>;

/** Gateway configuration as written by the operator; every key is optional. */
export type GatewayConfigInput = z.input<typeof gatewayConfig>;
