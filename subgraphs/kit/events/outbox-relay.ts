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
   * Interval of polls for events of other processes on a server, and of retries after a failure. An embedded database has no other writers
   * and is not polled.
   *
   * @unit milliseconds
   * @defaultValue 1000
   */
  readonly pollIntervalMs?: number;
  /** Maximum number of events that are moved at once. @unit events @defaultValue 100 */
  readonly batchSize?: number;
}

/** Moves events from the outbox to the bus, in order and at least once. */
export interface OutboxRelay {
  /** Checks for events immediately; frequent calls are cheap. */
  readonly wake: () => void;
  /** Resolves when the outbox was empty or another process is moving its events. Rejects when the database or the bus fails. */
  drain(): Promise<void>;
  /** Stops after the current batch. */
  stop(): Promise<void>;
}

const PURGE_INTERVAL_MS = 10 * 60 * 1_000;

export function startOutboxRelay(options: OutboxRelayOptions): OutboxRelay {
  const { database, bus, clock, log, pollIntervalMs = 1_000, batchSize = 100 } = options;
  let running: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isRequested = false;
  let hasFailed = false;
  const stopping = new AbortController();
  let purgedAt = clock.monotonic();

  async function moveBatch(): Promise<number> {
    return database.transaction(async (sql) => {
      // Only one relay of all processes may run at a time, because two could change the order of events.
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
    // The bus is checked outside the transaction, because an embedded database is blocked during a transaction.
    if (hasFailed) await bus.check?.();
    do {
      isRequested = false;
      while (!stopping.signal.aborted && (await moveBatch()) > 0);
      await purge();
    } while (isRequested && !stopping.signal.aborted);
  }

  async function drain(): Promise<void> {
    isRequested = true;
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
    // While a retry is scheduled, further calls have no effect.
    if (stopping.signal.aborted || retry !== undefined) return;
    const hadFailed = hasFailed;
    drain().catch((error: unknown) => {
      if (!hadFailed) log.warn({ err: toLoggableError(error) }, 'Events could not be published. They remain in the outbox.');
      retry ??= setTimeout(() => {
        retry = undefined;
        wake();
      }, pollIntervalMs).unref();
    });
  }

  const poll = database.kind === 'server' ? setInterval(wake, pollIntervalMs).unref() : undefined;
  // Publishes events of a process that ended before it had published them.
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
