import { z } from 'zod';
import { headerRules } from './header-rules.ts';

const milliseconds = (min: number, max: number, description: string) =>
  z.int().min(min).max(max).meta({ description, unit: 'milliseconds' });

const count = (min: number, max: number, unit: string, description: string) => z.int().min(min).max(max).meta({ description, unit });

const file = (description: string) => z.string().min(1).meta({ description, path: true });

const retry = z.strictObject({
  maxRetries: count(0, 10, 'retries', 'How often a query is sent again when nothing of an answer has come; a mutation never is.'),
  baseDelayMs: milliseconds(0, 60_000, 'Longest wait before the first retry; it doubles each time, and the actual wait is drawn below it.'),
  maxDelayMs: milliseconds(0, 60_000, 'Longest wait before any retry; a subgraph whose `Retry-After` asks for more is not asked again.'),
  budgetPercent: count(0, 100, 'percent', 'Retries in relation to requests, so that a subgraph that is down is not stormed.'),
});

const circuitBreaker = z.strictObject({
  enabled: z.boolean().meta({ description: 'Stop asking a subgraph that keeps failing, and answer `CIRCUIT_OPEN` at once.' }),
  failures: count(1, 1_000, 'requests', 'So many failures among the latest requests open the breaker.'),
  window: count(1, 1_000, 'requests', 'So many of the latest requests are looked at.'),
  openMs: milliseconds(1, 600_000, 'Until one request is let through to see whether the subgraph is back.'),
  maxOpenMs: milliseconds(1, 3_600_000, 'The same where the subgraph itself asks for more by `Retry-After`: at most so long.'),
});

const bulkhead = z.strictObject({
  maxConcurrent: count(1, 100_000, 'requests', 'Requests to one subgraph that are under way at once.'),
  maxQueued: count(
    0,
    1_000_000,
    'operations',
    'Operations whose requests wait for one of them to end; a request of any further operation fails at once.',
  ),
});

const tls = z.strictObject({
  caFile: file('File with the certificate authorities to trust (PEM). Default: those of Node.').optional(),
  certificateFile: file('File with the certificate to show to the subgraph (PEM).').optional(),
  keyFile: file('File with the key of that certificate (PEM).').optional(),
  serverName: z.string().min(1).optional().meta({ description: 'Name that the certificate of the subgraph must have. Default: the host.' }),
  rejectUnauthorized: z
    .boolean()
    .meta({ description: 'Refuse a certificate that cannot be verified. The production profile insists on it.' }),
});

const subscriptions = z.strictObject({
  transport: z.enum(['ws', 'sse']).meta({
    description: 'How events come: `ws` is graphql-transport-ws, all streams of one caller on one socket; `sse` a request for each.',
  }),
  path: z
    .string()
    .regex(/^\//, 'must begin with a slash')
    .optional()
    .meta({ description: 'Path, and query, that subscriptions are sent to. Default: that of the other operations.' }),
  pingIntervalMs: milliseconds(
    100,
    600_000,
    'How often a socket is asked for a sign of life; one that has given none since the last time is closed.',
  ),
  reconnectTimeoutMs: milliseconds(
    0,
    86_400_000,
    'How long it is tried to open a stream again that was lost, before its clients are told.',
  ),
  maxReconnectDelayMs: milliseconds(1, 600_000, 'Longest wait before such an attempt; the first waits are those of `retry`.'),
});

/** What may be said of all subgraphs, and of each one. */
const policies = {
  connectTimeoutMs: milliseconds(1, 60_000, 'Until a connection must stand.'),
  requestTimeoutMs: milliseconds(1, 600_000, 'Until one attempt must be answered in full, waiting for its turn included.'),
  maxResponseBytes: count(1, 1_073_741_824, 'bytes', 'Largest answer of a subgraph.'),
  maxErrors: count(1, 10_000, 'errors', 'Errors of one answer that are read; the rest is dropped.'),
  errorCodes: z.array(z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/)).meta({
    description:
      'Codes (`extensions.code`) whose messages clients may read, besides those of the catalogue that subgraphs may set (docs/serving-a-supergraph.md). An error with any other code, or without one, becomes `INTERNAL_SERVER_ERROR` with a constant text.',
  }),
  errorMessages: z.enum(['listed', 'all']).meta({
    description: 'Whether errors with listed codes pass, or `all`, with their code and the name of the subgraph.',
  }),
  maxConnections: count(1, 4_096, 'connections', 'Connections to one origin.'),
  coalesce: z.boolean().meta({ description: 'Put requests that could go at the same time into one.' }),
  dedupe: z.boolean().meta({
    description: 'Send a query once for all callers who ask it at the same time with equal rights and equal headers.',
  }),
};

const forAll = z.strictObject({
  connectTimeoutMs: policies.connectTimeoutMs.default(1_000),
  requestTimeoutMs: policies.requestTimeoutMs.default(5_000),
  maxResponseBytes: policies.maxResponseBytes.default(8_388_608),
  maxErrors: policies.maxErrors.default(100),
  errorCodes: policies.errorCodes.default([]),
  errorMessages: policies.errorMessages.optional().meta({
    description:
      'Whether errors with listed codes pass, or `all`, with their code and the name of the subgraph. Default: `all` in the dev profile, else `listed`.',
  }),
  maxConnections: policies.maxConnections.default(64),
  coalesce: policies.coalesce.default(true),
  dedupe: policies.dedupe.default(false),
  retry: z
    .strictObject({
      maxRetries: retry.shape.maxRetries.default(1),
      baseDelayMs: retry.shape.baseDelayMs.default(50),
      maxDelayMs: retry.shape.maxDelayMs.default(2_000),
      budgetPercent: retry.shape.budgetPercent.default(10),
    })
    .prefault({}),
  circuitBreaker: z
    .strictObject({
      enabled: circuitBreaker.shape.enabled.default(true),
      failures: circuitBreaker.shape.failures.default(5),
      window: circuitBreaker.shape.window.default(10),
      openMs: circuitBreaker.shape.openMs.default(1_000),
      maxOpenMs: circuitBreaker.shape.maxOpenMs.default(60_000),
    })
    .prefault({}),
  bulkhead: z
    .strictObject({
      maxConcurrent: bulkhead.shape.maxConcurrent.default(64),
      maxQueued: bulkhead.shape.maxQueued.default(256),
    })
    .prefault({}),
  headers: z
    .strictObject({
      propagate: headerRules.shape.propagate.default([]),
      rename: headerRules.shape.rename.default({}),
      set: headerRules.shape.set.default({}),
      remove: headerRules.shape.remove.default([]),
    })
    .prefault({}),
  tls: tls.extend({ rejectUnauthorized: tls.shape.rejectUnauthorized.default(true) }).prefault({}),
  subscriptions: subscriptions
    .extend({
      transport: subscriptions.shape.transport.default('ws'),
      pingIntervalMs: subscriptions.shape.pingIntervalMs.default(15_000),
      reconnectTimeoutMs: subscriptions.shape.reconnectTimeoutMs.default(60_000),
      maxReconnectDelayMs: subscriptions.shape.maxReconnectDelayMs.default(5_000),
    })
    .prefault({}),
});

const forOne = z
  .strictObject({
    url: z
      .url({ protocol: /^https?$/ })
      .meta({ description: 'Address; default: the one the supergraph gives. Environment: SUBGRAPH_<NAME>_URL.' }),
    ...policies,
    retry: retry.partial(),
    circuitBreaker: circuitBreaker.partial(),
    bulkhead: bulkhead.partial(),
    headers: headerRules.partial(),
    tls: tls.partial(),
    subscriptions: subscriptions
      .extend({
        url: z
          .url({ protocol: /^https?$/ })
          .meta({ description: 'Address that subscriptions are sent to where it is another one than that of other operations.' }),
      })
      .partial(),
  })
  .partial();

/** How subgraphs are asked: what holds for all of them, and above it what is said of single ones. */
export const subgraphs = forAll.extend({
  maxLargeResponseBytes: count(
    1,
    68_719_476_736,
    'bytes',
    'Bytes of large responses (256 KiB and more) of all subgraphs that are received and parsed at a time. Further ones wait for their turn, callers one after another; one is always received.',
  ).default(33_554_432),
  override: z.record(z.string(), forOne).default({}).meta({ description: 'Settings of single subgraphs, by name.' }),
});

/** How subgraphs are asked, in full. */
export type SubgraphsConfig = Readonly<z.infer<typeof subgraphs>>;

/** Settings for all subgraphs, or those of one after its own have been put above them. */
export type SubgraphPolicies = Readonly<z.infer<typeof forAll>>;

/** What is said of one subgraph. */
export type SubgraphOverride = Readonly<z.infer<typeof forOne>>;
