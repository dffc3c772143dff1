import type { EventEnvelope } from '../pipeline/event-stream.ts';
import type { BytesResult, OperationError } from '../pipeline/operation-request.ts';

/** How a stream of events is written into the body of an answer. */
export interface StreamFormat {
  readonly contentType: string;
  /** Goes out at once, so that the client knows that it has begun. */
  readonly begin: string;
  /** A sign of life. */
  readonly heartbeat: string;
  event(event: EventEnvelope): string;
  /** There are no more events. */
  readonly complete: string;
  /** It ends early, and the client is told why. */
  fail(errors: readonly OperationError[]): string;
  /** The gateway closes: the client is to come back in a while. @unit milliseconds */
  leave(retryMs: number, requestId: string): string;
  /** What is no stream: a query or a mutation is answered once. Absent where such answers are JSON. */
  readonly once?: (result: BytesResult) => string;
}
