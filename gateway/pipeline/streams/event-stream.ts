import type { BytesResult } from '../operation-result.ts';
import type { OperationRequest } from '../operation-request.ts';

/** One event of a subscription for a client. */
export interface EventEnvelope {
  /** Id with which the client resumes after this event. Absent when the subgraph provides none. */
  readonly eventId?: string;
  /** Result without `extensions`. Transports that have no other field for the id add it there. */
  readonly result: BytesResult;
  /**
   * Whether this is a bookmark and not an event: its id is the position of the stream, so that the client can resume after it. Sent only on
   * request.
   */
  readonly isBookmark?: true;
}

/** A running subscription. Read it to its end or call `return`. A reader that stops reading is dropped. */
export interface EventStream extends AsyncIterableIterator<EventEnvelope> {
  /**
   * @throws GatewayError the error for the client that ended the stream early: `TOKEN_EXPIRED`, `SUBSCRIPTION_SCHEMA_RELOAD`,
   * `SUBGRAPH_UNAVAILABLE`, …
   */
  next(): Promise<IteratorResult<EventEnvelope, undefined>>;
  /** @param reason why the reader ends the stream, for telemetry. @defaultValue the client has ended it */
  return(reason?: string): Promise<IteratorResult<EventEnvelope, undefined>>;
}

/** A request for a stream of events. */
export interface SubscriptionRequest extends OperationRequest {
  /** Id of the last event that the client received. The stream continues after it, or begins with `EVENTS_MAY_BE_MISSED`. */
  readonly lastEventId?: string;
  /** Whether the client receives bookmarks with the position of the stream. @defaultValue false */
  readonly wantsBookmarks?: boolean;
  /**
   * Returns the time at which the credentials expire. Called again each time it is reached, because some transports accept new credentials
   * for running operations.
   *
   * @unit milliseconds since the epoch
   * @defaultValue the expiry of the principal
   */
  readonly expiresAt?: () => number | undefined;
}

/**
 * Runs a subscription through the stages of every operation and opens its stream.
 *
 * @throws GatewayError when it is rejected or its first subgraph cannot be reached
 */
export type Subscribe = (request: SubscriptionRequest) => Promise<EventStream>;
