/** Kind of a metric. */
export type MetricKind = 'histogram' | 'counter' | 'updowncounter' | 'gauge';

/** A metric of the gateway. The reference page is generated from these definitions. */
export interface MetricDefinition {
  readonly name: string;
  readonly kind: MetricKind;
  /** Unit in the notation of UCUM. Empty for numbers without a unit. */
  readonly unit: string;
  readonly description: string;
  /** Names of the labels, in the order in which their values are recorded. */
  readonly labels: readonly string[];
  /** Upper bounds of the buckets of a histogram. */
  readonly buckets?: readonly number[];
  /** Whether only the draft of the GraphQL conventions defines the metric. */
  readonly isDraft?: true;
}

/** Upper bounds that the HTTP conventions advise. @unit seconds */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** Upper bounds for stages, which are shorter than requests. @unit seconds */
const STAGE_SECONDS = [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

const ERRORS = [0, 1, 2, 5, 10, 20, 50, 100];

/** All metrics of the gateway, by the name that the code uses. */
export const METRICS = {
  httpDuration: {
    name: 'http.server.request.duration',
    kind: 'histogram',
    unit: 's',
    description: 'Duration of HTTP requests. The request of a stream lasts until the stream ends.',
    labels: ['http.request.method', 'http.response.status_code', 'http.route', 'gatefold.transport'],
    buckets: REQUEST_SECONDS,
  },
  httpActive: {
    name: 'http.server.active_requests',
    kind: 'updowncounter',
    unit: '{request}',
    description: 'Number of HTTP requests in progress.',
    labels: ['http.request.method'],
  },
  graphqlDuration: {
    name: 'graphql.server.request.duration',
    kind: 'histogram',
    unit: 's',
    description: 'Duration of operations over every transport. Of a subscription, the time until it is open.',
    labels: ['graphql.operation.type', 'graphql.operation.name', 'error.type', 'gatefold.client.name'],
    buckets: REQUEST_SECONDS,
    isDraft: true,
  },
  graphqlActive: {
    name: 'graphql.server.active_requests',
    kind: 'updowncounter',
    unit: '{request}',
    description: 'Number of operations in progress, with open subscriptions.',
    labels: [],
    isDraft: true,
  },
  graphqlErrors: {
    name: 'graphql.server.response.error_count',
    kind: 'histogram',
    unit: '{error}',
    description: 'Number of errors in a response.',
    labels: ['graphql.operation.type'],
    buckets: ERRORS,
    isDraft: true,
  },
  operations: {
    name: 'gatefold.operation.duration',
    kind: 'histogram',
    unit: 's',
    description: 'Duration of operations, with the released conventions instead of `graphql.server.request.duration`.',
    labels: ['graphql.operation.type', 'graphql.operation.name', 'error.type', 'gatefold.client.name'],
    buckets: REQUEST_SECONDS,
  },
  stages: {
    name: 'gatefold.stage.duration',
    kind: 'histogram',
    unit: 's',
    description: 'Duration of stages. `parse`, `validate` and `plan` are recorded only when their result is not cached.',
    labels: ['gatefold.stage'],
    buckets: STAGE_SECONDS,
  },
  subgraphDuration: {
    name: 'gatefold.subgraph.request.duration',
    kind: 'histogram',
    unit: 's',
    description: 'Duration of requests to subgraphs, with retries. The label is `ok` or an error code.',
    labels: ['gatefold.subgraph.name', 'gatefold.outcome'],
    buckets: REQUEST_SECONDS,
  },
  subgraphConnections: {
    name: 'gatefold.subgraph.connections',
    kind: 'gauge',
    unit: '{connection}',
    description: 'Connections to a subgraph: `active` or `idle`. Subgraphs with one origin share their connections.',
    labels: ['gatefold.subgraph.name', 'state'],
  },
  circuitOpen: {
    name: 'gatefold.subgraph.circuit_breaker.open',
    kind: 'gauge',
    unit: '',
    description: '1 while the circuit breaker of a subgraph is open or half-open, otherwise 0.',
    labels: ['gatefold.subgraph.name'],
  },
  documentLookups: {
    name: 'gatefold.document_cache.lookups',
    kind: 'counter',
    unit: '{lookup}',
    description: 'Lookups of prepared documents: `hit` or `miss`.',
    labels: ['result'],
  },
  planLookups: {
    name: 'gatefold.plan_cache.lookups',
    kind: 'counter',
    unit: '{lookup}',
    description: 'Lookups of plans: `hit` or `miss`. Operations that are served from the response cache need no plan.',
    labels: ['result'],
  },
  responseLookups: {
    name: 'gatefold.response_cache.lookups',
    kind: 'counter',
    unit: '{lookup}',
    description: 'Lookups of responses that can be cached: `hit` or `miss`.',
    labels: ['result'],
  },
  budgetDecisions: {
    name: 'gatefold.budget.decisions',
    kind: 'counter',
    unit: '{operation}',
    description: 'Operations whose cost was charged: `admitted`, or `rejected` because the budget was used up.',
    labels: ['outcome'],
  },
  streamsOpen: {
    name: 'gatefold.streams.open',
    kind: 'updowncounter',
    unit: '{stream}',
    description: 'Number of open subscriptions.',
    labels: ['gatefold.transport'],
  },
  streamsEnded: {
    name: 'gatefold.streams.ended',
    kind: 'counter',
    unit: '{stream}',
    description: 'Subscriptions that have ended, by reason: `completed`, `client_closed`, `shutdown`, `closed_<code>`, or an error code.',
    labels: ['gatefold.transport', 'reason'],
  },
  eventsSent: {
    name: 'gatefold.events.sent',
    kind: 'counter',
    unit: '{event}',
    description: 'Events that were passed to the transport of a client.',
    labels: ['gatefold.transport'],
  },
  eventsDropped: {
    name: 'gatefold.events.dropped',
    kind: 'counter',
    unit: '{event}',
    description: 'Events that could not be queued because the client reads too slowly. Each one ends its stream.',
    labels: ['gatefold.transport'],
  },
  webhookAttempts: {
    name: 'gatefold.webhook.attempt.duration',
    kind: 'histogram',
    unit: 's',
    description:
      'Duration of attempts to deliver a webhook. Only the webhook service reports it. The label is `ok` or the code of the attempt.',
    labels: ['gatefold.webhook.event', 'gatefold.outcome'],
    buckets: REQUEST_SECONDS,
  },
  webhookAttemptsActive: {
    name: 'gatefold.webhook.attempts.active',
    kind: 'updowncounter',
    unit: '{attempt}',
    description: 'Number of attempts to deliver a webhook in progress. Only the webhook service reports it.',
    labels: ['gatefold.webhook.event'],
  },
  shed: {
    name: 'gatefold.requests.shed',
    kind: 'counter',
    unit: '{request}',
    description:
      'Requests, responses and connections that were rejected because a limit of the listener was reached, or because the event loop is overloaded.',
    labels: ['reason'],
  },
  generationLoads: {
    name: 'gatefold.generation.loads',
    kind: 'counter',
    unit: '{load}',
    description: 'Supergraphs that were loaded: `accepted` or `rejected`.',
    labels: ['outcome'],
  },
  generationInfo: {
    name: 'gatefold.generation.info',
    kind: 'gauge',
    unit: '',
    description: '1 for the supergraph that is being served.',
    labels: ['gatefold.generation.id'],
  },
  generationsActive: {
    name: 'gatefold.generations.active',
    kind: 'gauge',
    unit: '{generation}',
    description: 'Number of supergraphs in memory: the one that is being served, and earlier ones whose requests have not ended.',
    labels: [],
  },
  eventLoopUtilization: {
    name: 'nodejs.eventloop.utilization',
    kind: 'gauge',
    unit: '1',
    description: 'Share of the time since the last collection in which the event loop was not idle.',
    labels: [],
  },
  eventLoopDelayP99: {
    name: 'nodejs.eventloop.delay.p99',
    kind: 'gauge',
    unit: 's',
    description: '99th percentile of the delay of the event loop since the last collection.',
    labels: [],
  },
  heapUsed: {
    name: 'v8js.memory.heap.used',
    kind: 'gauge',
    unit: 'By',
    description: 'Memory in use, by heap space.',
    labels: ['v8js.heap.space.name'],
  },
  heapLimit: {
    name: 'v8js.memory.heap.limit',
    kind: 'gauge',
    unit: 'By',
    description: 'Maximum size of the heap.',
    labels: [],
  },
  processMemory: {
    name: 'process.memory.usage',
    kind: 'gauge',
    unit: 'By',
    description: 'Resident memory of the process.',
    labels: [],
  },
  processCpu: {
    name: 'process.cpu.time',
    kind: 'counter',
    unit: 's',
    description: 'CPU time of the process: `user` or `system`.',
    labels: ['cpu.mode'],
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

/** Name of a metric in the code. */
export type MetricKey = keyof typeof METRICS;
