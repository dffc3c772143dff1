import type { BytesResult } from '../operation-result.ts';
import type { OperationRequest } from '../operation-request.ts';

/** One event of a subscription as the client gets it. */
export interface EventEnvelope {
  /** By which the client resumes after it. Absent where the subgraph gives none. */
  readonly eventId?: string;
  /** Its text has no `extensions` of its own: the doors without another place for the id write it there. */
  readonly result: BytesResult;
  /**
   * Nothing has happened: the id says how far the stream has come, for whoever must be able to come back after it. For those who asked for it.
   */
  readonly isMark?: true;
}

/** A running subscription. Read it to its end, or `return` it; a reader that stops reading is dropped by policy. */
export interface EventStream extends AsyncIterableIterator<EventEnvelope> {
  /**
   * @throws GatewayError what ended the stream early, to be told to the client: `TOKEN_EXPIRED`, `SUBSCRIPTION_SCHEMA_RELOAD`,
   * `SUBGRAPH_UNAVAILABLE`, …
   */
  next(): Promise<IteratorResult<EventEnvelope, undefined>>;
  return(): Promise<IteratorResult<EventEnvelope, undefined>>;
}

/** A request for a stream of events. */
export interface SubscriptionRequest extends OperationRequest {
  /** The last event the client has seen: the stream goes on after it, or begins with `EVENTS_MAY_BE_MISSED`. */
  readonly lastEventId?: string;
  /** Whether the client is told how far the stream has come where no event says it, by marks. @defaultValue false */
  readonly wantsMarks?: boolean;
  /**
   * When the credentials end, asked again whenever that time has come: by some doors clients send fresh credentials for what runs.
   *
   * @unit milliseconds since the epoch
   * @defaultValue what the principal says
   */
  readonly expiresAt?: () => number | undefined;
}

/**
 * Runs a subscription through the stages of every operation and opens its stream.
 *
 * @throws GatewayError when it is refused, or its first subgraph cannot be reached
 */
export type Subscribe = (request: SubscriptionRequest) => Promise<EventStream>;
