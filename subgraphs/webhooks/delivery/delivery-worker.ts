import type { Clock } from '../../../gateway/platform/clock.ts';
import type { Logger } from '../../../gateway/platform/logger.ts';
import type { Database } from '../../kit/database/database.ts';
import { toLoggableError } from '../../kit/database/loggable-error.ts';
import { removeExpired } from '../deliveries/remove-expired.ts';
import { DEFAULT_LEASE_MS } from '../settings.ts';
import { type ClaimedDelivery, claimDeliveries } from './claim-deliveries.ts';
import type { CheckOwner } from './check-owner.ts';
import { createAttempt } from './make-attempt.ts';
import type { Sender } from './open-sender.ts';
import { recordAttempt } from './record-attempt.ts';
import type { ReadSecrets } from './read-secrets.ts';

export interface DeliveryWorkerOptions {
  readonly database: Database;
  readonly sender: Sender;
  readonly readSecrets: ReadSecrets;
  readonly checkOwner: CheckOwner;
  /** Told when an endpoint has answered its ping. @defaultValue nobody is */
  readonly onActivated?: () => void;
  readonly clock: Clock;
  readonly log: Logger;
  /** Between 0 and 1. @defaultValue `Math.random` */
  readonly random?: () => number;
  /** Attempts of this process at one time. @unit deliveries @defaultValue 16 */
  readonly maxConcurrent?: number;
  /** Attempts to one endpoint at one time, in all processes. @unit deliveries @defaultValue 1 */
  readonly maxConcurrentPerEndpoint?: number;
  /** Attempts of this process for one owner at one time. @unit deliveries @defaultValue a quarter of `maxConcurrent`, at least 1 */
  readonly maxConcurrentPerOwner?: number;
  /** How long a delivery belongs to the process that took it; longer than an attempt may take. @unit milliseconds @defaultValue 30000 */
  readonly leaseMs?: number;
  /** How often it is looked for deliveries whose time has come. @unit milliseconds @defaultValue 1000 */
  readonly pollIntervalMs?: number;
}

/** Sends what the queue holds. Any number of them, in any number of processes, share one queue. */
export interface DeliveryWorker {
  /** Looks at the queue now; cheap to call often. */
  readonly wake: () => void;
  /** Resolves when nothing is due and nothing under way. @throws whatever the database throws */
  drain(): Promise<void>;
  /** Takes nothing more, and gives up what is under way: it is tried again. */
  stop(): Promise<void>;
}

const PURGE_INTERVAL_MS = 10 * 60 * 1_000;

export function startDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  const { database, checkOwner, clock, log, random = Math.random } = options;
  const { maxConcurrent = 16, maxConcurrentPerEndpoint = 1, leaseMs = DEFAULT_LEASE_MS, pollIntervalMs = 1_000 } = options;
  const { maxConcurrentPerOwner = Math.max(1, Math.floor(maxConcurrent / 4)) } = options;
  const attempt = createAttempt(options);
  const stopping = new AbortController();
  /** With the owner of each. */
  const underWay = new Map<Promise<void>, string>();
  let pumping: Promise<void> | undefined;
  let isAsked = false;
  let purgedAt: number | undefined;

  async function deliver(claimed: ClaimedDelivery): Promise<void> {
    const { delivery, endpoint } = claimed;
    try {
      if ((await checkOwner(endpoint)) === undefined) return;
      const outcome = await attempt(claimed, stopping.signal);
      await recordAttempt(database, claimed, outcome, { now: new Date(clock.now()), random: random() });
      if (outcome.kind === 'delivered' && endpoint.state === 'PENDING') options.onActivated?.();
      log.debug({ webhookId: endpoint.id, messageId: delivery.messageId, outcome }, 'a webhook was tried');
    } catch (error) {
      // Its lease ends, and it is tried again.
      log.error({ err: toLoggableError(error), webhookId: endpoint.id, messageId: delivery.messageId }, 'an attempt could not be recorded');
    }
  }

  /** Takes what is due as long as there is room for it; each that is done makes room. */
  async function pump(): Promise<void> {
    do {
      isAsked = false;
      for (;;) {
        const limit = maxConcurrent - underWay.size;
        if (limit <= 0 || stopping.signal.aborted) break;
        const now = new Date(clock.now());
        const bounds = { limit, perEndpoint: maxConcurrentPerEndpoint, perOwner: maxConcurrentPerOwner };
        const claimed = await claimDeliveries(database, { now, leaseMs, ...bounds, busyOwners: [...underWay.values()], random: random() });
        for (const one of claimed) start(one);
        if (claimed.length === 0) break;
      }
      await purge();
    } while (isAsked && !stopping.signal.aborted);
  }

  function start(claimed: ClaimedDelivery): void {
    const running = deliver(claimed).finally(() => {
      underWay.delete(running);
      wake();
    });
    underWay.set(running, claimed.endpoint.ownerId);
  }

  async function purge(): Promise<void> {
    const now = clock.monotonic();
    if (purgedAt !== undefined && now - purgedAt < PURGE_INTERVAL_MS) return;
    purgedAt = now;
    if (!(await removeExpired(database.sql, new Date(clock.now())))) return;
    purgedAt = undefined;
    isAsked = true; // for the rest, after what has become due meanwhile
  }

  async function look(): Promise<void> {
    isAsked = true;
    pumping ??= pump().finally(() => {
      pumping = undefined;
    });
    return pumping;
  }

  function wake(): void {
    if (stopping.signal.aborted) return;
    look().catch((error: unknown) => log.warn({ err: toLoggableError(error) }, 'the queue of webhooks cannot be read; it is tried again'));
  }

  const poll = setInterval(wake, pollIntervalMs).unref();
  wake();
  return {
    wake,
    async drain() {
      await look();
      while (underWay.size > 0) {
        await Promise.all(underWay.keys());
        await look();
      }
    },
    async stop() {
      stopping.abort();
      clearInterval(poll);
      await pumping?.catch(() => undefined);
      await Promise.all(underWay.keys());
    },
  };
}
