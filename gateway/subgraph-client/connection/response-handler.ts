import type { ResponseHead } from './read-head.ts';

/** A request as it is written to a connection. */
export interface HttpRequest {
  /** Request line and header fields, each with its line break, without `Content-Length` and the empty line at the end. */
  readonly head: string;
  /** Body. A request with undefined has neither a body nor a `Content-Length`. */
  readonly body: string | undefined;
  /** Whether the server can execute it twice without an effect, so that it may be sent again. @defaultValue false */
  readonly isRepeatable?: boolean;
}

/** A queue entry or connection that holds a request. */
export interface Abortable {
  /** Ends the request without calling its handler. */
  abort(): void;
}

/** Receives the response to one request. Either `complete` or `fail` is called once, unless the request was aborted. */
export interface ResponseHandler {
  /** Maximum body length. @unit bytes */
  readonly maxBytes: number;
  /**
   * Called when the request is queued and when it is about to be sent.
   *
   * @param slot Object to abort when the request ends early: its queue entry, later its connection.
   * @returns false when no caller waits any longer, so that the request is not sent
   */
  enter(slot: Abortable): boolean;
  /** Checks the head before the body is received. @returns An error that rejects the response, or undefined. */
  check(head: ResponseHead): Error | undefined;
  /**
   * Called when the body is large. Reading stops until `proceed` is called. It is called again when the length is unknown and more data
   * arrives than was reported.
   *
   * @param minimum Length of the body, or the received length when the length is unknown.
   * @param bytes Length of the body, or twice the received length when the length is unknown.
   * @unit bytes
   */
  hold(minimum: number, bytes: number, proceed: () => void): void;
  /** @param body Complete body. Its bytes are overwritten after the call. */
  complete(head: ResponseHead, body: Buffer): void;
  fail(error: Error): void;
}
