import { z } from 'zod';
import { headerRules } from './header-rules.ts';

const milliseconds = (min: number, max: number, description: string) =>
  z.int().min(min).max(max).meta({ description, unit: 'milliseconds' });

const count = (min: number, max: number, unit: string, description: string) => z.int().min(min).max(max).meta({ description, unit });

const file = (description: string) => z.string().min(1).meta({ description, path: true });

const retry = z.strictObject({
  maxRetries: count(
    0,
    10,
    'retries',
    'Maximum number of retries of a query when no part of a response was received. Mutations are never retried. A query on an idle connection that the subgraph has closed is sent again once in addition.',
  ),
  baseDelayMs: milliseconds(
    0,
    60_000,
    'Maximum delay before the first retry. It doubles with each retry, and the actual delay is a random value up to it.',
  ),
  maxDelayMs: milliseconds(
    0,
    60_000,
    'Maximum delay before any retry. A request whose response has a longer `Retry-After` is not retried.',
  ),
  budgetPercent: count(
    0,
    100,
    'percent',
    'Maximum number of retries as a percentage of requests. It prevents retry storms when a subgraph is down.',
  ),
});

const circuitBreaker = z.strictObject({
  enabled: z
    .boolean()
    .meta({ description: 'Stop sending requests to a subgraph that fails repeatedly, and fail immediately with `CIRCUIT_OPEN`.' }),
  failures: count(1, 1_000, 'requests', 'Number of failures among the latest `window` requests that opens the circuit breaker.'),
  window: count(1, 1_000, 'requests', 'Number of latest requests that are evaluated.'),
  openMs: milliseconds(1, 600_000, 'How long the circuit breaker stays open before one trial request is sent.'),
  maxOpenMs: milliseconds(
    1,
    3_600_000,
    'Maximum time that the circuit breaker stays open when the subgraph requests a longer time with `Retry-After`.',
  ),
});

const bulkhead = z.strictObject({
  maxConcurrent: count(1, 100_000, 'requests', 'Maximum number of concurrent requests to one subgraph.'),
  maxQueued: count(
    0,
    1_000_000,
    'operations',
    'Maximum number of operations whose requests wait for a free slot. Requests of further operations fail immediately.',
  ),
});

const tls = z.strictObject({
  caFile: file('File with the certificate authorities to trust (PEM). Default: the certificate authorities of Node.js.').optional(),
  certificateFile: file('File with the client certificate for the subgraph (PEM).').optional(),
  keyFile: file('File with the private key of the client certificate (PEM).').optional(),
  serverName: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'Server name that the certificate of the subgraph must contain. Default: the host of its URL.' }),
  rejectUnauthorized: z
    .boolean()
    .meta({ description: 'Reject certificates that cannot be verified. The production profile requires `true`.' }),
});

const subscriptions = z.strictObject({
  transport: z.enum(['ws', 'sse']).meta({
    description:
      'Transport for events. `ws` uses graphql-transport-ws, with one WebSocket connection for all streams of a caller. `sse` uses one HTTP request for each stream.',
  }),
  path: z
    .string()
    .regex(/^\//, 'must begin with a slash')
    .optional()
    .meta({ description: 'Path and query of the URL for subscriptions. Default: the same as for other operations.' }),
  pingIntervalMs: milliseconds(
    100,
    600_000,
    'Interval between two pings on a WebSocket connection. A connection that has not received anything since the last ping is closed.',
  ),
  reconnectTimeoutMs: milliseconds(
    0,
    86_400_000,
    'How long the gateway tries to reconnect a lost stream before it reports the failure to its clients.',
  ),
  maxReconnectDelayMs: milliseconds(1, 600_000, 'Maximum delay between reconnection attempts. The first delays are those of `retry`.'),
});

/** Settings that apply to all subgraphs or to a single one. */
const policies = {
  connectTimeoutMs: milliseconds(1, 60_000, 'Timeout for opening a connection.'),
  requestTimeoutMs: milliseconds(
    1,
    600_000,
    'Timeout for the complete response of one attempt, including the time that the request waits in a queue.',
  ),
  maxResponseBytes: count(1, 1_073_741_824, 'bytes', 'Maximum size of a response of a subgraph.'),
  maxErrors: count(1, 10_000, 'errors', 'Maximum number of errors that are read from one response. Further errors are dropped.'),
  errorCodes: z.array(z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/)).meta({
    description:
      'Additional error codes (`extensions.code`) whose messages are sent to clients. The codes that subgraphs may set by default are listed in docs/reference/error-codes.md. An error with another code, or without a code, is replaced by `INTERNAL_SERVER_ERROR` with a constant message.',
  }),
  errorMessages: z.enum(['listed', 'all']).meta({
    description:
      'Errors that are sent to clients: `listed` sends those with listed codes; `all` sends every error with its code and the name of the subgraph.',
  }),
  maxConnections: count(1, 4_096, 'connections', 'Maximum number of connections to one origin.'),
  coalesce: z.boolean().meta({ description: 'Combine requests that can be sent at the same time into one request.' }),
  dedupe: z.boolean().meta({
    description: 'Send identical concurrent queries of callers with equal permissions and equal headers only once.',
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
      'Errors that are sent to clients: `listed` sends those with listed codes; `all` sends every error with its code and the name of the subgraph. Default: `all` in the dev profile, `listed` in production.',
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
      .meta({ description: 'URL of the subgraph. Default: the URL in the supergraph. Environment: SUBGRAPH_<NAME>_URL.' }),
    ...policies,
    retry: retry.partial(),
    circuitBreaker: circuitBreaker.partial(),
    bulkhead: bulkhead.partial(),
    headers: headerRules.partial(),
    tls: tls.partial(),
    subscriptions: subscriptions
      .extend({
        url: z.url({ protocol: /^https?$/ }).meta({ description: 'URL for subscriptions. Default: the URL of the subgraph.' }),
      })
      .partial(),
  })
  .partial();

/** Section `subgraphs`: requests to subgraphs. Settings apply to all subgraphs and can be overridden for single ones. */
export const subgraphs = forAll.extend({
  maxResponseBytesPerOperation: count(
    1,
    68_719_476_736,
    'bytes',
    'Maximum total size of all subgraph responses of one operation. When it is reached, no further queries are sent for the operation, and the missing fields fail with `SUBGRAPH_RESPONSE_LIMIT_EXCEEDED`. Responses to mutations count, but are always received. Default: eight times the largest `maxResponseBytes` of all subgraphs.',
  ).optional(),
  maxLargeResponseBytes: count(
    1,
    68_719_476_736,
    'bytes',
    'Maximum size of all large subgraph responses (256 KiB and more) that are received and parsed concurrently. Further responses wait, with callers taking turns. One response is always accepted.',
  ).default(33_554_432),
  override: z.record(z.string(), forOne).default({}).meta({ description: 'Settings of single subgraphs, by subgraph name.' }),
});

/** Parsed section. */
export type SubgraphsConfig = Readonly<z.infer<typeof subgraphs>>;

/** Settings for all subgraphs, or the settings of one subgraph after its overrides have been applied. */
export type SubgraphPolicies = Readonly<z.infer<typeof forAll>>;

/** Overrides for one subgraph. */
export type SubgraphOverride = Readonly<z.infer<typeof forOne>>;
