import { compileOperation } from '../../../../../gateway/execution/compile-operation.ts';
import { createGeneration } from '../../../../../gateway/generation/create-generation.ts';
import type { Generation } from '../../../../../gateway/generation/generation.ts';
import { type Generations, createGenerations } from '../../../../../gateway/generation/generations.ts';
import type { Subscriptions, SubscriptionSettings } from '../../../../../gateway/pipeline/streams/subscribe.ts';
import type { EventStream, SubscriptionRequest } from '../../../../../gateway/pipeline/streams/event-stream.ts';
import { createQueryPlanner } from '../../../../../gateway/planning/create-query-planner.ts';
import { createInProcessPlanner } from '../../../../../gateway/planning/worker/in-process-planner.ts';
import { systemClock } from '../../../../../gateway/platform/clock.ts';
import { silentLogger } from '../../../../../gateway/platform/logger.ts';
import { ANONYMOUS } from '../../../../../gateway/platform/principal.ts';
import { loadSupergraph } from '../../../../../gateway/supergraph/load-supergraph.ts';
import type { SubgraphExecutor, SubgraphRequest, SubgraphResponse } from '../../../../../gateway/supergraph/subgraph-executor.ts';
import type { SubgraphStreamListener, SubgraphStreamRequest, SubgraphStreams } from '../../../../../gateway/supergraph/subgraph-streams.ts';
import { pipelineOver, type PipelineSettings } from '../../../../support/gateway/new-pipeline.ts';
import { DEFAULT_LIMITS } from '../../../../support/gateway/default-limits.ts';
import { compose } from '../../../../support/planning/plan-text.ts';

export const ORDERS = `type Query { order(id: ID!): Order }
  type Subscription { changed(id: ID): Change  other: Int }
  type Change { at: Int order: Order }
  type Order @key(fields: "id") { id: ID! status: String }`;

export const SHIPPING = 'type Query { rate: Int } type Order @key(fields: "id") { id: ID! shipment: String }';

/** A stream that the gateway has opened to a subgraph. */
export interface Upstream {
  readonly request: SubgraphStreamRequest;
  readonly listener: SubgraphStreamListener;
  isClosed: boolean;
  /** Sends an event of `changed` with an order. */
  send(eventId: string | undefined, id: string, more?: object): void;
}

export interface StreamingGraph extends AsyncDisposable {
  readonly generations: Generations;
  readonly streaming: Subscriptions;
  /** All upstream streams that have been opened. */
  readonly upstreams: readonly Upstream[];
  /** All other subgraph requests. */
  readonly requests: readonly SubgraphRequest[];
  subscribe(text: string, more?: Partial<SubscriptionRequest>): Promise<EventStream>;
  load(subgraphs: Readonly<Record<string, string>>): Promise<void>;
}

export interface GraphOptions {
  readonly respond?: (request: SubgraphRequest, nth: number) => SubgraphResponse | Promise<SubgraphResponse>;
  readonly streaming?: Partial<SubscriptionSettings>;
  readonly pipeline?: Partial<PipelineSettings>;
  /** @defaultValue every stream opens immediately */
  readonly onOpen?: (upstream: Upstream) => void;
}

/** Starts a graph of two subgraphs, one of which streams events. Everything except the subgraphs is real. */
export async function startStreamingGraph(options: GraphOptions = {}): Promise<StreamingGraph> {
  const { respond = shipmentsOf, onOpen = ({ listener }) => listener.onOpen(), streaming, pipeline } = options;
  const upstreams: Upstream[] = [];
  const requests: SubgraphRequest[] = [];
  const generations = createGenerations({ logger: silentLogger });
  const streams: SubgraphStreams = {
    addressOf: (_subgraph, url) => url,
    open(request, listener) {
      let { lastEventId } = request;
      const upstream: Upstream = {
        request,
        listener,
        isClosed: false,
        send(eventId, id, more = {}) {
          const aliasOf = (field: string): string => new RegExp(`(\\w+):${field}\\b`).exec(request.body)?.[1] ?? field;
          lastEventId = eventId ?? lastEventId;
          const response = { data: { [aliasOf('changed')]: { at: 1, [aliasOf('order')]: { id, status: 'NEW' } } }, ...more };
          if (!upstream.isClosed) listener.onEvent(eventId === undefined ? { response } : { eventId, response });
        },
      };
      upstreams.push(upstream);
      queueMicrotask(() => onOpen(upstream));
      return {
        get lastEventId() {
          return lastEventId;
        },
        close() {
          upstream.isClosed = true;
        },
      };
    },
    async [Symbol.asyncDispose]() {},
  };
  const executor: SubgraphExecutor = async (request) => {
    requests.push(request);
    return respond(request, requests.length);
  };
  const load = async (subgraphs: Readonly<Record<string, string>>): Promise<void> => {
    await generations.load(() => newGeneration(compose(subgraphs), executor));
  };
  await load({ orders: ORDERS, shipping: SHIPPING });
  const { pipeline: running, subscriptions } = pipelineOver(generations, {
    ...pipeline,
    subscriptions: {
      upstream: streams,
      sharing: { headers: ['tenant'], isIdentityForwarded: true },
      maxQueuedEvents: 3,
      maxQueuedBytes: 10_000,
      reloadWindowMs: 1,
      clock: systemClock,
      ...streaming,
    },
  });
  return {
    generations,
    streaming: subscriptions,
    upstreams,
    requests,
    load,
    subscribe: (text, more = {}) =>
      running.subscribe({
        document: { text },
        principal: ANONYMOUS,
        transport: 'websocket',
        headers: {},
        correlationId: 'trace-1',
        signal: new AbortController().signal,
        ...more,
      }),
    async [Symbol.asyncDispose]() {
      subscriptions.close();
      await generations[Symbol.asyncDispose]();
    },
  };
}

function newGeneration(sdl: string, executor: SubgraphExecutor): Generation {
  return createGeneration({
    loaded: loadSupergraph(sdl),
    planner: createInProcessPlanner(createQueryPlanner(sdl)),
    executor: Object.assign((...request: Parameters<SubgraphExecutor>) => executor(...request), { async [Symbol.asyncDispose]() {} }),
    compile: compileOperation,
    settings: {
      maxTokens: 4_000,
      limits: { ...DEFAULT_LIMITS, mode: 'enforce' },
      maxErrors: 10,
      maxVariableDepth: 20,
      isSchemaShown: true,
      maxCachedOperations: 100,
      maxCachedOperationBytes: 10_000_000,
    },
    logger: silentLogger,
  });
}

/** Returns a shipment for each order. */
function shipmentsOf({ body }: SubgraphRequest): SubgraphResponse {
  const { variables } = JSON.parse(body) as { variables: { representations: { id: string }[] } };
  return { data: { _entities: variables.representations.map(({ id }) => ({ __typename: 'Order', shipment: `box ${id}` })) } };
}

/** Returns the next event with its parsed body. */
export async function nextOf(stream: EventStream): Promise<{ eventId?: string; body: unknown } | 'done'> {
  const { value } = await stream.next();
  if (value === undefined) return 'done';
  const { eventId, result } = value;
  return { ...(eventId === undefined ? {} : { eventId }), body: JSON.parse(result.body) as unknown };
}
