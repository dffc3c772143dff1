import type { Clock } from '../../gateway/platform/clock.ts';
import type { Logger } from '../../gateway/platform/logger.ts';
import type { Database } from './database/database.ts';
import type { EventBus } from './events/event-bus.ts';
import type { Loaders } from './loaders.ts';

/** Caller of a request, as verified by the gateway. */
export interface Caller {
  /** Issuer of `id`: the same id of two issuers identifies two callers. Absent in tests and tools. */
  readonly issuer?: string;
  readonly kind: 'anonymous' | 'user' | 'service';
  /** Empty for anonymous callers. */
  readonly id: string;
  /** Session id that distinguishes anonymous writers, when the gateway sends one. */
  readonly session?: string;
  /** Whether `id` is the id of a user of the graph, as the gateway determines. @defaultValue true without an issuer, false with one */
  readonly isOwner?: boolean;
  /** Whether the caller may administer the objects of all users. @defaultValue whether the caller has the role ADMIN */
  readonly isAdmin?: boolean;
  readonly roles: ReadonlySet<string>;
  readonly scopes: ReadonlySet<string>;
}

/** Third argument of every resolver; created for each request. */
export interface RequestContext {
  readonly subgraph: string;
  readonly principal: Caller;
  readonly database: Database;
  readonly loaders: Loaders;
  readonly events: EventBus;
  /** Notifies the relay that a transaction has added events to the outbox. */
  readonly wakeRelay: () => void;
  readonly clock: Clock;
  readonly correlationId: string;
  readonly log: Logger;
  /** Position of a subscription whose events have ids. */
  readonly stream?: StreamPosition;
}

/** Start of a subscription. */
export interface StreamPosition {
  /** Id of the last event that the gateway received. @defaultValue the subscription starts now */
  readonly after?: string | undefined;
  /**
   * Called with the start of the stream, and with later positions when events are skipped. A subscription after such a position misses no
   * event.
   */
  readonly onPosition: (position: string) => void;
}
