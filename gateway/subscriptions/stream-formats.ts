import type { EventEnvelope } from '../pipeline/streams/event-stream.ts';
import type { BytesResult, OperationError } from '../pipeline/operation-result.ts';
import { writeIdLine } from '../platform/http/request/event-id.ts';

/** Format of a stream of events in the body of an HTTP response. */
export interface StreamFormat {
  readonly contentType: string;
  /** Text that is sent immediately, so that the client knows that the stream is open. */
  readonly begin: string;
  /** Text that prevents timeouts of an idle connection. */
  readonly heartbeat: string;
  event(event: EventEnvelope): string;
  /** Text that ends a stream without an error. */
  readonly complete: string;
  /** Formats the errors that end a stream early. */
  fail(errors: readonly OperationError[]): string;
  /** Formats the end of the stream when the gateway shuts down. The client should subscribe again after the delay. @unit milliseconds */
  leave(retryMs: number, requestId: string): string;
  /** Formats the single result of a query or mutation. Absent when such results are sent as JSON. */
  readonly once?: (result: BytesResult) => string;
}

/** Text of events that several clients receive, so that it is formatted once. */
const written = new WeakMap<EventEnvelope, string>();

/** Formats an event with its id as `extensions.eventId`, for transports that have no other field for it. */
export function writeEventId(event: EventEnvelope): string {
  const { eventId, result } = event;
  if (eventId === undefined) return result.body;
  let text = written.get(event);
  if (text === undefined) {
    text = `${result.body.slice(0, -1)},"extensions":${JSON.stringify({ eventId })}}`;
    written.set(event, text);
  }
  return text;
}

const DELIMITER = '\r\n--graphql';
const HEAD = '\r\ncontent-type: application/json; charset=utf-8\r\n\r\n';
const END = '--\r\n';

/** Formats a part, including the delimiter after it, so that a reader knows that the part is complete. */
function toMultipartPart(body: string): string {
  return `${HEAD}${body}${DELIMITER}`;
}

function fail(errors: readonly Pick<OperationError, 'message' | 'extensions'>[]): string {
  return toMultipartPart(JSON.stringify({ payload: null, errors })) + END;
}

/** Subscriptions over multipart HTTP, version 1.0, as Apollo Client reads them. */
export const MULTIPART: StreamFormat = {
  contentType: 'multipart/mixed; boundary="graphql"; subscriptionSpec="1.0"',
  begin: DELIMITER,
  heartbeat: toMultipartPart('{}'),
  event: (event) => toMultipartPart(`{"payload":${writeEventId(event)}}`),
  complete: END,
  fail,
  leave: (retryMs, requestId) =>
    fail([{ message: `The gateway is shutting down; subscribe again in ${retryMs} ms.`, extensions: { code: 'OVERLOADED', requestId } }]),
};

const COMPLETE = 'event: complete\ndata:\n\n';

/** The "distinct connections" mode of https://github.com/enisdenjo/graphql-sse: one stream for each operation. */
export const SSE: StreamFormat = {
  contentType: 'text/event-stream; charset=utf-8',
  begin: ':\n\n',
  heartbeat: ':\n\n',
  event: ({ eventId, result, isBookmark }: EventEnvelope) => {
    const id = writeIdLine(eventId);
    // A message without data is not an event: browsers and other clients that follow the standard store the id and dispatch nothing.
    if (isBookmark === true) return `${id}\n`;
    return `event: next\n${id}data: ${result.body}\n\n`;
  },
  complete: COMPLETE,
  fail: (errors) => `event: next\ndata: ${JSON.stringify({ errors })}\n\n${COMPLETE}`,
  // There is no `complete`, because a client that receives it does not subscribe again.
  leave: (retryMs) => `retry: ${retryMs}\n\n`,
  once: ({ body }) => `event: next\ndata: ${body}\n\n${COMPLETE}`,
};
