import { eq } from 'drizzle-orm';
import { toLoggableError } from '../../kit/database/loggable-error.ts';
import type { WebhookDocument } from '../documents/webhook-document.ts';
import { endpoints } from '../tables.ts';
import { type FollowOptions, followStream } from './follow-stream.ts';
import { inheritCursors, storeCursors } from './store-cursors.ts';
import { type OwnerStream, streamsOf } from './owner-stream.ts';

export interface EventsWorkerOptions extends Omit<FollowOptions, 'random'> {
  readonly documents: ReadonlyMap<string, WebhookDocument>;
  /** Returns a number between 0 and 1. @defaultValue `Math.random` */
  readonly random?: () => number;
  /** Interval of polls for the required streams. @unit milliseconds @defaultValue 2000 */
  readonly pollIntervalMs?: number;
}

/**
 * Reads and queues the events that endpoints receive. Any number of processes may do so; an event that several processes read is queued
 * once.
 */
export interface EventsWorker {
  /** Polls for the required streams immediately; frequent calls are cheap. */
  readonly wake: () => void;
  /** Number of open streams. */
  readonly size: number;
  stop(): Promise<void>;
}

/** Interval of checks for positions that are no longer used. @unit milliseconds */
const STORE_INTERVAL_MS = 60_000;

interface Following {
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

export function startEventsWorker(options: EventsWorkerOptions): EventsWorker {
  const { database, documents, clock, log, random = Math.random, pollIntervalMs = 2_000 } = options;
  const followed = new Map<string, Following>();
  const stopping = new AbortController();
  let looking: Promise<void> | undefined;
  let isRequested = false;
  let storedAt: number | undefined;

  async function look(): Promise<void> {
    const active = await database.sql.select().from(endpoints).where(eq(endpoints.state, 'ACTIVE'));
    if (stopping.signal.aborted) return;
    const wanted = streamsOf(active, documents);
    for (const [key, { stop }] of followed) if (!wanted.has(key)) stop.abort();
    const keys = [...wanted.keys()];
    const fresh = [...wanted.values()].filter(({ key }) => !followed.has(key));
    await inheritCursors(database, fresh, keys);
    for (const stream of fresh) follow(stream);
    await store(keys);
  }

  function follow(stream: OwnerStream): void {
    const stop = new AbortController();
    const done = followStream(stream, AbortSignal.any([stop.signal, stopping.signal]), { ...options, random }).finally(() => {
      followed.delete(stream.key);
    });
    followed.set(stream.key, { stop, done });
  }

  async function store(keys: readonly string[]): Promise<void> {
    const now = clock.monotonic();
    if (storedAt !== undefined && now - storedAt < STORE_INTERVAL_MS) return;
    storedAt = now;
    await storeCursors(database, keys, new Date(clock.now()));
  }

  function wake(): void {
    isRequested = true;
    if (stopping.signal.aborted || looking !== undefined) return;
    isRequested = false;
    looking = look()
      .catch((error: unknown) =>
        log.warn({ err: toLoggableError(error) }, 'The events of the webhooks cannot be determined. The worker will retry.'),
      )
      .finally(() => {
        looking = undefined;
        if (isRequested) wake();
      });
  }

  const poll = setInterval(wake, pollIntervalMs).unref();
  wake();
  return {
    wake,
    get size() {
      return followed.size;
    },
    async stop() {
      stopping.abort();
      clearInterval(poll);
      await looking;
      await Promise.all([...followed.values()].map(({ done }) => done));
    },
  };
}
