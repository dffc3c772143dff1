import type { Generation } from '../../generation/generation.ts';
import { GatewayError } from '../../platform/errors.ts';
import { UNNUMBERED_EVENT } from '../../platform/http/request/event-id.ts';
import type { Logger } from '../../platform/logger.ts';
import type { EventStream } from './event-stream.ts';
import type { ExpiryWheel } from './expiry-wheel.ts';
import { type SharedStream, type SharedStreamDependencies, createSharedStream, gapFor } from './shared-stream.ts';
import type { StreamBinding } from './stream-binding.ts';
import { type LocateErrors, type QueueLimits, Subscriber } from './subscriber.ts';

/** A request to subscribe. */
export interface Subscription {
  readonly correlationId: string;
  readonly lastEventId: string | undefined;
  /** Whether the client receives bookmarks with the position of the stream. */
  readonly wantsBookmarks: boolean;
  /** Adds locations in the client's document to errors of events. */
  readonly locate: LocateErrors;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Returns when the permissions expire. Called again each time it is reached. @unit milliseconds since the epoch */
  readonly expiresAt: () => number | undefined;
  /** Prepares the same operation in another generation. @throws GatewayError when that is not possible */
  readonly rebind: (generation: Generation) => Promise<StreamBinding>;
}

/** Makes the dependencies of a stream for all subscribers that share it. */
export type MakeStreamDependencies = (
  binding: StreamBinding,
  lastEventId: string | undefined,
) => Omit<SharedStreamDependencies, 'binding' | 'lastEventId' | 'onPublished' | 'onGapReported' | 'onOver'>;

export interface StreamsReport {
  /** Number of subscribed clients. */
  readonly subscribers: number;
  /** Number of open streams to subgraphs. */
  readonly shared: number;
  /** Number of clients that were dropped since startup because they read too slowly. */
  readonly dropped: number;
  /** Number of notices since startup that events may have been missed, including dropped clients. */
  readonly missed: number;
}

export interface OpenStreamsOptions {
  readonly limits: QueueLimits;
  /** Time over which subscribers are notified when their operation is not valid in a new supergraph. @unit milliseconds */
  readonly reloadWindowMs: number;
  readonly wheel: ExpiryWheel;
  /** Wall clock. @unit milliseconds since the epoch */
  readonly now: () => number;
  readonly random: () => number;
  readonly logger: Logger;
}

/** All streams that are open. */
export interface OpenStreams {
  /**
   * Joins the stream with the same events, or opens it.
   *
   * @param binding disposed of with the stream, or immediately when another stream has the same events
   * @throws GatewayError when the first subgraph cannot be reached
   */
  join(binding: StreamBinding, subscription: Subscription, make: MakeStreamDependencies): Promise<EventStream>;
  /** Moves all streams to a new generation. A stream whose operation is not valid there ends with `SUBSCRIPTION_SCHEMA_RELOAD`. */
  move(generation: Generation): Promise<void>;
  report(): StreamsReport;
  /** Ends all streams and rejects new ones. */
  close(reason: GatewayError): void;
}

interface Open {
  readonly shared: SharedStream;
  readonly rebind: Subscription['rebind'];
  /** Key with which other subscriptions find the stream. */
  key: string;
  /** Key of its subscription, independent of its position in the stream. */
  family: string;
}

/** Number of streams that are moved to a new supergraph at the same time. Each may have to be planned. */
const MOVED_AT_ONCE = 8;

export function createOpenStreams({ limits, reloadWindowMs, wheel, now, random, logger }: OpenStreamsOptions): OpenStreams {
  const byKey = new Map<string, Open>();
  const all = new Set<Open>();
  /** Streams with the same subscription. */
  const families = new Map<string, Set<Open>>();
  let dropped = 0;
  let missed = 0;
  let closed: GatewayError | undefined;

  function find(binding: StreamBinding, { lastEventId: seen, rebind }: Subscription, make: MakeStreamDependencies): Open {
    const lastEventId = seen === UNNUMBERED_EVENT ? undefined : seen;
    const key = lastEventId === undefined ? binding.key : JSON.stringify([binding.key, lastEventId]);
    const known = byKey.get(key);
    // A client that sends a last event id can join only a stream that was opened with the same id and has no events yet.
    if (known !== undefined && (lastEventId === undefined || known.shared.isFresh)) {
      binding[Symbol.dispose]();
      return known;
    }
    const shared = createSharedStream({
      ...make(binding, lastEventId),
      binding,
      lastEventId,
      onPublished: (eventId) => merge(open, eventId),
      onGapReported(count) {
        missed += count;
      },
      onOver: () => forget(open),
    });
    const open: Open = { shared, rebind, key, family: binding.key };
    all.add(open);
    byKey.set(key, open);
    enter(open);
    return open;
  }

  function forget(open: Open): void {
    all.delete(open);
    if (byKey.get(open.key) === open) byKey.delete(open.key);
    leave(open);
  }

  function enter(open: Open): void {
    const family = families.get(open.family) ?? new Set();
    families.set(open.family, family.add(open));
    if (family.size > 1) for (const { shared } of family) shared.remember(true);
  }

  function leave(open: Open): void {
    const family = families.get(open.family);
    family?.delete(open);
    if (family?.size === 0) families.delete(open.family);
    if (family?.size === 1) for (const { shared } of family) shared.remember(false);
  }

  /**
   * Merges streams. Streams of one subscription that began after different events eventually reach the same event, and one is sufficient
   * from there.
   */
  function merge(open: Open, eventId: string): void {
    const family = families.get(open.family);
    if (family === undefined || family.size < 2) return;
    for (const other of family) {
      const { key } = open;
      if (other === open || !other.shared.adopt(open.shared, eventId)) continue;
      if (key === open.family && !byKey.has(key)) {
        byKey.delete(other.key);
        other.key = key;
        byKey.set(key, other);
      }
      return;
    }
  }

  async function join(binding: StreamBinding, subscription: Subscription, make: MakeStreamDependencies): Promise<EventStream> {
    if (closed !== undefined) {
      binding[Symbol.dispose]();
      throw closed;
    }
    const { shared } = find(binding, subscription, make);
    const { correlationId, wantsBookmarks, locate, signal } = subscription;
    let unwatch: (() => void) | undefined;
    const left = (): void => void subscriber.return();
    const subscriber = new Subscriber({ correlationId, wantsBookmarks, locate }, limits, (reason) => {
      if (reason === 'slow') {
        dropped += 1;
        missed += 1;
        logger.info({ correlationId }, 'A client was dropped from a stream because it read too slowly.');
      }
      signal.removeEventListener('abort', left);
      unwatch?.();
    });
    if (subscription.lastEventId === UNNUMBERED_EVENT) {
      missed += 1;
      subscriber.push(gapFor(correlationId));
    }
    shared.add(subscriber);
    try {
      await shared.ready;
    } catch (error) {
      await subscriber.return();
      throw error;
    }
    if (signal.aborted) left();
    if (subscriber.isOver) return subscriber;
    signal.addEventListener('abort', left, { once: true });
    unwatch = watchExpiry(subscriber, subscription.expiresAt);
    return subscriber;
  }

  function watchExpiry(subscriber: Subscriber, expiresAt: Subscription['expiresAt']): (() => void) | undefined {
    const at = expiresAt();
    if (at === undefined) return undefined;
    const onDue = (): number | undefined => {
      if (subscriber.isOver) return undefined;
      const due = expiresAt();
      if (due === undefined || due > now()) return due;
      subscriber.end(tokenExpired());
      return undefined;
    };
    return wheel.add({ onDue }, at);
  }

  async function moveOne(open: Open, generation: Generation): Promise<void> {
    if (open.shared.binding.generation === generation) return;
    try {
      const next = await open.rebind(generation);
      if (next.key !== open.family) rename(open, next.key);
      open.shared.move(next);
    } catch (error) {
      if (!(error instanceof GatewayError)) logger.error({ err: error }, 'A stream could not be moved to the new supergraph.');
      endSpread(open.shared);
    }
  }

  /** Updates the keys of a stream. The same subscription can have a different text in another supergraph. */
  function rename(open: Open, family: string): void {
    const isCurrent = open.key === open.family && byKey.get(open.key) === open;
    if (byKey.get(open.key) === open) byKey.delete(open.key);
    leave(open);
    open.family = family;
    open.key = isCurrent ? family : JSON.stringify([family]);
    enter(open);
    if (isCurrent && !byKey.has(family)) byKey.set(family, open);
  }

  /** Ends a stream for its subscribers at random times, because clients that subscribe again should not do so simultaneously. */
  function endSpread(shared: SharedStream): void {
    const reported = [...shared.subscribers];
    shared.stop();
    for (const subscriber of reported) setTimeout(() => subscriber.end(schemaReload()), reloadWindowMs * random()).unref();
  }

  return {
    join,
    async move(generation) {
      const waiting = [...all];
      const work = async (): Promise<void> => {
        for (let open = waiting.pop(); open !== undefined; open = waiting.pop()) await moveOne(open, generation);
      };
      await Promise.all(Array.from({ length: MOVED_AT_ONCE }, work));
    },
    report() {
      let subscribers = 0;
      for (const { shared } of all) subscribers += shared.subscribers.size;
      return { subscribers, shared: all.size, dropped, missed };
    },
    close(reason) {
      closed ??= reason;
      for (const { shared } of all) {
        const reported = [...shared.subscribers];
        shared.stop();
        for (const subscriber of reported) subscriber.end(reason);
      }
    },
  };
}

/** Makes the error that ends a stream when the credentials of its client expire. */
export function tokenExpired(): GatewayError {
  return new GatewayError('TOKEN_EXPIRED', 'The credentials of this subscription have expired.');
}

function schemaReload(): GatewayError {
  return new GatewayError(
    'SUBSCRIPTION_SCHEMA_RELOAD',
    'The schema has changed, and this subscription is no longer valid. Update it and subscribe again.',
  );
}
