import type { Clock } from '../platform/clock.ts';
import { GatewayError } from '../platform/errors.ts';
import { type Logger, silentLogger } from '../platform/logger.ts';
import type { SubgraphStreams } from '../supergraph/subgraph-streams.ts';
import type { Subscribe } from './event-stream.ts';
import { type SubscriptionStages, createSubscribe } from './run-subscription.ts';
import { createExpiryWheel } from './streams/expiry-wheel.ts';
import { type OpenStreamsOptions, type StreamsReport, createOpenStreams } from './streams/open-streams.ts';
import type { SharingRules } from './streams/share-key.ts';

/** What subscriptions are run with. */
export interface StreamingOptions extends Pick<OpenStreamsOptions, 'reloadWindowMs'> {
  readonly upstream: SubgraphStreams;
  readonly sharing: SharingRules;
  /** What waits for a client at most; one that falls further behind is dropped. @unit events */
  readonly maxQueuedEvents: number;
  /** The same. @unit bytes */
  readonly maxQueuedBytes: number;
  readonly clock: Clock;
}

/** All that runs of subscriptions. */
export interface Streaming {
  readonly subscribe: Subscribe;
  report(): StreamsReport;
  /** Ends all streams with `OVERLOADED`: the gateway goes away, and clients should come back to another. */
  close(): void;
}

type Stages = Omit<SubscriptionStages, 'upstream' | 'open' | 'sharing' | 'shared' | 'now'>;

/** Puts together what runs subscriptions, beside the stages that they share with other operations. */
export function createStreaming(options: StreamingOptions, stages: Stages, logger: Logger = silentLogger): Streaming {
  const { upstream, sharing, maxQueuedEvents, maxQueuedBytes, reloadWindowMs, clock } = options;
  const now = (): number => clock.now();
  const wheel = createExpiryWheel(now);
  const open = createOpenStreams({ limits: { maxQueuedEvents, maxQueuedBytes }, reloadWindowMs, wheel, now, random: Math.random, logger });
  const subscribe = createSubscribe({
    ...stages,
    upstream,
    sharing,
    open,
    now,
    shared: { logger, maxPendingEvents: maxQueuedEvents, maxPendingBytes: maxQueuedBytes },
  });
  /** Moves come one after another. */
  let moving = Promise.resolve();
  stages.generations.onReplaced((next) => {
    const pin = stages.generations.pin(next);
    moving = moving
      .then(() => open.move(pin.generation))
      .catch((error: unknown) => logger.error({ err: error }, 'Streams could not be moved to a new supergraph.'))
      .finally(() => pin[Symbol.dispose]());
  });
  return {
    subscribe,
    report: () => open.report(),
    close() {
      wheel[Symbol.dispose]();
      open.close(new GatewayError('OVERLOADED', 'This gateway is going away. Subscribe again.', { headers: { 'retry-after': '1' } }));
    },
  };
}
