import type { EventEnvelope } from '../pipeline/event-stream.ts';
import type { BytesResult, OperationError } from '../pipeline/operation-request.ts';
import { writeIdLine } from '../platform/http/request/event-id.ts';

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

/** Text of the events that many clients get: it is written once for all of them. */
const written = new WeakMap<EventEnvelope, string>();

/** The text of an event with its id as `extensions.eventId`, for doors that have no other place for it. */
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

/** Up to the delimiter after it, so that a reader knows that it is whole. */
function toPart(body: string): string {
  return `${HEAD}${body}${DELIMITER}`;
}

function fail(errors: readonly Pick<OperationError, 'message' | 'extensions'>[]): string {
  return toPart(JSON.stringify({ payload: null, errors })) + END;
}

/** Subscriptions over multipart HTTP, version 1.0, as Apollo Client reads them. */
export const MULTIPART: StreamFormat = {
  contentType: 'multipart/mixed; boundary="graphql"; subscriptionSpec="1.0"',
  begin: DELIMITER,
  heartbeat: toPart('{}'),
  event: (event) => toPart(`{"payload":${writeEventId(event)}}`),
  complete: END,
  fail,
  leave: (retryMs, requestId) =>
    fail([{ message: `The gateway closes; subscribe again in ${retryMs} ms.`, extensions: { code: 'OVERLOADED', requestId } }]),
};

const COMPLETE = 'event: complete\ndata:\n\n';

/** The "distinct connections" mode of https://github.com/enisdenjo/graphql-sse: one stream for each operation. */
export const SSE: StreamFormat = {
  contentType: 'text/event-stream; charset=utf-8',
  begin: ':\n\n',
  heartbeat: ':\n\n',
  event: ({ eventId, result, isMark }: EventEnvelope) => {
    const id = writeIdLine(eventId);
    // Without data it is no event: browsers, and whoever else goes by the standard, remember the id and tell nobody.
    if (isMark === true) return `${id}\n`;
    return `event: next\n${id}data: ${result.body}\n\n`;
  },
  complete: COMPLETE,
  fail: (errors) => `event: next\ndata: ${JSON.stringify({ errors })}\n\n${COMPLETE}`,
  // Without `complete`: a client that is told so does not come back.
  leave: (retryMs) => `retry: ${retryMs}\n\n`,
  once: ({ body }) => `event: next\ndata: ${body}\n\n${COMPLETE}`,
};
