import { z } from 'zod';
import { REDIS_ADDRESSES } from '../platform/redis-addresses.ts';
import { auth } from './sections/auth.ts';
import { budget } from './sections/budget.ts';
import { cache } from './sections/cache.ts';
import { idempotency } from './sections/idempotency.ts';
import { maintenance } from './sections/maintenance.ts';
import { persisted } from './sections/persisted.ts';
import { server } from './sections/server.ts';
import { subgraphs } from './sections/subgraphs.ts';
import { subscriptions } from './sections/subscriptions.ts';
import { supergraph } from './sections/supergraph.ts';

const milliseconds = (fallback: number, max: number, description: string) =>
  z.int().min(1).max(max).default(fallback).meta({ description, unit: 'milliseconds' });

const bytes = (fallback: number, max: number, description: string) =>
  z.int().min(1).max(max).default(fallback).meta({ description, unit: 'bytes' });

const graphql = z.strictObject({
  introspection: z.boolean().optional().meta({ description: 'Answer introspection. Default: on in the dev profile, off in production.' }),
  graphiql: z.boolean().optional().meta({ description: 'Serve GraphiQL to browsers. Default: on in the dev profile, off in production.' }),
  maxTokens: z.int().min(1).max(1_000_000).default(4_000).meta({ description: 'Largest document.', unit: 'tokens' }),
  maxVariableDepth: z
    .int()
    .min(1)
    .max(200)
    .default(20)
    .meta({ description: 'Deepest nesting in the value of a variable.', unit: 'levels' }),
  maxErrors: z.int().min(1).max(1_000).default(10).meta({ description: 'Faults of one document that are told at once.', unit: 'faults' }),
  maxBatchedOperations: z.int().min(0).max(100).default(0).meta({
    description:
      'Most operations in one `POST /graphql` whose body is a JSON array, as `BatchHttpLink` sends it. Each is limited and charged as if it were sent alone. 0 refuses all such requests.',
    unit: 'operations',
  }),
  operationTimeoutMs: milliseconds(10_000, 600_000, 'Until an operation must be answered.'),
  maxCachedOperations: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(1_000)
    .meta({ description: 'Documents kept, and as many operations.', unit: 'entries' }),
  maxCachedOperationBytes: bytes(
    100_663_296,
    4_294_967_296,
    'Memory that cached documents and operations retain, with all plans compiled for them. Some 140 large or 700 medium operations of a graph of 50 subgraphs fit into the default.',
  ),
  dedupe: z
    .boolean()
    .default(false)
    .meta({ description: 'Answer equal queries of one caller that run at the same time together. Mutations never are.' }),
});

const atMost = (fallback: number, max: number, unit: string, description: string) =>
  z.int().min(1).max(max).default(fallback).meta({ description, unit });

const modeOf = (what: string) =>
  z
    .enum(['enforce', 'measure'])
    .optional()
    .meta({ description: `The mode for ${what}. Default: \`limits.mode\`.` });

const limits = z.strictObject({
  mode: z.enum(['enforce', 'measure']).default('enforce').meta({
    description: 'Whether an operation beyond a limit of this section is refused, or served and reported in the log once.',
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
      cost: modeOf('`maxCost`'),
    })
    .prefault({}),
  maxDepth: atMost(12, 1_000, 'levels', 'Deepest selection, fragments expanded; a root field is at level 1.'),
  maxIntrospectionDepth: atMost(20, 1_000, 'levels', 'The same for introspection, which does not count for `maxDepth`.'),
  maxAliases: atMost(30, 1_000_000, 'aliases', 'Aliases of an operation, fragments expanded; introspection is counted apart.'),
  maxRootFields: atMost(20, 1_000_000, 'fields', 'Root fields of an operation, fragments expanded, without `__schema` and `__type`.'),
  maxSelections: atMost(
    2_000,
    10_000_000,
    'selections',
    'Fields and fragments of an operation, fragments expanded; introspection is counted apart.',
  ),
  maxDirectives: atMost(50, 1_000_000, 'directives', 'Directives of a document.'),
  maxDirectivesPerLocation: atMost(4, 1_000, 'directives', 'Directives in one place.'),
  maxOperations: atMost(10, 1_000, 'operations', 'Operations of a document.'),
  singleUse: z
    .array(z.string().regex(/^(?:Query|Mutation)\.[_A-Za-z]\w*$/, 'expected root fields such as "Mutation.createPayment"'))
    .default([])
    .meta({ description: 'Root fields that stand at most once in an operation, fragments expanded: `Mutation.createPayment`.' }),
  maxCost: atMost(5_000, 1_000_000_000, 'points', 'Estimated cost of an operation.'),
  tellCost: z.boolean().default(false).meta({
    description: 'Tell estimated and actual cost in `extensions.cost` of the answer to a request with a header `gatefold-cost`.',
  }),
  assumedListSize: atMost(10, 1_000_000, 'items', 'What a list is reckoned with where neither an argument nor `@listSize` says it.'),
  maxPageSize: atMost(100, 1_000_000, 'items', 'Most that a slicing argument of `@listSize` may ask for.'),
});

const identity = z
  .strictObject({
    secret: z.string().min(32).optional().meta({
      description:
        'Key of the identity token towards subgraphs, which they share. Environment: GATEFOLD_IDENTITY_SECRET. Without a key, none is sent.',
      secret: true,
    }),
    privateKeyFile: z.string().min(1).optional().meta({
      description:
        'File with a private key of Ed25519 (PEM) in place of `secret`; subgraphs check by its public half, which stands at `/identity/keys` of the internal listener.',
      path: true,
    }),
    serviceSecret: z.string().min(32).optional().meta({
      description:
        'Key of the tokens by which services say for whom they ask at `POST /graphql` of the internal listener: those of webhooks. Environment: GATEFOLD_SERVICE_SECRET. Without one, nobody is answered there.',
      secret: true,
    }),
  })
  .refine(({ secret, privateKeyFile }) => secret === undefined || privateKeyFile === undefined, {
    error: 'name one of secret and privateKeyFile',
  })
  .refine(({ secret, serviceSecret }) => serviceSecret === undefined || serviceSecret !== secret, {
    error: 'serviceSecret is another key than secret: who has the one may speak for anybody, who has the other may not',
  });

const logging = z.strictObject({
  level: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info').meta({ description: 'Lines below this level are dropped.' }),
});

const redis = z.strictObject({
  url: z.string().regex(REDIS_ADDRESSES).optional().meta({
    description:
      'Redis that all gateways of the graph share. Several addresses with commas between them name nodes of a Cluster, or, as `redis+sentinel://one:26379/mymaster,redis+sentinel://two:26379`, the Sentinels that know the primary.',
    expected:
      'an address that starts with redis://, rediss://, redis+sentinel:// or rediss+sentinel://, or several with commas between them',
    secret: true,
  }),
});

/** The gateway's sections; other parts of the product declare their own beside them. */
export const gatewaySections = {
  profile: z.enum(['dev', 'production']).default('production').meta({ description: 'Set of defaults and of what is refused.' }),
  server: server.prefault({}),
  supergraph: supergraph.prefault({}),
  subgraphs: subgraphs.prefault({}),
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
  logging: logging.prefault({}),
};

/** The gateway's configuration alone, as an embedding application writes it. */
export const gatewayConfig = z.strictObject(gatewaySections);

/** What `createGateway` takes: every key read, checked and defaulted. */
export type GatewayConfig = Readonly<z.infer<typeof gatewayConfig>>;

/** What a team writes: every key optional. */
export type GatewayConfigInput = z.input<typeof gatewayConfig>;
