import type { Generation } from '../../generation/generation.ts';
import { GatewayError } from '../../platform/errors.ts';
import { UNNUMBERED_EVENT } from '../../platform/http/request/event-id.ts';
import type { Logger } from '../../platform/logger.ts';
import type { EventStream } from '../event-stream.ts';
import type { ExpiryWheel } from './expiry-wheel.ts';
import { type SharedStream, type SharedStreamParts, createSharedStream, gapFor } from './shared-stream.ts';
import type { StreamBinding } from './stream-binding.ts';
import { type LocateErrors, type QueueLimits, Subscriber } from './subscriber.ts';

/** One who subscribes. */
export interface Subscription {
  readonly correlationId: string;
  readonly lastEventId: string | undefined;
  /** Whether it is told how far the stream has come where no event says it. */
  readonly wantsMarks: boolean;
  /** Adds to errors of events their locations in the client's document. */
  readonly locate: LocateErrors;
  /** The client has left. */
  readonly signal: AbortSignal;
  /** When the rights end, asked each time that time has come. @unit milliseconds since the epoch */
  readonly expiresAt: () => number | undefined;
  /** The same operation as another generation runs it. @throws GatewayError when it cannot be had there */
  readonly rebind: (generation: Generation) => Promise<StreamBinding>;
}

/** Makes what runs a stream for all who share it. */
export type MakeParts = (
  binding: StreamBinding,
  lastEventId: string | undefined,
) => Omit<SharedStreamParts, 'binding' | 'lastEventId' | 'onPublished' | 'onGapTold' | 'onOver'>;

export interface StreamsReport {
  /** Clients that are subscribed. */
  readonly subscribers: number;
  /** Streams of subgraphs that are run for them. */
  readonly shared: number;
  /** Clients that were dropped since the start because they read too slowly. */
  readonly dropped: number;
  /** How often a client was told since the start that events may have been missed; those who were dropped count, too. */
  readonly missed: number;
}

export interface OpenStreamsOptions {
  readonly limits: QueueLimits;
  /** Over how long those are told whose operation a new supergraph does not know any more. @unit milliseconds */
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
   * @param binding is disposed of with the stream, or at once where another one has the same events already
   * @throws GatewayError when the first subgraph cannot be reached
   */
  join(binding: StreamBinding, subscription: Subscription, make: MakeParts): Promise<EventStream>;
  /** Moves all to the generation that is served now, and ends those with `SUBSCRIPTION_SCHEMA_RELOAD` that it refuses. */
  move(generation: Generation): Promise<void>;
  report(): StreamsReport;
  /** Ends all, and lets nobody in any more. */
  close(reason: GatewayError): void;
}

interface Open {
  readonly shared: SharedStream;
  readonly rebind: Subscription['rebind'];
  /** Under which others find it. */
  key: string;
  /** Of its subscription, wherever in the stream it stands. */
  family: string;
}

/** Streams that are moved to a new supergraph at one time: each may have to be planned. */
const MOVED_AT_ONCE = 8;

export function createOpenStreams({ limits, reloadWindowMs, wheel, now, random, logger }: OpenStreamsOptions): OpenStreams {
  const byKey = new Map<string, Open>();
  const all = new Set<Open>();
  /** Streams of one subscription. */
  const families = new Map<string, Set<Open>>();
  let dropped = 0;
  let missed = 0;
  let closed: GatewayError | undefined;

  function find(binding: StreamBinding, { lastEventId: seen, rebind }: Subscription, make: MakeParts): Open {
    const lastEventId = seen === UNNUMBERED_EVENT ? undefined : seen;
    const key = lastEventId === undefined ? binding.key : JSON.stringify([binding.key, lastEventId]);
    const known = byKey.get(key);
    // Who comes with an event in hand is where a stream began that was asked for with the same, and nowhere else.
    if (known !== undefined && (lastEventId === undefined || known.shared.isFresh)) {
      binding[Symbol.dispose]();
      return known;
    }
    const shared = createSharedStream({
      ...make(binding, lastEventId),
      binding,
      lastEventId,
      onPublished: (eventId) => merge(open, eventId),
      onGapTold(count) {
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

  /** Streams of one subscription that were asked for after different events come to the same one in the end: from there on one is enough. */
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

  async function join(binding: StreamBinding, subscription: Subscription, make: MakeParts): Promise<EventStream> {
    if (closed !== undefined) {
      binding[Symbol.dispose]();
      throw closed;
    }
    const { shared } = find(binding, subscription, make);
    const { correlationId, wantsMarks, locate, signal } = subscription;
    let unwatch: (() => void) | undefined;
    const left = (): void => void subscriber.return();
    const subscriber = new Subscriber({ correlationId, wantsMarks, locate }, limits, (reason) => {
      if (reason === 'slow') {
        dropped += 1;
        missed += 1;
        logger.info({ correlationId }, 'A client was dropped from a stream: it read too slowly.');
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
      if (!(error instanceof GatewayError)) logger.error({ err: error }, 'A stream could not be moved to a new supergraph.');
      endSpread(open.shared);
    }
  }

  /** The same subscription may be another text on another supergraph. */
  function rename(open: Open, family: string): void {
    const isCurrent = open.key === open.family && byKey.get(open.key) === open;
    if (byKey.get(open.key) === open) byKey.delete(open.key);
    leave(open);
    open.family = family;
    open.key = isCurrent ? family : JSON.stringify([family]);
    enter(open);
    if (isCurrent && !byKey.has(family)) byKey.set(family, open);
  }

  /** Those who come back at once should not come all at once. */
  function endSpread(shared: SharedStream): void {
    const told = [...shared.subscribers];
    shared.stop();
    for (const subscriber of told) setTimeout(() => subscriber.end(schemaReload()), reloadWindowMs * random()).unref();
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
        const told = [...shared.subscribers];
        shared.stop();
        for (const subscriber of told) subscriber.end(reason);
      }
    },
  };
}

/** What ends a stream when the credentials of its client do. */
export function tokenExpired(): GatewayError {
  return new GatewayError('TOKEN_EXPIRED', 'The credentials of this subscription have expired.');
}

function schemaReload(): GatewayError {
  return new GatewayError('SUBSCRIPTION_SCHEMA_RELOAD', 'The schema has changed, and this subscription is not valid any more.');
}
