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
import { createShippingSubgraph } from './shipping/create-shipping-subgraph.ts';
import { createUsersSubgraph } from './users/create-users-subgraph.ts';

const SUBGRAPHS = {
  users: createUsersSubgraph,
  posts: createPostsSubgraph,
  orders: createOrdersSubgraph,
  catalogue: createCatalogueSubgraph,
  payments: createPaymentsSubgraph,
  search: createSearchSubgraph,
  shipping: createShippingSubgraph,
  webhooks: (setup: SubgraphSetup, { webhooks }: SubgraphsOptions) => createReferenceWebhooks(setup, webhooks),
} as const satisfies Readonly<Record<string, (setup: SubgraphSetup, options: SubgraphsOptions) => Made>>;

type Made = SubgraphDefinition | Promise<SubgraphDefinition>;

export type SubgraphName = keyof typeof SUBGRAPHS;

/** Names of the reference subgraphs. */
export const SUBGRAPH_NAMES = Object.keys(SUBGRAPHS) as readonly SubgraphName[];

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
  /** Ports by subgraph; others use free ports. */
  readonly ports?: Readonly<Partial<Record<SubgraphName, number>>>;
  /** Time for running requests to finish at `stop`. @unit milliseconds @defaultValue 10000 */
  readonly drainTimeoutMs?: number;
}

export interface RunningSubgraphs {
  readonly subgraphs: Readonly<Record<SubgraphName, RunningSubgraph>>;
  readonly events: EventBus;
  readonly relay: OutboxRelay;
  /** Waits for running requests and stops. The database remains open. */
  stop(): Promise<void>;
}

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
  const started = await Promise.allSettled(
    SUBGRAPH_NAMES.map(async (name) => {
      const definition = await SUBGRAPHS[name]({ database, events, clock, log }, options);
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
    }),
  );
  const running = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = async () => {
    for (const [, subgraph] of running) subgraph.endStreams(); // otherwise subscribers would see the end of the bus as the end of their streams
    await events.close();
    await Promise.all(running.map(async ([, subgraph]) => subgraph.stop()));
    await relay.stop();
  };
  const failed = started.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  return { subgraphs: Object.fromEntries(running) as Record<SubgraphName, RunningSubgraph>, events, relay, stop };
}
