import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Acceptance } from '../request/read-accept.ts';

/** One request with what its connection tells. */
export interface IncomingRequest {
  readonly request: IncomingMessage;
  /** For answers that have no end. */
  readonly response: ServerResponse;
  /** Path below which the facade is mounted in another server; empty at its root. */
  readonly basePath: string;
  readonly correlationId: string;
  /** What its `Accept` header says. */
  readonly acceptance: Acceptance;
  readonly signal: AbortSignal;
  /** Of the answer, whatever it is; what is known of the version and of the caller's budget is added. */
  readonly replyHeaders: OutgoingHttpHeaders;
}
