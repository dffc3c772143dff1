import type { Clock } from '../../gateway/platform/clock.ts';
import type { Logger } from '../../gateway/platform/logger.ts';
import type { Database } from './database/database.ts';
import type { EventBus } from './events/event-bus.ts';
import type { Loaders } from './loaders.ts';

/** Who is asking, as the gateway vouches for it. */
export interface Caller {
  /** Who vouches for `id`: the same id of two issuers is two callers. Absent where nobody but the test or tool that calls does. */
  readonly issuer?: string;
  readonly kind: 'anonymous' | 'user' | 'service';
  /** Empty for anonymous callers. */
  readonly id: string;
  /** Tells anonymous writers apart, where the gateway says so. */
  readonly session?: string;
  /** Whether `id` is the id of a user of the graph, as the gateway decides it. @defaultValue true without an issuer, false with one */
  readonly isOwner?: boolean;
  readonly roles: ReadonlySet<string>;
  readonly scopes: ReadonlySet<string>;
}

/** What every resolver gets as its third argument; made anew for each request. */
export interface RequestContext {
  readonly subgraph: string;
  readonly principal: Caller;
  readonly database: Database;
  readonly loaders: Loaders;
  readonly events: EventBus;
  /** Tells the relay that a transaction left events in the outbox. */
  readonly wakeRelay: () => void;
  readonly clock: Clock;
  readonly correlationId: string;
  readonly log: Logger;
  /** Of a subscription whose events have ids. */
  readonly stream?: StreamPosition;
}

/** Where a subscription begins. */
export interface StreamPosition {
  /** The last event that the gateway has seen. @defaultValue it wants those from now on */
  readonly after?: string | undefined;
  /** Told where the stream begins, and how far it has come when all that passed is not for this subscriber: subscribing after it misses nothing. */
  readonly onPosition: (position: string) => void;
}
