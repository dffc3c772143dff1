import type { ResponseHead } from './read-head.ts';

/** A request as it is written to a connection. */
export interface HttpRequest {
  /** Request line and header fields, each with its line break, but neither `Content-Length` nor the empty line at the end. */
  readonly head: string;
  readonly body: string;
}

/** What a request waits in, or goes over. */
export interface Abortable {
  /** Ends it, and tells nobody. */
  abort(): void;
}

/** Whoever waits for the answer to one request. Of `complete` and `fail` one is called once, unless it was aborted. */
export interface ResponseHandler {
  /** Longest body that is taken in. @unit bytes */
  readonly maxBytes: number;
  /**
   * It is queued, or its turn has come.
   *
   * @param place what is aborted when it ends before its answer: its place in the queue, later its connection
   * @returns false when nobody waits any more: nothing is sent
   */
  enter(place: Abortable): boolean;
  /** Looks at the head before anything of the body is taken in. @returns what refuses it, if anything does */
  check(head: ResponseHead): Error | undefined;
  /**
   * The body is large, and nothing more of it is read until `proceed` is called. Called again where the length is not known and more comes than
   * was told.
   *
   * @param bytes its length; twice what has come where the length is not known @unit bytes
   */
  hold(bytes: number, proceed: () => void): void;
  /** @param body whole; its bytes are overwritten after the call */
  complete(head: ResponseHead, body: Buffer): void;
  fail(error: Error): void;
}
