import type { AttemptRecorder } from '../../../gateway/platform/attempt-recorder.ts';
import type { Clock } from '../../../gateway/platform/clock.ts';
import type { Logger } from '../../../gateway/platform/logger.ts';
import type { Database } from '../../kit/database/database.ts';
import { toLoggableError } from '../../kit/database/loggable-error.ts';
import { removeExpired } from '../deliveries/remove-expired.ts';
import type { CheckOwner } from '../owners/check-owner.ts';
import { DEFAULT_LEASE_MS } from '../settings.ts';
import { type ClaimedDelivery, claimDeliveries } from './claim-deliveries.ts';
import { createAttempt } from './make-attempt.ts';
import type { Sender } from './open-sender.ts';
import { recordAttempt } from './record-attempt.ts';
import type { ReadSecrets } from './read-secrets.ts';

export interface DeliveryWorkerOptions {
  readonly database: Database;
  readonly sender: Sender;
  readonly readSecrets: ReadSecrets;
  readonly checkOwner: CheckOwner;
  /** Called when an endpoint has responded to its ping. @defaultValue no call */
  readonly onActivated?: () => void;
  readonly clock: Clock;
  readonly log: Logger;
  /** Records attempts for telemetry. @defaultValue nothing is recorded */
  readonly recorder?: AttemptRecorder | undefined;
  /** Returns a number between 0 and 1. @defaultValue `Math.random` */
  readonly random?: () => number;
  /** Maximum number of simultaneous attempts of this process. @unit deliveries @defaultValue 16 */
  readonly maxConcurrent?: number;
  /** Maximum number of simultaneous attempts to one endpoint, in all processes. @unit deliveries @defaultValue 1 */
  readonly maxConcurrentPerEndpoint?: number;
  /**
   * Maximum number of simultaneous attempts of this process for one owner.
   *
   * @unit deliveries
   * @defaultValue a quarter of `maxConcurrent`, at least 1
   */
  readonly maxConcurrentPerOwner?: number;
  /** Duration of a lease; longer than an attempt. @unit milliseconds @defaultValue 30000 */
  readonly leaseMs?: number;
  /** Interval of polls for due deliveries. @unit milliseconds @defaultValue 1000 */
  readonly pollIntervalMs?: number;
}

/** Sends queued deliveries. Any number of workers in any number of processes share one queue. */
export interface DeliveryWorker {
  /** Polls the queue immediately; frequent calls are cheap. */
  readonly wake: () => void;
  /** Resolves when no delivery is due and no attempt is in progress. @throws the errors of the database */
  drain(): Promise<void>;
  /** Claims no further deliveries, and aborts the attempts in progress, which are repeated later. */
  stop(): Promise<void>;
}

const PURGE_INTERVAL_MS = 10 * 60 * 1_000;

export function startDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  const { database, checkOwner, clock, log, random = Math.random } = options;
  const { maxConcurrent = 16, maxConcurrentPerEndpoint = 1, leaseMs = DEFAULT_LEASE_MS, pollIntervalMs = 1_000 } = options;
  const { maxConcurrentPerOwner = Math.max(1, Math.floor(maxConcurrent / 4)) } = options;
  const attempt = createAttempt(options);
  const stopping = new AbortController();
  /** Attempts in progress, with the owner of each. */
  const inFlight = new Map<Promise<void>, string>();
  let pumping: Promise<void> | undefined;
  let isRequested = false;
  let purgedAt: number | undefined;

  async function deliver(claimed: ClaimedDelivery): Promise<void> {
    const { delivery, endpoint } = claimed;
    try {
      if (!(await mayReceive(endpoint))) return;
      const attemptResult = await attempt(claimed, stopping.signal);
      await recordAttempt(database, claimed, attemptResult, { now: new Date(clock.now()), random: random() });
      if (attemptResult.kind === 'delivered' && endpoint.state === 'PENDING') options.onActivated?.();
      log.debug({ webhookId: endpoint.id, messageId: delivery.messageId, attemptResult }, 'A webhook delivery was attempted.');
    } catch (error) {
      // The attempt is repeated after the end of its lease.
      log.error(
        { err: toLoggableError(error), webhookId: endpoint.id, messageId: delivery.messageId },
        'The result of a webhook delivery could not be recorded.',
      );
    }
  }

  /** Checks the owner. A delivery whose owner cannot be checked is retried after the end of its lease. */
  async function mayReceive(endpoint: ClaimedDelivery['endpoint']): Promise<boolean> {
    try {
      return (await checkOwner(endpoint)) !== undefined;
    } catch (error) {
      log.warn(
        { err: toLoggableError(error), webhookId: endpoint.id },
        'The owner of a webhook cannot be checked. The delivery is retried.',
      );
      return false;
    }
  }

  /** Claims due deliveries while the limit allows it. Each completed attempt starts the next claim. */
  async function pump(): Promise<void> {
    do {
      isRequested = false;
      for (;;) {
        const limit = maxConcurrent - inFlight.size;
        if (limit <= 0 || stopping.signal.aborted) break;
        const now = new Date(clock.now());
        const bounds = { limit, perEndpoint: maxConcurrentPerEndpoint, perOwner: maxConcurrentPerOwner };
        const claimed = await claimDeliveries(database, { now, leaseMs, ...bounds, busyOwners: [...inFlight.values()], random: random() });
        for (const one of claimed) start(one);
        if (claimed.length === 0) break;
      }
      await purge();
    } while (isRequested && !stopping.signal.aborted);
  }

  function start(claimed: ClaimedDelivery): void {
    const running = deliver(claimed).finally(() => {
      inFlight.delete(running);
      wake();
    });
    inFlight.set(running, claimed.endpoint.ownerId);
  }

  async function purge(): Promise<void> {
    const now = clock.monotonic();
    if (purgedAt !== undefined && now - purgedAt < PURGE_INTERVAL_MS) return;
    purgedAt = now;
    if (!(await removeExpired(database.sql, new Date(clock.now())))) return;
    purgedAt = undefined;
    isRequested = true; // remove the rest after the deliveries that are due by then
  }

  async function look(): Promise<void> {
    isRequested = true;
    pumping ??= pump().finally(() => {
      pumping = undefined;
    });
    return pumping;
  }

  function wake(): void {
    if (stopping.signal.aborted) return;
    look().catch((error: unknown) =>
      log.warn({ err: toLoggableError(error) }, 'The queue of webhook deliveries cannot be read. The worker will retry.'),
    );
  }

  const poll = setInterval(wake, pollIntervalMs).unref();
  wake();
  return {
    wake,
    async drain() {
      await look();
      while (inFlight.size > 0) {
        await Promise.all(inFlight.keys());
        await look();
      }
    },
    async stop() {
      stopping.abort();
      clearInterval(poll);
      await pumping?.catch(() => undefined);
      await Promise.all(inFlight.keys());
    },
  };
}
