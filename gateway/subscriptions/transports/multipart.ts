import type { OperationError } from '../../pipeline/operation-request.ts';
import type { StreamFormat } from '../stream-format.ts';
import { writeEventId } from '../write-event-id.ts';

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
