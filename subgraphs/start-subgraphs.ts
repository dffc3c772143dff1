import type { Clock } from '../gateway/platform/clock.ts';
import type { Logger } from '../gateway/platform/logger.ts';
import { createCatalogueSubgraph } from './catalogue/create-catalogue-subgraph.ts';
import type { TrustedGateways } from './kit/identity/verify-caller.ts';
import type { Database } from './kit/database/database.ts';
import type { EventBus } from './kit/events/event-bus.ts';
import { createMemoryEventBus } from './kit/events/memory-event-bus.ts';
import { type OutboxRelay, startOutboxRelay } from './kit/events/outbox-relay.ts';
import { type RunningSubgraph, startSubgraph } from './kit/server/start-subgraph.ts';
import type { SubgraphDefinition, SubgraphSetup } from './kit/subgraph-definition.ts';
import { createOrdersSubgraph } from './orders/create-orders-subgraph.ts';
import { createPaymentsSubgraph } from './payments/create-payments-subgraph.ts';
import { createPostsSubgraph } from './posts/create-posts-subgraph.ts';
import { createReferenceWebhooks, type ReferenceWebhooksSettings } from './reference-webhooks.ts';
import { createSearchSubgraph } from './search/create-search-subgraph.ts';
import { startShippingBackEnd } from './shipping/start-shipping-back-end.ts';
import { createUsersSubgraph } from './users/create-users-subgraph.ts';

const SUBGRAPHS = {
  users: createUsersSubgraph,
  posts: createPostsSubgraph,
  orders: createOrdersSubgraph,
  catalogue: createCatalogueSubgraph,
  payments: createPaymentsSubgraph,
  search: createSearchSubgraph,
  webhooks: (setup: SubgraphSetup, { webhooks }: SubgraphsOptions) => createReferenceWebhooks(setup, webhooks),
} as const satisfies Readonly<Record<string, (setup: SubgraphSetup, options: SubgraphsOptions) => Made>>;

type Made = SubgraphDefinition | Promise<SubgraphDefinition>;

export type SubgraphName = keyof typeof SUBGRAPHS;

/** Names of the reference subgraphs that have a server. */
export const SUBGRAPH_NAMES = Object.keys(SUBGRAPHS) as readonly SubgraphName[];

/** Names of the servers: the subgraphs, and the back end of the subgraph `shipping`, which has connectors. */
export const SERVER_NAMES = [...SUBGRAPH_NAMES, 'shipping'] as const;

export type ServerName = (typeof SERVER_NAMES)[number];

export interface SubgraphsOptions {
  readonly database: Database;
  /** Gateways whose identity tokens are trusted. */
  readonly identity: TrustedGateways;
  readonly profile: 'dev' | 'production';
  /** Settings of the webhooks subgraph. */
  readonly webhooks: ReferenceWebhooksSettings;
  /** Redis whose streams carry events between processes. @defaultValue events stay in this process */
  readonly redisUrl?: string | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  /** Address that all subgraphs bind. @defaultValue '127.0.0.1' */
  readonly host?: string;
  /** Ports by server; others use free ports. */
  readonly ports?: Readonly<Partial<Record<ServerName, number>>>;
  /** Time for running requests to finish at `stop`. @unit milliseconds @defaultValue 10000 */
  readonly drainTimeoutMs?: number;
}

export interface RunningSubgraphs {
  readonly subgraphs: Readonly<Record<SubgraphName, RunningSubgraph>>;
  /** Back ends by subgraph with connectors, and by source: the URL that replaces its `baseURL`. */
  readonly backEnds: BackEndUrls;
  readonly events: EventBus;
  readonly relay: OutboxRelay;
  /** Waits for running requests and stops. The database remains open. */
  stop(): Promise<void>;
}

export type BackEndUrls = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Loads the Redis client only when it is needed, because it is large. */
async function openRedisEventBus(url: string, log: Logger): Promise<EventBus> {
  const { createRedisEventBus } = await import('./kit/events/redis-event-bus.ts');
  return createRedisEventBus({ url, log });
}

/** Starts all subgraphs in this process, with one database and one event bus. When one cannot start, the others are stopped. */
export async function startSubgraphs(options: SubgraphsOptions): Promise<RunningSubgraphs> {
  const { database, clock, log, host, ports = {}, drainTimeoutMs } = options;
  const events = options.redisUrl === undefined ? createMemoryEventBus() : await openRedisEventBus(options.redisUrl, log);
  const relay = startOutboxRelay({ database, bus: events, clock, log });
  const runtime = { ...options, events, wakeRelay: relay.wake };
  const setup = { database, events, clock, log };

  async function start(name: SubgraphName): Promise<readonly [SubgraphName, RunningSubgraph]> {
    const definition = await SUBGRAPHS[name](setup, options);
    const listening = {
      ...(host === undefined ? {} : { host }),
      ...(drainTimeoutMs === undefined ? {} : { drainTimeoutMs }),
      port: ports[name] ?? 0,
    };
    try {
      return [name, await startSubgraph(definition, runtime, listening)] as const;
    } catch (error) {
      await definition.close?.();
      throw error;
    }
  }

  const [[shipping], started] = await Promise.all([
    Promise.allSettled([startShippingBackEnd(setup, { host, port: ports.shipping })]),
    Promise.allSettled(SUBGRAPH_NAMES.map(start)),
  ]);
  const running = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = async () => {
    for (const [, subgraph] of running) subgraph.endStreams(); // otherwise subscribers would see the end of the bus as the end of their streams
    await events.close();
    await Promise.all(running.map(async ([, subgraph]) => subgraph.stop()));
    if (shipping.status === 'fulfilled') await shipping.value[Symbol.asyncDispose]();
    await relay.stop();
  };
  const failed = [shipping, ...started].find((result) => result.status === 'rejected');
  if (shipping.status === 'rejected' || failed !== undefined) {
    await stop();
    throw failed?.reason;
  }
  return {
    subgraphs: Object.fromEntries(running) as Record<SubgraphName, RunningSubgraph>,
    backEnds: { shipping: { legacy: shipping.value.url } },
    events,
    relay,
    stop,
  };
}
