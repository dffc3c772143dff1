import { inArray, lt, sql as raw } from 'drizzle-orm';
import type { Clock } from '../../../gateway/platform/clock.ts';
import type { Logger } from '../../../gateway/platform/logger.ts';
import type { Database } from '../database/database.ts';
import { idempotencyRecords, outbox } from '../database/kit-tables.ts';
import { toLoggableError } from '../database/loggable-error.ts';
import { IDEMPOTENCY_RETENTION_MS } from '../writes/idempotency-records.ts';
import { RELAY_LOCK } from '../writes/outbox.ts';
import type { EventBus } from './event-bus.ts';

export interface OutboxRelayOptions {
  readonly database: Database;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly log: Logger;
  /**
   * How often to look for events that another process left on a server, and until the next try after a failure. An
   * embedded database has no other writers, and is not asked in vain.
   *
   * @unit milliseconds
   * @defaultValue 1000
   */
  readonly pollIntervalMs?: number;
  /** Events moved at once. @unit events @defaultValue 100 */
  readonly batchSize?: number;
}

/** Moves events from the outbox to the bus: in order, at least once. */
export interface OutboxRelay {
  /** Looks for events now; cheap to call often. */
  readonly wake: () => void;
  /** Resolves when the outbox was seen empty, or another process is at it. Rejects where the database or the bus fails. */
  drain(): Promise<void>;
  /** Stops after the batch at hand. */
  stop(): Promise<void>;
}

const PURGE_INTERVAL_MS = 10 * 60 * 1_000;

export function startOutboxRelay(options: OutboxRelayOptions): OutboxRelay {
  const { database, bus, clock, log, pollIntervalMs = 1_000, batchSize = 100 } = options;
  let running: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isAsked = false;
  let hasFailed = false;
  const stopping = new AbortController();
  let purgedAt = clock.monotonic();

  async function moveBatch(): Promise<number> {
    return database.transaction(async (sql) => {
      // One relay at a time, whichever process it is in: two would mix up the order.
      const { rows } = await sql.execute<{ mine: boolean }>(raw`select pg_try_advisory_xact_lock(${RELAY_LOCK}) as mine`);
      if (rows[0]?.mine !== true) return 0;
      const events = await sql.select().from(outbox).orderBy(outbox.id).limit(batchSize);
      for (const { id, topic, payload, createdAt } of events) await bus.publish({ id, topic, payload, at: createdAt });
      if (events.length > 0)
        await sql.delete(outbox).where(
          inArray(
            outbox.id,
            events.map(({ id }) => id),
          ),
        );
      return events.length;
    });
  }

  async function purge(): Promise<void> {
    if (clock.monotonic() - purgedAt < PURGE_INTERVAL_MS) return;
    purgedAt = clock.monotonic();
    const expired = new Date(clock.now() - IDEMPOTENCY_RETENTION_MS);
    await database.sql.delete(idempotencyRecords).where(lt(idempotencyRecords.createdAt, expired));
  }

  async function run(): Promise<void> {
    // A bus that does not answer is not waited for within a transaction: an embedded database does nothing else meanwhile.
    if (hasFailed) await bus.check?.();
    do {
      isAsked = false;
      while (!stopping.signal.aborted && (await moveBatch()) > 0);
      await purge();
    } while (isAsked && !stopping.signal.aborted);
  }

  async function drain(): Promise<void> {
    isAsked = true;
    running ??= run().then(
      () => settle(false),
      (error: unknown) => {
        settle(true);
        throw error;
      },
    );
    return running;
  }

  function settle(isFailure: boolean): void {
    running = undefined;
    hasFailed = isFailure;
  }

  function wake(): void {
    // While it is waited for the next try, those who wake change nothing.
    if (stopping.signal.aborted || retry !== undefined) return;
    const hadFailed = hasFailed;
    drain().catch((error: unknown) => {
      if (!hadFailed) log.warn({ err: toLoggableError(error) }, 'events could not be published; they wait in the outbox');
      retry ??= setTimeout(() => {
        retry = undefined;
        wake();
      }, pollIntervalMs).unref();
    });
  }

  const poll = database.kind === 'server' ? setInterval(wake, pollIntervalMs).unref() : undefined;
  // What a process left behind that ended before it published.
  wake();
  return {
    wake,
    drain,
    async stop() {
      stopping.abort();
      clearInterval(poll);
      clearTimeout(retry);
      await running?.catch(() => {});
    },
  };
}
